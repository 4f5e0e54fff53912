#include "bot/http/websocket.h"

#include <algorithm>
#include <utility>

#include "router/base/base64.h"
#include "router/base/digest.h"
#include "router/base/text.h"

namespace writ::bot {
namespace {

// source: RFC 6455, 1.3
constexpr std::string_view kHandshake = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
constexpr std::size_t kKeyBytes = 16;
constexpr std::size_t kMaskBytes = 4;
constexpr std::size_t kMostOfControl = 125;  // bytes; 5.5

// source: RFC 6455, 11.8
constexpr unsigned kContinuation = 0;
constexpr unsigned kText = 1;
constexpr unsigned kBinary = 2;
constexpr unsigned kClose = 8;
constexpr unsigned kPing = 9;
constexpr unsigned kPong = 10;

// source: RFC 6455, 7.4.1
constexpr std::uint16_t kNormal = 1000;
constexpr std::uint16_t kProtocolError = 1002;
constexpr std::uint16_t kUnsupported = 1003;
constexpr std::uint16_t kNoStatus = 1005;
constexpr std::uint16_t kNotUtf8 = 1007;
constexpr std::uint16_t kTooBig = 1009;

std::string Lower(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return lower;
}

// Whether the header's list has that word.
bool Has(const Request& request, std::string_view header, std::string_view word) {
  const std::string* value = request.Header(header);
  if (value == nullptr) return false;
  std::string_view rest = *value;
  while (true) {
    const auto comma = rest.find(',');
    if (Lower(router::Trim(rest.substr(0, comma))) == word) return true;
    if (comma == std::string_view::npos) return false;
    rest.remove_prefix(comma + 1);
  }
}

std::string FrameOf(unsigned opcode, std::string_view payload) {
  std::string frame(1, static_cast<char>(0x80U | opcode));
  const std::size_t size = payload.size();
  const auto append = [&](int bytes) {
    for (int shift = (bytes - 1) * 8; shift >= 0; shift -= 8) {
      frame += static_cast<char>((std::uint64_t{size} >> static_cast<unsigned>(shift)) & 0xFFU);
    }
  };
  if (size < 126) {
    frame += static_cast<char>(size);
  } else if (size <= 0xFFFF) {
    frame += static_cast<char>(126);
    append(2);
  } else {
    frame += static_cast<char>(127);
    append(8);
  }
  return frame.append(payload);
}

// What a client may give as its reason. source: RFC 6455, 7.4
bool IsCloseCode(std::uint16_t code) {
  if (code >= 3000 && code <= 4999) return true;
  return (code >= 1000 && code <= 1003) || (code >= 1007 && code <= 1014);
}

}  // namespace

std::optional<Response> WebSocketHead(const Request& request, std::string_view protocol) {
  const std::string* version = request.Header("sec-websocket-version");
  const std::string* key = request.Header("sec-websocket-key");
  if (request.method != "GET" || !Has(request, "upgrade", "websocket") ||
      !Has(request, "connection", "upgrade") || version == nullptr || *version != "13" ||
      key == nullptr) {
    return std::nullopt;
  }
  const auto decoded = router::Base64Decode(*key);
  if (!decoded || decoded->size() != kKeyBytes) return std::nullopt;
  Response head;
  head.status = 101;
  head.headers = {
      {"Upgrade", "websocket"},
      {"Connection", "Upgrade"},
      {"Sec-WebSocket-Accept", router::Base64Encode(router::Sha1(*key + std::string(kHandshake)))}};
  if (!protocol.empty()) head.headers.emplace_back("Sec-WebSocket-Protocol", protocol);
  return head;
}

std::string TextFrame(std::string_view text) { return FrameOf(kText, text); }
std::string PingFrame() { return FrameOf(kPing, ""); }
std::string PongFrame(std::string_view payload) { return FrameOf(kPong, payload); }

std::string CloseFrame(std::uint16_t code, std::string_view reason) {
  if (code == kNoStatus) return FrameOf(kClose, "");
  std::string payload{static_cast<char>(code >> 8U), static_cast<char>(code & 0xFFU)};
  return FrameOf(kClose, payload.append(router::CutAtCharacter(reason, kMostOfControl - 2)));
}

WebSocketReader::Message WebSocketReader::Fail(std::uint16_t code) {
  is_closed_ = true;
  bytes_.clear();
  read_ = 0;
  return {Message::Kind::kClose, "", code};
}

std::optional<WebSocketReader::Message> WebSocketReader::Next() {
  while (!is_closed_) {
    std::optional<Frame> frame = TakeFrame();
    if (fault_) return Fail(*fault_);
    if (!frame) return std::nullopt;
    if (auto message = Take(*std::move(frame))) return message;
  }
  return std::nullopt;
}

std::optional<WebSocketReader::Frame> WebSocketReader::TakeFrame() {
  const std::string_view bytes = std::string_view(bytes_).substr(read_);
  if (bytes.size() < 2) return std::nullopt;
  const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(bytes[at]); };
  Frame frame;
  frame.is_last = (byte(0) & 0x80U) != 0;
  frame.opcode = byte(0) & 0x0FU;
  const bool is_control = frame.opcode >= kClose;
  const bool is_masked = (byte(1) & 0x80U) != 0;
  const bool is_reserved = (byte(0) & 0x70U) != 0;
  std::uint64_t size = byte(1) & 0x7FU;
  // A client masks all it sends. source: RFC 6455, 5.1
  if (is_reserved || !is_masked || (is_control && (!frame.is_last || size > kMostOfControl))) {
    fault_ = kProtocolError;
    return std::nullopt;
  }
  std::size_t head = 2;
  const std::size_t more = size == 126 ? 2 : size == 127 ? 8 : 0;
  if (bytes.size() < head + more) return std::nullopt;
  if (more > 0) size = 0;
  for (std::size_t i = 0; i < more; ++i) size = (size << 8U) | byte(head + i);
  head += more;
  if (size > max_bytes_ || (!is_control && text_.size() + size > max_bytes_)) {
    fault_ = kTooBig;
    return std::nullopt;
  }
  if (bytes.size() < head + kMaskBytes + size) return std::nullopt;
  const std::string_view mask = bytes.substr(head, kMaskBytes);
  head += kMaskBytes;
  frame.payload = bytes.substr(head, static_cast<std::size_t>(size));
  for (std::size_t i = 0; i < frame.payload.size(); ++i) {
    frame.payload[i] = static_cast<char>(static_cast<unsigned char>(frame.payload[i]) ^
                                         static_cast<unsigned char>(mask[i % kMaskBytes]));
  }
  read_ += head + static_cast<std::size_t>(size);
  return frame;
}

