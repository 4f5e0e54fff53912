#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>

namespace writ::router {

// Why a backend did not take an event. All may pass: what refuses today may be mended tomorrow.
struct BackendFailure {
  std::string what;  // for the log: names no secret and nothing of the event
  std::optional<std::chrono::milliseconds> retry_after;
};

// The port to an app's own server, which is told what happens. Asynchronous: `done` is called once,
// on a thread of the HTTP client, never from within Tell; nullopt: it was taken. Telling it again
// under the same id is safe. Shared by all threads.
class Backend {
 public:
  virtual ~Backend() = default;
  virtual void Tell(const std::string& id, const std::string& body, std::stop_token stop,
                    std::function<void(std::optional<BackendFailure>)> done) = 0;
};

}  // namespace writ::router
