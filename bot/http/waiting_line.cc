#include "bot/http/waiting_line.h"

#include <utility>

namespace writ::bot {

WaitingLine::Place WaitingLine::Enter(Connection& connection, Message& message, SteadyPoint now) {
  const std::lock_guard lock(mutex_);
  if (running_ < limits_.running && line_.empty()) {
    ++running_;
    return Place::kRuns;
  }
  const bool is_slow = !line_.empty() && now - line_.front().since > limits_.longest;
  if (is_slow || line_.size() >= limits_.waiting || bytes_ + message.body.size() > limits_.bytes) {
    return Place::kRefused;
  }
  bytes_ += message.body.size();
  line_.push_back({&connection, std::move(message), now});
  return Place::kWaits;
}

void WaitingLine::Leave() {
  const std::lock_guard lock(mutex_);
  --running_;
}

std::optional<WaitingLine::Waiting> WaitingLine::Next() {
  const std::lock_guard lock(mutex_);
  if (running_ >= limits_.running) return std::nullopt;
  auto first = TakeFirst();
  if (first) ++running_;
  return first;
}

std::optional<WaitingLine::Waiting> WaitingLine::TakeOverdue(SteadyPoint now) {
  const std::lock_guard lock(mutex_);
  if (line_.empty() || now - line_.front().since <= limits_.longest) return std::nullopt;
  return TakeFirst();
}

void WaitingLine::Clear() {
  const std::lock_guard lock(mutex_);
  line_.clear();
  bytes_ = 0;
}

std::size_t WaitingLine::Count() const {
  const std::lock_guard lock(mutex_);
  return line_.size();
}

std::optional<WaitingLine::Waiting> WaitingLine::TakeFirst() {
  if (line_.empty()) return std::nullopt;
  Waiting first = std::move(line_.front());
  line_.pop_front();
  bytes_ -= first.message.body.size();
  return first;
}

}  // namespace writ::bot
