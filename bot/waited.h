#pragma once

#include <chrono>
#include <future>
#include <memory>
#include <optional>
#include <utility>

namespace writ::bot {

// Waits for what an adapter calls back with, for a command that does one thing at a time. The
// promise is the callback's too: it may come late.
template <class Value>
class Waited {
 public:
  [[nodiscard]] auto Callback() const {
    return [promise = promise_](Value value) { promise->set_value(std::move(value)); };
  }
  [[nodiscard]] std::optional<Value> Wait(std::chrono::milliseconds longest) const {
    std::future<Value> future = promise_->get_future();
    if (future.wait_for(longest) != std::future_status::ready) return std::nullopt;
    return future.get();
  }

 private:
  std::shared_ptr<std::promise<Value>> promise_ = std::make_shared<std::promise<Value>>();
};

}  // namespace writ::bot
