#pragma once

#include <string>
#include <utility>

#include "router/base/http.h"

namespace writ::bot {

struct WritAnswer {
  int status = 0;  // 0: no answer came
  std::string content_type;
  std::string body;
};

// The HTTP API of the demo's own node, as anybody would use it.
class WritApi {
 public:
  // `http` outlives this.
  WritApi(router::HttpClient& http, std::string url) : http_(http), url_(std::move(url)) {}

  // Posts `body` and waits for the answer, for seconds at most.
  [[nodiscard]] WritAnswer Post(const std::string& target, router::HttpHeaders headers,
                                std::string body);

  [[nodiscard]] const std::string& url() const { return url_; }

 private:
  router::HttpClient& http_;
  const std::string url_;
};

}  // namespace writ::bot
