#include "connectors/http/reply_reader.h"

#include <gtest/gtest.h>

#include <string>

namespace writ::connectors {
namespace {

using State = ReplyReader::State;

TEST(ReplyReader, NamesAreInLowerCaseAndValuesWithoutBlanksAround) {
  const router::HttpRequest request;
  ReplyReader reader(request);
  EXPECT_TRUE(reader.TakeHeaderLine("HTTP/1.1 204 No Content\r\n"));
  EXPECT_TRUE(reader.TakeHeaderLine("X-Name: \t Value \r\n"));
  EXPECT_TRUE(reader.TakeHeaderLine("  folded: no\r\n"));
  EXPECT_TRUE(reader.TakeHeaderLine("nothing\r\n"));
  EXPECT_TRUE(reader.TakeHeaderLine("Empty:\r\n"));
  EXPECT_TRUE(reader.TakeHeaderLine("Bad: a\rX-Other: b\r\n"));
  EXPECT_TRUE(reader.TakeHeaderLine("X\rY: b\r\n"));
  EXPECT_FALSE(reader.head_complete());
  EXPECT_TRUE(reader.TakeHeaderLine("\r\n"));
  EXPECT_TRUE(reader.head_complete());
  EXPECT_TRUE(reader.TakeHeaderLine("Trailer: late\r\n"));
  const router::HttpResponse reply = reader.TakeResponse();
  EXPECT_EQ(reply.status, 204);
  EXPECT_EQ(reply.headers,
            (router::HttpHeaders{{"x-name", "Value"}, {"empty", ""}, {"bad", "a X-Other: b"}}));
}

TEST(ReplyReader, HeadersAreToldOnceAndOnlyThoseOfTheFinalReply) {
  router::HttpRequest request;
  int told = 0;
  request.on_headers = [&](int status, const router::HttpHeaders& headers) {
    ++told;
    EXPECT_EQ(status, 500);
    EXPECT_TRUE(headers.empty());
  };
  ReplyReader reader(request);
  for (const char* line : {"HTTP/1.1 103 Early\r\n", "Link: a\r\n", "\r\n", "HTTP/1.1 500\r\n",
                           "\r\n", "Trailer: x\r\n", "\r\n"}) {
    EXPECT_TRUE(reader.TakeHeaderLine(line));
  }
  EXPECT_EQ(told, 1);
}

TEST(ReplyReader, AHundredAndOneIsNoReply) {
  const router::HttpRequest request;
  ReplyReader reader(request);
  EXPECT_TRUE(reader.TakeHeaderLine("HTTP/1.1 101 Switching\r\n"));
  EXPECT_TRUE(reader.TakeHeaderLine("\r\n"));
  EXPECT_FALSE(reader.head_complete());
}

TEST(ReplyReader, TheBodyMayReachItsLimitAndNotPassIt) {
  router::HttpRequest request;
  request.max_response_bytes = 4;
  ReplyReader reader(request);
  EXPECT_TRUE(reader.TakeHeaderLine("HTTP/1.1 200 OK\r\n"));
  EXPECT_TRUE(reader.TakeHeaderLine("\r\n"));
  EXPECT_TRUE(reader.TakeBody("123"));
  EXPECT_TRUE(reader.TakeBody("4"));
  EXPECT_FALSE(reader.TakeBody("5"));
  EXPECT_EQ(reader.state(), State::kTooLarge);
}

TEST(ReplyReader, ARefusalOfAStreamIsReadSoFarAndStaysARefusal) {
  router::HttpRequest request;
  request.max_response_bytes = std::size_t{1} << 40;
  request.on_data = [](std::string_view) { return true; };
  ReplyReader reader(request);
  EXPECT_TRUE(reader.TakeHeaderLine("HTTP/1.1 500 No\r\n"));
  EXPECT_TRUE(reader.TakeHeaderLine("\r\n"));
  EXPECT_TRUE(reader.TakeBody(std::string(ReplyReader::kMaxErrorBytes - 1, 'x')));
  EXPECT_FALSE(reader.TakeBody("yz"));
  EXPECT_EQ(reader.state(), State::kEnough);
  const router::HttpResponse response = reader.TakeResponse();
  EXPECT_EQ(response.status, 500);
  EXPECT_EQ(response.body.size(), ReplyReader::kMaxErrorBytes);
  EXPECT_TRUE(response.body.ends_with("xy"));
}

}  // namespace
}  // namespace writ::connectors
