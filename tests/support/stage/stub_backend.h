#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bot/http/server.h"
#include "router/base/json.h"
#include "tests/support/recording_log.h"
#include "tests/support/stage/system_clock.h"

namespace writ::tests {

// The app's own server: takes signed questions and gives signed answers (Standard Webhooks), or
// answers as a test wants it. A question whose signature does not fit is refused with 401 and
// kept out of Asked(). Shared by all threads.
class StubBackend {
 public:
  struct Reply {
    int status = 200;
    // What the answer holds beside `approval_id` and `args_digest`, which are repeated.
    router::Json answer = router::Json::MakeObject();
    bool signs = true;
    bool echoes = false;  // the question itself comes back, with its own headers
  };
  using Does = std::function<Reply(const router::Json& question)>;

  StubBackend();
  ~StubBackend();
  StubBackend(const StubBackend&) = delete;
  StubBackend& operator=(const StubBackend&) = delete;

  // `{"url", "secret"}`, as the configuration has a callback.
  [[nodiscard]] router::Json Callback(const std::string& path = "/check") const;
  void Answer(Does does);

  // The questions that came, in order.
  [[nodiscard]] std::vector<router::Json> Asked() const;
  // The header `traceparent` of each; "" where there was none.
  [[nodiscard]] std::vector<std::string> Traces() const;

 private:
  [[nodiscard]] bot::Response Handle(const bot::Request& request);

  mutable std::mutex mutex_;  // guards all below
  Does does_;
  std::vector<router::Json> asked_;
  std::vector<std::string> traces_;  // of asked_

  SystemClock clock_;
  RecordingLog log_;
  std::unique_ptr<bot::Server> server_;
};

// `{"decision": …}` and more.
[[nodiscard]] StubBackend::Reply Decides(const std::string& decision);

}  // namespace writ::tests
