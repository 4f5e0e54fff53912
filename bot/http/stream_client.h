#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "bot/http/socket.h"
#include "bot/http/streams.h"

namespace writ::bot {

class StreamLoop;
class StreamPlace;

// One stream, as its loop serves it: what waits to be sent, and what it has come to.
class StreamClient final : public Stream, public std::enable_shared_from_this<StreamClient> {
 public:
  StreamClient(std::weak_ptr<StreamLoop> loop, Socket socket, std::shared_ptr<StreamPlace> place,
               std::size_t most)
      : loop_(std::move(loop)), place_(std::move(place)), most_(most), socket_(std::move(socket)) {}

  bool Send(std::string_view bytes) override;
  void End() override;
  [[nodiscard]] bool IsOver() const override;

 private:
  friend class StreamLoop;

  void Tell();

  const std::weak_ptr<StreamLoop> loop_;
  std::shared_ptr<StreamPlace> place_;  // given back when the stream is over
  const std::size_t most_;

  mutable std::mutex mutex_;  // guards what follows
  std::string waiting_;
  bool is_told_ = true;  // it is among the loop's news: from the start
  bool is_ending_ = false;
  bool is_cut_ = false;
  bool is_over_ = false;

  // The loop's thread's own.
  Socket socket_;  // closed when the stream is over
  Streams::Wishes wishes_;
  std::string out_;
  std::size_t sent_ = 0;
  bool is_known_ = false;  // to epoll
  bool waits_to_write_ = false;
  bool is_old_ = false;
  std::chrono::steady_clock::time_point begun_at_{};
  std::chrono::steady_clock::time_point quiet_since_{};
  std::optional<std::chrono::steady_clock::time_point> ending_since_;
};

}  // namespace writ::bot
