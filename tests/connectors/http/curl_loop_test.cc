#include "connectors/http/curl_loop.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "connectors/http/inflate.h"
#include "tests/connectors/http/outcome.h"

namespace writ::tests {
namespace {

using connectors::CurlEnvironment;
using connectors::CurlLoop;

class CurlLoopTest : public testing::Test {
 protected:
  CurlEnvironment environment_;
  CurlLoop loop_{environment_};
};

TEST_F(CurlLoopTest, ARequestGoesOutAsItIsAndItsReplyComesBack) {
  const RawServer server([](const RawRequest&) {
    return Answer("HTTP/1.1 201 Made\r\nX-Kept: Yes \r\nContent-Length: 4\r\n\r\nmade");
  });
  HttpRequest request = Post(server, R"({"a":1})");
  request.url = server.Url("/v1/../things?b=%20c");
  request.headers = {{"Content-Type", "application/json"}, {"X-Empty", ""}, {"X-Tab", "a\tb"}};
  const HttpResponse reply = Reply(Ask(loop_, request));
  EXPECT_EQ(reply.status, 201);
  EXPECT_EQ(reply.body, "made");
  ASSERT_NE(reply.Header("x-kept"), nullptr);
  EXPECT_EQ(*reply.Header("x-kept"), "Yes");

  ASSERT_EQ(server.requests().size(), 1U);
  const RawRequest seen = server.requests().front();
  EXPECT_TRUE(seen.head.starts_with("POST /v1/../things?b=%20c HTTP/1.1\r\n")) << seen.head;
  EXPECT_EQ(seen.body, R"({"a":1})");
  EXPECT_TRUE(seen.Has("\r\nContent-Type: application/json\r\n"));
  EXPECT_TRUE(seen.Has("\r\nX-Empty:\r\n"));
  EXPECT_TRUE(seen.Has("\r\nX-Tab: a\tb\r\n"));
}

TEST_F(CurlLoopTest, NothingIsAddedThatWasNotAskedFor) {
  const RawServer server([](const RawRequest&) { return Answer(Ok("")); });
  HttpRequest request = Post(server, std::string(1 << 20, 'x'));  // large: curl likes to Expect
  EXPECT_EQ(Reply(Ask(loop_, request)).status, 200);
  const RawRequest seen = server.requests().front();
  EXPECT_EQ(seen.body.size(), std::size_t{1} << 20);
  EXPECT_FALSE(seen.Has("Expect"));
  EXPECT_FALSE(seen.Has("Content-Type"));
}

TEST_F(CurlLoopTest, EveryMethodIsSentUnderItsName) {
  const RawServer server([](const RawRequest& request) {
    return Answer(request.Has("HEAD ") ? "HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n" : Ok("x"));
  });
  for (const char* method : {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}) {
    HttpRequest request = Get(server);
    request.method = method;
    EXPECT_EQ(Reply(Ask(loop_, request)).status, 200) << method;
    EXPECT_TRUE(server.requests().back().head.starts_with(std::string(method) + " / "));
  }
  HttpRequest request = Post(server, "body");
  request.method = "DELETE";
  EXPECT_EQ(Reply(Ask(loop_, request)).status, 200);
  EXPECT_EQ(server.requests().back().body, "body");
  EXPECT_TRUE(server.requests().back().head.starts_with("DELETE "));
}

TEST_F(CurlLoopTest, ARedirectIsAReplyAndIsNotFollowed) {
  const RawServer server([](const RawRequest&) {
    return Answer("HTTP/1.1 302 Found\r\nLocation: /elsewhere\r\nContent-Length: 0\r\n\r\n");
  });
  const HttpResponse reply = Reply(Ask(loop_, Get(server)));
  EXPECT_EQ(reply.status, 302);
  EXPECT_EQ(*reply.Header("location"), "/elsewhere");
  EXPECT_EQ(server.requests().size(), 1U);
}

TEST_F(CurlLoopTest, TheEnvironmentsProxyIsNotUsed) {
  ::setenv("http_proxy", "http://127.0.0.1:1", 1);
  const RawServer server([](const RawRequest&) { return Answer(Ok("direct")); });
  EXPECT_EQ(Reply(Ask(loop_, Get(server))).body, "direct");
  ::unsetenv("http_proxy");
}

TEST_F(CurlLoopTest, InterimRepliesAreNoReplies) {
  const RawServer server([](const RawRequest&) {
    return Answer("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early\r\nLink: early\r\n\r\n" +
                  Ok("final", "X-Final: 1\r\n"));
  });
  const HttpResponse reply = Reply(Ask(loop_, Post(server, "body")));
  EXPECT_EQ(reply.status, 200);
  EXPECT_EQ(reply.body, "final");
  EXPECT_EQ(reply.Header("link"), nullptr);
  EXPECT_NE(reply.Header("x-final"), nullptr);
}

TEST_F(CurlLoopTest, APackedBodyComesInflated) {
  const RawServer server([](const RawRequest&) {
    return Answer(Ok(connectors::Gzip("unpacked"), "Content-Encoding: gzip\r\n"));
  });
  EXPECT_EQ(Reply(Ask(loop_, Get(server))).body, "unpacked");
}

TEST_F(CurlLoopTest, AStreamIsHandedOverAsItComes) {
  RawServer server([](const RawRequest&) -> RawServer::Steps {
    return {{RawStep::Kind::kSend,
             "HTTP/1.1 200 OK\r\nX-A: b\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nfirst\r\n"},
            {RawStep::Kind::kHold},
            {RawStep::Kind::kSend, "4\r\nlast\r\n0\r\n\r\n"}};
  });
  std::promise<void> first_came;
  std::string seen;
  HttpRequest request = Get(server);
  request.on_headers = [&](int status, const HttpHeaders& headers) {
    seen += std::to_string(status) + headers.front().first + headers.front().second + ";";
  };
  request.on_data = [&](std::string_view bytes) {
    if (bytes == "first") first_came.set_value();
    seen += std::string(bytes) + ";";
    return true;
  };
  auto outcome = SendTo(loop_, request);
  Await(first_came.get_future());
  server.Release();
  const HttpResponse reply = Reply(Await(std::move(outcome)));
  EXPECT_EQ(reply.status, 200);
  EXPECT_EQ(reply.body, "");
  EXPECT_EQ(seen, "200x-ab;first;last;");
}

TEST_F(CurlLoopTest, AReaderThatHasEnoughEndsTheTransferAsASuccess) {
  const RawServer server([](const RawRequest&) -> RawServer::Steps {
    return {{RawStep::Kind::kSend, "HTTP/1.1 200 OK\r\n\r\nenough"}, {RawStep::Kind::kHold}};
  });
  HttpRequest request = PostOnce(server, "ask");
  request.on_data = [](std::string_view) { return false; };
  EXPECT_EQ(Reply(Ask(loop_, request)).status, 200);
  EXPECT_TRUE(server.WaitForClosed(1));
}

TEST_F(CurlLoopTest, TheBodyOfARefusalIsCollectedAlthoughTheRequestStreams) {
  const RawServer server([](const RawRequest&) {
    return Answer("HTTP/1.1 429 No\r\nRetry-After: 1\r\nContent-Length: 4\r\n\r\nlate");
  });
  HttpRequest request = Get(server);
  request.on_data = [](std::string_view) {
    ADD_FAILURE() << "a refusal was streamed";
    return true;
  };
  const HttpResponse reply = Reply(Ask(loop_, request));
  EXPECT_EQ(reply.status, 429);
  EXPECT_EQ(reply.body, "late");
}

TEST_F(CurlLoopTest, ADoneMaySendTheNextRequest) {
  const RawServer server([](const RawRequest&) { return Answer(Ok("again")); });
  std::promise<std::thread::id> second;
  loop_.Send(Get(server), {}, [&](HttpOutcome) {
    loop_.Send(Get(server), {}, [&](HttpOutcome) { second.set_value(std::this_thread::get_id()); });
  });
  EXPECT_NE(Await(second.get_future()), std::this_thread::get_id());
  EXPECT_EQ(server.requests().size(), 2U);
  EXPECT_EQ(server.connections(), 1U) << "what may happen twice keeps its connection";
}

}  // namespace
}  // namespace writ::tests
