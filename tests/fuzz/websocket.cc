// Frames that a client sends, however they are cut into pieces.
#include "bot/http/websocket.h"

#include <string>
#include <vector>

#include "router/base/text.h"
#include "tests/fuzz/pieces.h"
#include "tests/fuzz/target.h"

namespace writ::fuzz {
namespace {

using bot::WebSocketReader;
using Kind = WebSocketReader::Message::Kind;

constexpr std::size_t kMaxBytes = 300;

struct Came {
  Kind kind;
  std::string text;
  std::uint16_t code;
  friend bool operator==(const Came&, const Came&) = default;
};

std::vector<Came> Read(std::string_view input, std::size_t piece) {
  WebSocketReader reader(kMaxBytes);
  std::vector<Came> came;
  InPieces(input, piece, [&](std::string_view bytes) {
    reader.Append(bytes);
    while (auto message = reader.Next()) {
      Require(came.empty() || came.back().kind != Kind::kClose, "nothing comes after the close");
      Require(message->text.size() <= kMaxBytes, "a message has its limit");
      Require(message->kind != Kind::kText || router::IsUtf8(message->text), "a text is UTF-8");
      Require(message->kind != Kind::kPing || message->text.size() <= 125, "a ping has its limit");
      came.push_back({message->kind, std::move(message->text), message->code});
    }
    Require(reader.Waiting() <= kMaxBytes + 14 + bytes.size(), "no more waits than one frame");
  });
  return came;
}

// As a client would send what we send.
std::string Masked(const std::string& frame) {
  const std::size_t more = (frame[1] & 0x7F) == 126 ? 2 : (frame[1] & 0x7F) == 127 ? 8 : 0;
  std::string masked = frame.substr(0, 2 + more);
  masked[1] = static_cast<char>(static_cast<unsigned char>(masked[1]) | 0x80U);
  constexpr std::string_view kMask = "\x37\xFA\x21\x3D";
  masked += kMask;
  for (std::size_t i = 2 + more; i < frame.size(); ++i) {
    masked.push_back(static_cast<char>(static_cast<unsigned char>(frame[i]) ^
                                       static_cast<unsigned char>(kMask[(i - 2 - more) % 4])));
  }
  return masked;
}

void Shake(std::string_view key) {
  bot::Request request;
  request.method = "GET";
  request.headers = {{"upgrade", "websocket"},
                     {"connection", "Upgrade"},
                     {"sec-websocket-version", "13"},
                     {"sec-websocket-key", std::string(key)}};
  const auto head = bot::WebSocketHead(request, "");
  if (!head) return;
  for (const auto& [name, value] : head->headers) {
    Require(value.find_first_of("\r\n") == std::string::npos, "no header is smuggled in");
  }
}

void Fuzz(std::string_view input) {
  const auto whole = Read(input, input.size());
  Require(whole == Read(input, 1), "pieces of one byte say the same");
  Require(whole == Read(input, 7), "pieces of seven bytes say the same");
  Shake(input);
  if (!router::IsUtf8(input) || input.size() > kMaxBytes) return;
  const auto again = Read(Masked(bot::TextFrame(input)), kMaxBytes + 14);
  Require(again.size() == 1 && again[0].kind == Kind::kText && again[0].text == input,
          "what is sent reads as the same");
}

}  // namespace
}  // namespace writ::fuzz

WRIT_FUZZ_TARGET(websocket, writ::fuzz::Fuzz)
