#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "bot/http/request.h"

namespace writ::bot {

// The server's side of RFC 6455: texts both ways, without extensions.

// The `101` to a request that asks for a WebSocket; nullopt: it does not, or not in this version.
// `protocol` is the subprotocol that was chosen of those it offers; empty: none.
[[nodiscard]] std::optional<Response> WebSocketHead(const Request& request,
                                                    std::string_view protocol);

// Frames as a server sends them: whole, unmasked.
[[nodiscard]] std::string TextFrame(std::string_view text);
[[nodiscard]] std::string PingFrame();
[[nodiscard]] std::string PongFrame(std::string_view payload);
[[nodiscard]] std::string CloseFrame(std::uint16_t code, std::string_view reason);

// Reads what a client sends. After kClose nothing that follows counts.
class WebSocketReader {
 public:
  struct Message {
    enum class Kind {
      kText,  // `text`, whole and in UTF-8
      kPing,  // `text` is to be sent back
      kPong,
      kClose,  // by the client, or because of what it sent: `code` is to be sent back
    };
    Kind kind = Kind::kText;
    std::string text = {};
    std::uint16_t code = 0;
  };

  explicit WebSocketReader(std::size_t max_bytes = std::size_t{64} << 10) : max_bytes_(max_bytes) {}

  void Append(std::string_view bytes) {
    if (is_closed_) return;
    // Here alone, so that a thousand frames in one piece are not moved a thousand times.
    bytes_.erase(0, std::exchange(read_, 0));
    bytes_ += bytes;
  }
  [[nodiscard]] std::size_t Waiting() const { return bytes_.size() - read_; }
  // The next message; nullopt: not all of it is there.
  [[nodiscard]] std::optional<Message> Next();

 private:
  struct Frame {
    bool is_last = false;
    unsigned opcode = 0;
    std::string payload;
  };
  // A frame that is all there, taken from the front. Sets `fault_` where it may not be.
  [[nodiscard]] std::optional<Frame> TakeFrame();
  [[nodiscard]] std::optional<Message> Take(Frame frame);
  Message Fail(std::uint16_t code);

  const std::size_t max_bytes_;
  std::string bytes_;
  std::size_t read_ = 0;  // of them
  std::string text_;      // of a message that comes in several frames
  bool is_in_message_ = false;
  bool is_closed_ = false;
  std::optional<std::uint16_t> fault_;
};

}  // namespace writ::bot
