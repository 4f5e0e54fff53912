#include "bot/http/message.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace writ::bot {
namespace {

using State = MessageReader::State;

constexpr std::size_t kLimit = 1000;

constexpr std::string_view kChunked =
    "POST /x HTTP/1.1\r\nHost: writ\r\nTransfer-Encoding: Chunked\r\n\r\n"
    "4;a=b\r\nwrit\r\nA\r\n0123456789\r\n0\r\nSum: 1\r\n\r\n";

State ReadAll(MessageReader& reader, std::string_view bytes) {
  reader.Append(bytes);
  return reader.Read();
}

State StateOf(std::string_view bytes) {
  MessageReader reader(kLimit);
  return ReadAll(reader, bytes);
}

State StateOfHeaders(std::string_view headers) {
  return StateOf("POST /x HTTP/1.1\r\nHost: writ\r\n" + std::string(headers) + "\r\n");
}

TEST(MessageReader, ReadsTheSameHoweverTheBytesCome) {
  MessageReader reader(kLimit);
  for (std::size_t i = 0; i + 1 < kChunked.size(); ++i) {
    ASSERT_EQ(ReadAll(reader, kChunked.substr(i, 1)), State::kNeedsMore) << i;
  }
  ASSERT_EQ(ReadAll(reader, kChunked.substr(kChunked.size() - 1)), State::kComplete);
  const Message message = reader.Take();
  EXPECT_EQ(message.method, "POST");
  EXPECT_EQ(message.target, "/x");
  EXPECT_EQ(message.body, "writ0123456789");
  EXPECT_TRUE(reader.IsIdle());
}

TEST(MessageReader, KeepsWhatFollowsARequest) {
  MessageReader reader(kLimit);
  const std::string twice = std::string(kChunked) + std::string(kChunked);
  ASSERT_EQ(ReadAll(reader, twice), State::kComplete);
  EXPECT_EQ(reader.Take().body, "writ0123456789");
  EXPECT_FALSE(reader.IsIdle());
  ASSERT_EQ(reader.Read(), State::kComplete);
  EXPECT_EQ(reader.Take().body, "writ0123456789");
  EXPECT_EQ(reader.BufferedBytes(), std::string().capacity() * 2);
}

TEST(MessageReader, JoinsRepeatedHeadersSoThatNoneIsChosen) {
  MessageReader reader(kLimit);
  ASSERT_EQ(ReadAll(reader,
                    "GET / HTTP/1.1\r\nHost: writ\r\nX-Signature: a\r\nx-signature:  b \r\n"
                    "Cookie: c=1\r\nCookie: d=2\r\n\r\n"),
            State::kComplete);
  const Message message = reader.Take();
  const NamedValues expected = {{"host", "writ"}, {"x-signature", "a, b"}, {"cookie", "c=1; d=2"}};
  EXPECT_EQ(message.headers, expected);
}

TEST(MessageReader, RefusesHeadersThatTwoReadersCouldReadDifferently) {
  for (const std::string_view headers : {
           "Content-Length: 1\r\nContent-Length: 1\r\n",
           "Content-Length: 1,1\r\n",
           "Content-Length: -1\r\n",
           "Content-Length: +1\r\n",
           "Content-Length: 0x1\r\n",
           "Content-Length: 1 1\r\n",
           "Content-Length:\r\n",
           "Content-Length: 0\r\nTransfer-Encoding: chunked\r\n",
           "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n",
           "Transfer-Encoding: gzip\r\n",
           "Transfer-Encoding: identity\r\n",
           "Transfer-Encoding: xchunked\r\n",
           "Transfer-Encoding: chunked, chunked\r\n",
           "Content-Length : 1\r\n",
           "Content_Length\r\n",
           ": nameless\r\n",
           "X: a\r\n\tfolded\r\n",
           "X: a\rb\r\n",
           "X: a\nContent-Length: 5\r\n",
           "Host: other\r\n",
       }) {
    EXPECT_EQ(StateOfHeaders(headers), State::kRefused) << headers;
  }
  EXPECT_EQ(StateOfHeaders(std::string_view("X: a\0b\r\n", 8)), State::kRefused);
}

TEST(MessageReader, RefusesWhatIsNoRequestLine) {
  for (const std::string_view line :
       {"GET /x", "GET /x HTTP/2.0", "GET  /x HTTP/1.1", "GET /x HTTP/1.1 ", " GET /x HTTP/1.1",
        "GET x HTTP/1.1", "GET * HTTP/1.1", "G(T /x HTTP/1.1", "GET /\x7f HTTP/1.1",
        "GET /\xc3\xa4 HTTP/1.1", "PRI * HTTP/2.0", "GET ftp://x/ HTTP/1.1"}) {
    EXPECT_EQ(StateOf(std::string(line) + "\r\nHost: writ\r\n\r\n"), State::kRefused) << line;
  }
  EXPECT_EQ(StateOf("GET /x HTTP/1.1\nHost: writ\n\n"), State::kRefused);
  EXPECT_EQ(StateOf("\r\n\r\n\r\nGET /x HTTP/1.1\r\n"), State::kRefused);
  EXPECT_EQ(StateOf("GET /x HTTP/1.1\r\n\r\n"), State::kRefused) << "without Host";
}

TEST(MessageReader, TakesWhatIsOneHoweverUnusual) {
  for (const std::string_view request :
       {"\r\nGET /x HTTP/1.1\r\nHost: writ\r\n\r\n", "GET /x HTTP/1.0\r\n\r\n",
        "OPTIONS * HTTP/1.1\r\nHost: writ\r\n\r\n", "GET http://writ/x HTTP/1.1\r\nHost:\r\n\r\n",
        "M-SEARCH /x HTTP/1.1\r\nhost:writ\r\nX:\r\nY:\t\xc3\xa4 \r\n\r\n"}) {
    EXPECT_EQ(StateOf(request), State::kComplete) << request;
  }
}

TEST(MessageReader, RefusesChunksThatAreNotWhatTheySay) {
  for (const std::string_view chunks :
       {"4\r\nwrits\r\n", "\r\nwrit\r\n", "-4\r\nwrit\r\n", "0x4\r\nwrit\r\n", "4 4\r\nwrit\r\n",
        "4\nwrit\n0\n\n", "100000000\r\n", "4;\x01\r\nwrit\r\n", "g\r\n"}) {
    EXPECT_EQ(StateOfHeaders("Transfer-Encoding: chunked\r\n\r\n" + std::string(chunks)),
              State::kRefused)
        << chunks;
  }
}

TEST(MessageReader, BoundsTheFramingOfManySmallChunks) {
  MessageReader reader(std::size_t{1} << 20);
  std::string request = "POST /x HTTP/1.1\r\nHost: writ\r\nTransfer-Encoding: chunked\r\n\r\n";
  for (int i = 0; i < 100000; ++i) request += "1\r\nx\r\n";
  EXPECT_EQ(ReadAll(reader, request), State::kRefused);
}

TEST(MessageReader, TellsABodyOverTheLimitAtOnceAndKeepsNothingOfIt) {
  MessageReader reader(kLimit);
  ASSERT_EQ(ReadAll(reader, "POST /x HTTP/1.1\r\nHost: writ\r\nContent-Length: 1001\r\n\r\nabc"),
            State::kComplete);
  const Message message = reader.Take();
  EXPECT_TRUE(message.body_too_large);
  EXPECT_FALSE(message.keep_alive);
  EXPECT_EQ(message.body, "");

  EXPECT_EQ(StateOf("POST /x HTTP/1.1\r\nHost: writ\r\nContent-Length: 1000\r\n\r\n" +
                    std::string(1000, 'x')),
            State::kComplete);
}

TEST(MessageReader, KeepsTheConnectionAsTheClientWantsIt) {
  const auto keeps = [](std::string_view line, std::string_view headers) {
    MessageReader reader(kLimit);
    ReadAll(reader, std::string(line) + "\r\nHost: writ\r\n" + std::string(headers) + "\r\n");
    return reader.Take().keep_alive;
  };
  EXPECT_TRUE(keeps("GET / HTTP/1.1", ""));
  EXPECT_FALSE(keeps("GET / HTTP/1.1", "Connection: Close\r\n"));
  EXPECT_FALSE(keeps("GET / HTTP/1.1", "Connection: upgrade, close\r\n"));
  EXPECT_FALSE(keeps("GET / HTTP/1.0", ""));
  EXPECT_TRUE(keeps("GET / HTTP/1.0", "Connection: Keep-Alive\r\n"));
}

TEST(MessageReader, AsksForTheBodyOnceWhereTheClientWaits) {
  MessageReader reader(kLimit);
  ReadAll(reader,
          "POST /x HTTP/1.1\r\nHost: writ\r\nExpect: 100-Continue\r\nContent-Length: 4\r\n\r\n");
  EXPECT_TRUE(reader.TakeContinue());
  EXPECT_FALSE(reader.TakeContinue());
  EXPECT_EQ(ReadAll(reader, "writ"), State::kComplete);
}

}  // namespace
}  // namespace writ::bot
