// One approval, one execution: what each fault does to a call, counted at the server. The rows are
// those of docs/mcp.md, "When a call is sent again".
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <string>
#include <utility>

#include "bot/process/system_clock.h"
#include "connectors/http/curl_loop.h"
#include "connectors/tool/mcp/mcp_connector.h"
#include "router/base/json.h"
#include "tests/support/raw_server.h"
#include "tests/support/recording_log.h"

namespace writ::connectors {
namespace {

using router::CallReport;
using tests::RawRequest;
using tests::RawServer;
using tests::RawStep;
using Steps = RawServer::Steps;
using Kind = CallReport::Kind;
using namespace std::chrono_literals;

std::string Reply(const std::string& status, const std::string& type, const std::string& body,
                  const std::string& headers = "") {
  return "HTTP/1.1 " + status + "\r\nContent-Type: " + type + "\r\n" + headers +
         "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

Steps Send(std::string bytes) { return {{RawStep::Kind::kSend, std::move(bytes)}}; }

std::string IdOf(const RawRequest& request) {
  return router::ParseJson(request.body).value->Find("id")->Dump();
}

std::string Result(const RawRequest& request, const std::string& result) {
  return R"({"jsonrpc":"2.0","id":)" + IdOf(request) + R"(,"result":)" + result + "}";
}

std::string Echoed(const RawRequest& request) {
  return Reply("200 OK", "application/json",
               Result(request, R"({"content":[{"type":"text","text":"Echo: hi"}]})"));
}

std::string MethodOf(const RawRequest& request) {
  const auto parsed = router::ParseJson(request.body);
  return parsed.value ? parsed.value->TextAt("method") : "";
}

// A server that is a good one but for what it does to `tools/call`, and to a GET.
class Peer {
 public:
  explicit Peer(RawServer::Script on_call)
      : on_call_(std::move(on_call)),
        server_([this](const RawRequest& request) { return Answer(request); }) {}

  [[nodiscard]] std::string Url() const { return server_.Url("/mcp"); }
  [[nodiscard]] std::size_t Calls() const { return Count("tools/call"); }
  [[nodiscard]] std::size_t Count(const std::string& method) const {
    const auto requests = server_.requests();
    return static_cast<std::size_t>(std::ranges::count_if(
        requests, [&](const RawRequest& one) { return MethodOf(one) == method; }));
  }
  void Release() { server_.Release(); }

 private:
  Steps Answer(const RawRequest& request) {
    const std::string method = MethodOf(request);
    if (method == "tools/call" || request.Has("GET ")) return on_call_(request);
    if (method == "initialize") {
      return Send(
          Reply("200 OK", "application/json",
                Result(request, R"({"protocolVersion":"2025-11-25","capabilities":{"tools":{}}})"),
                "Mcp-Session-Id: s-" + std::to_string(++sessions_) + "\r\n"));
    }
    if (method == "tools/list") {
      return Send(Reply("200 OK", "application/json",
                        Result(request, R"({"tools":[{"name":"echo","inputSchema":{}}]})")));
    }
    if (method == "ping") return Send(Reply("200 OK", "application/json", Result(request, "{}")));
    return Send(Reply("202 Accepted", "text/plain", ""));
  }

  const RawServer::Script on_call_;
  std::atomic<int> sessions_{0};
  RawServer server_;
};

class McpRepeat : public testing::TestWithParam<McpEra> {
 protected:
  CallReport CallAt(const std::string& url, std::chrono::milliseconds timeout = 20s,
                    std::stop_token stop = {}) {
    McpOptions options;
    options.name = "crm";
    options.url = url;
    options.era = GetParam();
    connector_ = std::make_unique<McpConnector>(loop_, clock_, log_, options);
    auto came = std::make_shared<std::promise<CallReport>>();
    connector_->Call({"echo", "{}", "call_7", timeout, false}, std::move(stop),
                     [came](CallReport report) { came->set_value(std::move(report)); });
    return came->get_future().get();
  }
  void ExpectOnce(RawServer::Script on_call, Kind kind, std::chrono::milliseconds timeout = 20s) {
    Peer peer(std::move(on_call));
    EXPECT_EQ(CallAt(peer.Url(), timeout).kind, kind);
    EXPECT_EQ(peer.Calls(), 1U);
    peer.Release();
  }

  tests::RecordingLog log_;
  bot::SystemClock clock_;
  CurlEnvironment curl_;
  std::unique_ptr<McpConnector> connector_;
  CurlLoop loop_{curl_};  // ends first: its callbacks use the connector
};

TEST_P(McpRepeat, WhatNeverLeftIsRefused) {
  EXPECT_EQ(CallAt("http://127.0.0.1:1/mcp").kind, Kind::kRefused);  // connection refused
  Peer peer([](const RawRequest& request) { return Send(Echoed(request)); });
  std::string tls = peer.Url();
  tls.replace(0, 4, "https");
  EXPECT_EQ(CallAt(tls).kind, Kind::kRefused);  // no TLS there
  EXPECT_EQ(peer.Calls(), 0U);
}

TEST_P(McpRepeat, AnAnsweredCallRunsOnce) {
  ExpectOnce([](const RawRequest& request) { return Send(Echoed(request)); }, Kind::kAnswered);
}

TEST_P(McpRepeat, AStatusThatSaysThatItWasNotLookedAtIsRefusedAndNotTriedAgain) {
  for (const char* status : {"400 Bad Request", "401 Unauthorized", "403 Forbidden",
                             "405 Method Not Allowed", "406 Not Acceptable", "415 Unsupported"}) {
    ExpectOnce([&](const RawRequest&) { return Send(Reply(status, "text/html", "<p>no</p>")); },
               Kind::kRefused);
  }
}

TEST_P(McpRepeat, AJsonRpcErrorThatSaysSoIsRefusedAndNotTriedAgain) {
  for (const char* code : {"-32600", "-32601", "-32602"}) {
    ExpectOnce(
        [&](const RawRequest& request) {
          return Send(Reply("200 OK", "application/json",
                            R"({"jsonrpc":"2.0","id":)" + IdOf(request) + R"(,"error":{"code":)" +
                                code + R"(,"message":"x"}})"));
        },
        Kind::kRefused);
  }
}

TEST_P(McpRepeat, AServerThatIsBusyIsInDoubtAndNotTriedAgain) {
  for (const char* status : {"429 Too Many Requests", "503 Service Unavailable"}) {
    ExpectOnce(
        [&](const RawRequest&) {
          return Send(Reply(status, "text/plain", "", "Retry-After: 0\r\n"));
        },
        Kind::kInDoubt);
  }
}

TEST_P(McpRepeat, AStatusAfterWhichItMayHaveRunIsInDoubt) {
  for (const char* status : {"500 Internal Server Error", "502 Bad Gateway", "504 Timeout"}) {
    ExpectOnce([&](const RawRequest&) { return Send(Reply(status, "text/plain", "")); },
               Kind::kInDoubt);
  }
}

TEST_P(McpRepeat, AConnectionThatBreaksAfterSendingIsInDoubt) {
  for (const RawStep::Kind end : {RawStep::Kind::kClose, RawStep::Kind::kReset}) {
    ExpectOnce([&](const RawRequest&) { return Steps{{end}}; }, Kind::kInDoubt);
    ExpectOnce(
        [&](const RawRequest&) {
          return Steps{{RawStep::Kind::kSend, "HTTP/1.1 200 OK\r\nContent-Length: 90\r\n\r\n{"},
                       {end}};
        },
        Kind::kInDoubt);
  }
}

TEST_P(McpRepeat, ATimeOutIsInDoubt) {
  ExpectOnce([](const RawRequest&) { return Steps{{RawStep::Kind::kHold}}; }, Kind::kInDoubt, 3s);
}

TEST_P(McpRepeat, GarbageIsInDoubt) {
  for (const char* body : {"", "<p>hello</p>", "{}", R"({"jsonrpc":"2.0","id":99,"result":{}})",
                           R"({"jsonrpc":"2.0","id":"2","result":{}})"}) {
    ExpectOnce([&](const RawRequest&) { return Send(Reply("200 OK", "application/json", body)); },
               Kind::kInDoubt);
  }
}

TEST_P(McpRepeat, AStreamThatEndsEarlyIsInDoubt) {
  ExpectOnce(
      [](const RawRequest&) { return Send(Reply("200 OK", "text/event-stream", ": working\n\n")); },
      Kind::kInDoubt);
}

TEST_P(McpRepeat, AStopIsInDoubtOnceTheCallHasLeft) {
  std::stop_source stop;
  Peer peer([&](const RawRequest&) {
    stop.request_stop();
    return Steps{{RawStep::Kind::kHold}};
  });
  EXPECT_EQ(CallAt(peer.Url(), 20s, stop.get_token()).kind, Kind::kInDoubt);
  EXPECT_EQ(peer.Calls(), 1U);
  peer.Release();
}

INSTANTIATE_TEST_SUITE_P(Eras, McpRepeat, testing::Values(McpEra::k20251125, McpEra::k20260728),
                         [](const auto& era) {
                           return era.param == McpEra::k20251125 ? "Handshake" : "Stateless";
                         });

using McpRepeatInASession = McpRepeat;

TEST_P(McpRepeatInASession, ANameThatIsNotKnownIsRefused) {
  EXPECT_EQ(CallAt("http://no-such-host.invalid/mcp").kind, Kind::kRefused);
}

TEST_P(McpRepeatInASession, A404ToItsIdSendsTheCallOnceMoreInANewSession) {
  std::atomic<int> runs{0};
  Peer peer([&](const RawRequest& request) {
    if (request.Has("s-1")) return Send(Reply("404 Not Found", "application/json", "{}"));
    ++runs;
    return Send(Echoed(request));
  });
  EXPECT_EQ(CallAt(peer.Url()).kind, Kind::kAnswered);
  EXPECT_EQ(peer.Calls(), 2U);
  EXPECT_EQ(runs, 1);
  EXPECT_EQ(peer.Count("initialize"), 2U);
}

TEST_P(McpRepeatInASession, A404InTheNewOneTooIsTheEnd) {
  Peer peer([](const RawRequest&) { return Send(Reply("404 Not Found", "text/plain", "")); });
  EXPECT_EQ(CallAt(peer.Url()).kind, Kind::kRefused);
  EXPECT_EQ(peer.Calls(), 2U);
}

TEST_P(McpRepeatInASession, AStreamWithEventIdsIsResumedAndTheCallIsNotSentAgain) {
  std::atomic<int> runs{0};
  std::string id;
  Peer peer([&](const RawRequest& request) {
    if (request.Has("GET ")) {
      EXPECT_TRUE(request.Has("e-7"));
      return Send(Reply("200 OK", "text/event-stream",
                        R"(data: {"jsonrpc":"2.0","id":)" + id +
                            R"(,"result":{"content":[{"type":"text","text":"late"}]}})"
                            "\n\n"));
    }
    ++runs;
    id = IdOf(request);
    return Send(Reply("200 OK", "text/event-stream", "id: e-7\nretry: 20\ndata: \n\n"));
  });
  const CallReport report = CallAt(peer.Url());
  EXPECT_EQ(report.kind, Kind::kAnswered);
  EXPECT_EQ(report.text, "late");
  EXPECT_EQ(runs, 1);
  EXPECT_EQ(peer.Calls(), 1U);
}

TEST_P(McpRepeatInASession, WhatIsGivenUpIsCancelledAtTheServer) {
  Peer peer([](const RawRequest&) { return Steps{{RawStep::Kind::kHold}}; });
  EXPECT_EQ(CallAt(peer.Url(), 3s).kind, Kind::kInDoubt);
  const auto deadline = std::chrono::steady_clock::now() + 30s;
  while (peer.Count("notifications/cancelled") == 0 &&
         std::chrono::steady_clock::now() < deadline) {
    std::this_thread::yield();
  }
  EXPECT_EQ(peer.Count("notifications/cancelled"), 1U);
  peer.Release();
}

INSTANTIATE_TEST_SUITE_P(Handshake, McpRepeatInASession, testing::Values(McpEra::k20251125));

}  // namespace
}  // namespace writ::connectors
