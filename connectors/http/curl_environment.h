#pragma once

namespace writ::connectors {

// libcurl's process-wide set-up. One lives in main, made before the first thread and ended after
// the last: libcurl's own is not safe beside other threads.
class CurlEnvironment {
 public:
  // throws Failure{kPermanent}
  CurlEnvironment();
  ~CurlEnvironment();
  CurlEnvironment(const CurlEnvironment&) = delete;
  CurlEnvironment& operator=(const CurlEnvironment&) = delete;
};

}  // namespace writ::connectors
