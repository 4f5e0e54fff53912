#include "bot/http/websocket.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace writ::bot {
namespace {

using Kind = WebSocketReader::Message::Kind;

// A frame as a client sends it, masked.
std::string Frame(unsigned opcode, std::string_view payload, bool last = true) {
  constexpr std::string_view kMask = "\x37\xfa\x21\x3d";
  std::string frame(1, static_cast<char>((last ? 0x80U : 0U) | opcode));
  if (payload.size() < 126) {
    frame += static_cast<char>(0x80U | payload.size());
  } else {
    frame += static_cast<char>(0x80U | 126U);
    frame += static_cast<char>(payload.size() >> 8U);
    frame += static_cast<char>(payload.size() & 0xFFU);
  }
  frame += kMask;
  for (std::size_t i = 0; i < payload.size(); ++i) {
    frame += static_cast<char>(static_cast<unsigned char>(payload[i]) ^
                               static_cast<unsigned char>(kMask[i % 4]));
  }
  return frame;
}

std::uint16_t CloseCodeOf(const std::string& bytes) {
  WebSocketReader reader;
  reader.Append(bytes);
  const auto message = reader.Next();
  EXPECT_TRUE(message && message->kind == Kind::kClose);
  EXPECT_FALSE(reader.Next()) << "nothing follows";
  return message ? message->code : 0;
}

Request Handshake() {
  Request request;
  request.method = "GET";
  request.headers = {{"upgrade", "websocket"},
                     {"connection", "keep-alive, Upgrade"},
                     {"sec-websocket-version", "13"},
                     {"sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ=="}};
  return request;
}

TEST(WebSocket, AnswersTheHandshakeOfTheStandard) {  // RFC 6455, 1.3
  const auto head = WebSocketHead(Handshake(), "writ.v1");
  ASSERT_TRUE(head);
  EXPECT_EQ(head->status, 101);
  std::string accept;
  for (const auto& [name, value] : head->headers) {
    if (name == "Sec-WebSocket-Accept") accept = value;
  }
  EXPECT_EQ(accept, "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
}

TEST(WebSocket, TakesNoOtherRequestForAHandshake) {
  for (std::size_t left_out = 0; left_out < 4; ++left_out) {
    Request request = Handshake();
    request.headers.erase(request.headers.begin() + static_cast<std::ptrdiff_t>(left_out));
    EXPECT_FALSE(WebSocketHead(request, "")) << left_out;
  }
  Request old = Handshake();
  old.headers[2].second = "8";
  EXPECT_FALSE(WebSocketHead(old, ""));
  Request short_key = Handshake();
  short_key.headers[3].second = "dGhl";
  EXPECT_FALSE(WebSocketHead(short_key, ""));
}

TEST(WebSocket, ReadsATextByteByByteAndInPieces) {
  WebSocketReader reader;
  const std::string bytes =
      Frame(1, "Hel", false) + Frame(9, "beat") + Frame(0, "lo \xc3\xa9") + Frame(1, "two");
  std::vector<std::string> seen;
  for (const char byte : bytes) {
    reader.Append(std::string_view(&byte, 1));
    while (const auto message = reader.Next()) {
      seen.push_back((message->kind == Kind::kPing ? "ping " : "") + message->text);
    }
  }
  EXPECT_EQ(seen, (std::vector<std::string>{"ping beat", "Hello \xc3\xa9", "two"}));
}

TEST(WebSocket, ReadsTheStandardsOwnExample) {  // RFC 6455, 5.7
  WebSocketReader reader;
  reader.Append(std::string_view("\x81\x85\x37\xfa\x21\x3d\x7f\x9f\x4d\x51\x58", 11));
  const auto message = reader.Next();
  ASSERT_TRUE(message);
  EXPECT_EQ(message->text, "Hello");
  EXPECT_EQ(TextFrame("Hello"), std::string("\x81\x05Hello"));
  EXPECT_EQ(TextFrame(std::string(256, 'x')).substr(0, 4), std::string("\x81\x7e\x01\x00", 4));
  EXPECT_EQ(TextFrame(std::string(65536, 'x')).substr(0, 10),
            std::string("\x81\x7f\x00\x00\x00\x00\x00\x01\x00\x00", 10));
}

TEST(WebSocket, EndsWithTheCodeOfWhatWasWrong) {
  EXPECT_EQ(CloseCodeOf(std::string("\x81\x02hi")), 1002) << "a client's frame is masked";
  EXPECT_EQ(CloseCodeOf(Frame(1 | 0x40U, "x")), 1002) << "no extension was agreed on";
  EXPECT_EQ(CloseCodeOf(Frame(0, "x")), 1002) << "nothing goes on";
  EXPECT_EQ(CloseCodeOf(Frame(1, "a", false) + Frame(1, "b")), 1002);
  EXPECT_EQ(CloseCodeOf(Frame(9, "x", false)), 1002) << "control frames are whole";
  EXPECT_EQ(CloseCodeOf(Frame(9, std::string(126, 'x'))), 1002);
  EXPECT_EQ(CloseCodeOf(Frame(3, "x")), 1002);
  EXPECT_EQ(CloseCodeOf(Frame(2, "x")), 1003);
  EXPECT_EQ(CloseCodeOf(Frame(1, "\xff")), 1007);
  EXPECT_EQ(CloseCodeOf(Frame(8, "\x03\xe9")), 1001);
  EXPECT_EQ(CloseCodeOf(Frame(8, "")), 1000);
  EXPECT_EQ(CloseCodeOf(Frame(8, "\x03\xed")), 1002) << "1005 is never sent";
  EXPECT_EQ(CloseCodeOf(Frame(8, "x")), 1002);
}

TEST(WebSocket, HoldsNoMoreThanAMessageMayHave) {
  WebSocketReader reader(100);
  reader.Append(Frame(1, std::string(60, 'x'), false));
  EXPECT_FALSE(reader.Next());
  reader.Append(Frame(0, std::string(60, 'x')));
  const auto message = reader.Next();
  ASSERT_TRUE(message);
  EXPECT_EQ(message->code, 1009);
  WebSocketReader other(100);
  other.Append(std::string_view("\x81\xff\x7f\xff\xff\xff\xff\xff\xff\xff", 10));
  EXPECT_EQ(other.Next()->code, 1009) << "its length alone is enough";
}

TEST(WebSocket, KeepsNothingOfWhatComesAfterTheClose) {
  WebSocketReader reader;
  reader.Append(Frame(8, ""));
  EXPECT_EQ(reader.Next()->kind, WebSocketReader::Message::Kind::kClose);
  reader.Append(Frame(1, "more"));
  EXPECT_FALSE(reader.Next());
  EXPECT_EQ(reader.Waiting(), 0U);
}

}  // namespace
}  // namespace writ::bot