std::optional<WebSocketReader::Message> WebSocketReader::Take(Frame frame) {
  switch (frame.opcode) {
    case kContinuation:
    case kText:
      // One message at a time, each begun by a frame of its own kind.
      if ((frame.opcode == kContinuation) != is_in_message_) return Fail(kProtocolError);
      text_ += frame.payload;
      is_in_message_ = !frame.is_last;
      if (is_in_message_) return std::nullopt;
      if (!router::IsUtf8(text_)) return Fail(kNotUtf8);
      return Message{Message::Kind::kText, std::exchange(text_, {})};
    case kBinary:
      return Fail(kUnsupported);
    case kPing:
      return Message{Message::Kind::kPing, std::move(frame.payload)};
    case kPong:
      return Message{Message::Kind::kPong, std::move(frame.payload)};
    case kClose: {
      if (frame.payload.empty()) return Fail(kNormal);
      if (frame.payload.size() < 2) return Fail(kProtocolError);
      const auto high = static_cast<unsigned char>(frame.payload[0]);
      const auto low = static_cast<unsigned char>(frame.payload[1]);
      const auto code = static_cast<std::uint16_t>((high << 8U) | low);
      if (!IsCloseCode(code)) return Fail(kProtocolError);
      return Fail(router::IsUtf8(std::string_view(frame.payload).substr(2)) ? code : kNotUtf8);
    }
    default:
      return Fail(kProtocolError);
  }
}

}  // namespace writ::bot
