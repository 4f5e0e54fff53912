#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <future>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "bot/process/system_clock.h"
#include "connectors/http/curl_loop.h"
#include "connectors/tool/mcp/mcp_connector.h"
#include "tests/support/child_process.h"
#include "tests/support/recording_log.h"

namespace writ::tests {
namespace {

using router::CallReport;
using router::Json;
using namespace std::chrono_literals;

// A server of the stateless era on the protocol's own SDK (tests/node/stateless_server.mjs), which
// checks the form of every request.
class StatelessServerTest : public testing::Test {
 protected:
  void Start(connectors::McpEra era, bool stateless_alone = true) {
    std::vector<std::string> argv = {"/usr/bin/env", "PORT=" + std::to_string(port_)};
    const auto script = NodeScript("stateless_server.mjs");
    argv.insert(argv.end(), script.begin(), script.end());
    if (stateless_alone) argv.emplace_back("reject");
    server_ = std::make_unique<ChildProcess>(
        argv, testing::TempDir() + "stateless-" + std::to_string(port_) + ".log");
    ASSERT_TRUE(server_->WaitForPort(port_, 60s));
    connectors::McpOptions options;
    options.name = "crm";
    options.url = "http://127.0.0.1:" + std::to_string(port_) + "/mcp";
    options.era = era;
    connector_ = std::make_unique<connectors::McpConnector>(loop_, clock_, log_, options);
  }
  router::ToolListOutcome List() {
    auto came = std::make_shared<std::promise<router::ToolListOutcome>>();
    connector_->ListTools(
        0ms, {}, [came](router::ToolListOutcome outcome) { came->set_value(std::move(outcome)); });
    return came->get_future().get();
  }
  std::future<CallReport> Begin(const router::CallRequest& request) {
    auto came = std::make_shared<std::promise<CallReport>>();
    connector_->Call(request, {},
                     [came](CallReport report) { came->set_value(std::move(report)); });
    return came->get_future();
  }
  CallReport Call(const router::CallRequest& request) { return Begin(request).get(); }
  CallReport Call(const std::string& tool, const std::string& arguments,
                  std::chrono::milliseconds timeout = 30s) {
    return Call({tool, arguments, "call_7", timeout, false});
  }
  std::string Runs() { return Call("runs", "{}").text; }

  const int port_ = FreePort();
  std::unique_ptr<ChildProcess> server_;
  RecordingLog log_;
  bot::SystemClock clock_;
  connectors::CurlEnvironment curl_;
  std::unique_ptr<connectors::McpConnector> connector_;
  connectors::CurlLoop loop_{curl_};  // ends first: its callbacks use the connector
};

TEST_F(StatelessServerTest, IsFoundOutListedAndCalled) {
  Start(connectors::McpEra::kAuto);
  const auto outcome = List();
  const auto* list = std::get_if<router::ToolList>(&outcome);
  ASSERT_NE(list, nullptr);
  EXPECT_TRUE(std::ranges::any_of(list->tools,
                                  [](const router::Tool& tool) { return tool.name == "echo"; }));
  const CallReport echo = Call("echo", R"({"message":"shift 42"})");
  EXPECT_EQ(echo.kind, CallReport::Kind::kAnswered);
  EXPECT_EQ(echo.text, "Echo: shift 42");
}

TEST_F(StatelessServerTest, IsSpokenToWithoutAskingWhereTheConfigurationSaysSo) {
  Start(connectors::McpEra::k20260728);
  EXPECT_EQ(Call("echo", R"({"message":"shift 42"})").text, "Echo: shift 42");
}

TEST_F(StatelessServerTest, IsAClearFailureForTheOtherEra) {
  Start(connectors::McpEra::k20251125);
  const auto outcome = List();
  const auto* failure = std::get_if<router::ToolListFailure>(&outcome);
  ASSERT_NE(failure, nullptr);
  EXPECT_NE(failure->what.find("2026-07-28"), std::string::npos) << failure->what;
}

TEST_F(StatelessServerTest, AServerOfBothErasIsSpokenToInTheNewOne) {
  Start(connectors::McpEra::kAuto, false);
  EXPECT_EQ(Call("route", R"({"region":"us-west1"})").text, "us-west1 by us-west1");
}

TEST_F(StatelessServerTest, HasItsAnnotatedArgumentsInHeadersAndRunsOnce) {
  Start(connectors::McpEra::kAuto);
  // Without a list the header is missing at first: refused, looked up, sent again.
  EXPECT_EQ(Call("route", R"({"region":"süd"})").text, "süd by =?base64?c8O8ZA==?=");
  EXPECT_EQ(Runs(), R"({"route":1,"runs":1})");
}

TEST_F(StatelessServerTest, AToolThatTellsOfItsProgressMayTakeLonger) {
  Start(connectors::McpEra::kAuto);
  ASSERT_TRUE(std::holds_alternative<router::ToolList>(List()));
  // Steps of 0.4 s each; no call may take more than four times its time.
  auto slow = Begin({"slow", R"({"steps":12})", "call_7", 4s, false});
  auto endless = Begin({"slow", R"({"steps":60})", "call_8", 2500ms, false});
  EXPECT_EQ(slow.get().text, "slow but sure");
  EXPECT_EQ(endless.get().kind, CallReport::Kind::kInDoubt);
}

TEST_F(StatelessServerTest, AQuestionIsAnsweredByTheSameCallWithItsState) {
  Start(connectors::McpEra::kAuto);
  router::CallRequest request{"greet", "{}", "call_7", 30s, false};
  request.may_ask = true;
  const CallReport asks = Call(request);
  ASSERT_EQ(asks.kind, CallReport::Kind::kNeedsInput);
  ASSERT_EQ(asks.input->questions.size(), 1U);
  EXPECT_EQ(asks.input->questions[0].message, "What is your name?");
  Json answer =
      Json::MakeObject({{"action", "accept"}, {"content", Json::MakeObject({{"name", "Anya"}})}});
  request.input =
      router::InputGiven{Json::MakeObject({{asks.input->questions[0].key, std::move(answer)}}),
                         asks.input->request_state};
  EXPECT_EQ(Call(request).text, "Hello, Anya");
}

TEST_F(StatelessServerTest, WithoutAnybodyToAskTheServerIsToldSoAndRefuses) {
  Start(connectors::McpEra::kAuto);
  const CallReport report = Call("greet", "{}");
  EXPECT_EQ(report.kind, CallReport::Kind::kRefused);
  EXPECT_NE(report.text.find("-32021"), std::string::npos) << report.text;
}

}  // namespace
}  // namespace writ::tests
