#include "bot/http/stream_client.h"

#include "bot/http/stream_loop.h"

namespace writ::bot {

bool StreamClient::Send(std::string_view bytes) {
  {
    const std::lock_guard lock(mutex_);
    if (is_over_ || is_ending_) return false;
    waiting_ += bytes;
    if (waiting_.size() > most_) is_cut_ = true;
    if (std::exchange(is_told_, true)) return true;
  }
  Tell();
  return true;
}

void StreamClient::End() {
  {
    const std::lock_guard lock(mutex_);
    if (is_over_ || std::exchange(is_ending_, true)) return;
    if (std::exchange(is_told_, true)) return;
  }
  Tell();
}

bool StreamClient::IsOver() const {
  const std::lock_guard lock(mutex_);
  return is_over_ || is_ending_;
}

void StreamClient::Tell() {
  if (const auto loop = loop_.lock()) loop->Tell(shared_from_this());
}

}  // namespace writ::bot
