#pragma once

#include <chrono>
#include <functional>
#include <mutex>
#include <utility>

#include "router/base/http.h"

namespace writ::router {

// Events that were refused because there was too much to do, and that their platform may not send
// again: once none was refused for a while, somebody looks for them. Shared by all threads.
class AfterRefusals {
 public:
  // `look` runs `quiet` after the last refusal, on a thread of `http`'s: it must not block.
  AfterRefusals(HttpClient& http, std::chrono::milliseconds quiet, std::function<void()> look)
      : http_(http), quiet_(quiet), look_(std::move(look)) {}

  void Refused();

 private:
  void LookLater();

  HttpClient& http_;
  const std::chrono::milliseconds quiet_;
  const std::function<void()> look_;
  std::mutex mutex_;    // guards both
  bool waits_ = false;  // for a look
  bool again_ = false;  // refused since that wait began
};

}  // namespace writ::router
