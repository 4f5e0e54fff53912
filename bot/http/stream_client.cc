#include "bot/http/stream_client.h"

#include "bot/http/stream_loop.h"

namespace writ::bot {

bool StreamClient::Send(std::string_view bytes) {
  {
    const std::lock_guard lock(mutex_);
    if (is_over_ || is_ending_ || is_cut_) return false;
    if (waiting_.size() + bytes.size() > most_) {
      is_cut_ = true;
      std::string().swap(waiting_);  // an assignment would keep the memory
    } else {
      waiting_ += bytes;
    }
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
  return is_over_ || is_ending_ || is_cut_;
}

void StreamClient::Tell() {
  if (const auto loop = loop_.lock()) loop->Tell(shared_from_this());
}

}  // namespace writ::bot
