#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <future>
#include <memory>
#include <optional>
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
using namespace std::chrono_literals;

// The protocol's own reference server, which our authors did not write: it answers everything as
// events, keeps sessions and forgets them at a restart with a 400.
class EverythingTest : public testing::Test {
 protected:
  const int port_ = FreePort();
  std::unique_ptr<ChildProcess> server_;
  RecordingLog log_;
  bot::SystemClock clock_;
  connectors::CurlEnvironment curl_;
  std::unique_ptr<connectors::McpConnector> connector_;
  connectors::CurlLoop loop_{curl_};

  void SetUp() override {
    StartServer();
    connectors::McpOptions options;
    options.name = "crm";
    options.url = "http://127.0.0.1:" + std::to_string(port_) + "/mcp";
    connector_ = std::make_unique<connectors::McpConnector>(loop_, clock_, log_, options);
  }
  void StartServer() {
    // One of its tools shows the environment: it gets a clean one.
    std::vector<std::string> argv = {"/usr/bin/env", "-i", "PORT=" + std::to_string(port_)};
    const auto program = NodeProgram("@modelcontextprotocol/server-everything/dist/index.js");
    argv.insert(argv.end(), program.begin(), program.end());
    argv.emplace_back("streamableHttp");
    server_.reset();
    server_ = std::make_unique<ChildProcess>(
        argv, testing::TempDir() + "everything-" + std::to_string(port_) + ".log");
    ASSERT_TRUE(server_->WaitForPort(port_, 60s));
  }
  router::ToolListOutcome List() {
    auto came = std::make_shared<std::promise<router::ToolListOutcome>>();
    connector_->ListTools(
        0ms, {}, [came](router::ToolListOutcome outcome) { came->set_value(std::move(outcome)); });
    return came->get_future().get();
  }
  CallReport Call(const std::string& tool, const std::string& arguments,
                  std::chrono::milliseconds timeout = 30s) {
    auto came = std::make_shared<std::promise<CallReport>>();
    connector_->Call({tool, arguments, "call_7", timeout, false}, {},
                     [came](CallReport report) { came->set_value(std::move(report)); });
    return came->get_future().get();
  }
};

TEST_F(EverythingTest, ListsItsToolsButThoseThatRunAsTasksOnly) {
  const auto list = std::get<router::ToolList>(List());
  const auto has = [&](const std::string& name) {
    return std::any_of(list.tools.begin(), list.tools.end(),
                       [&](const router::Tool& tool) { return tool.name == name; });
  };
  EXPECT_TRUE(has("echo"));
  EXPECT_TRUE(has("get-sum"));
  EXPECT_FALSE(has("simulate-research-query"));
}

TEST_F(EverythingTest, CallsAreAnswered) {
  const CallReport echo = Call("echo", R"({"message":"shift 42"})");
  EXPECT_EQ(echo.kind, CallReport::Kind::kAnswered);
  EXPECT_EQ(echo.text, "Echo: shift 42");
  EXPECT_NE(Call("get-sum", R"({"a":2,"b":3})").text.find('5'), std::string::npos);
  EXPECT_NE(Call("get-tiny-image", "{}").text.find("[image/png, "), std::string::npos);
  EXPECT_NE(Call("get-resource-links", R"({"count":2})").text.find("[link "), std::string::npos);
}

TEST_F(EverythingTest, ProgressComesBeforeTheAnswer) {
  const CallReport report = Call("trigger-long-running-operation", R"({"duration":1,"steps":2})");
  EXPECT_EQ(report.kind, CallReport::Kind::kAnswered);
  EXPECT_NE(report.text.find("completed"), std::string::npos);
}

TEST_F(EverythingTest, WrongArgumentsAndAnUnknownToolAreErrorsOfItsOwn) {
  for (const auto& [tool, arguments] : {std::pair{"echo", "{}"}, std::pair{"nothing", "{}"}}) {
    const CallReport report = Call(tool, arguments);
    EXPECT_TRUE(report.is_error) << tool;
    EXPECT_NE(report.text.find("-32602"), std::string::npos) << report.text;
  }
}

TEST_F(EverythingTest, ACallThatTakesTooLongIsInDoubt) {
  EXPECT_EQ(Call("echo", R"({"message":"first"})").text, "Echo: first");
  const CallReport report =
      Call("trigger-long-running-operation", R"({"duration":30,"steps":2})", 3s);
  EXPECT_EQ(report.kind, CallReport::Kind::kInDoubt);
}

TEST_F(EverythingTest, ARestartBetweenListAndCallIsSurvived) {
  ASSERT_TRUE(std::holds_alternative<router::ToolList>(List()));
  StartServer();
  const CallReport report = Call("echo", R"({"message":"again"})");
  EXPECT_EQ(report.kind, CallReport::Kind::kAnswered);
  EXPECT_EQ(report.text, "Echo: again");
}

TEST_F(EverythingTest, WithoutItTheCallIsRefused) {
  server_.reset();
  EXPECT_EQ(Call("echo", R"({"message":"x"})").kind, CallReport::Kind::kRefused);
}

}  // namespace
}  // namespace writ::tests
