#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <future>
#include <memory>
#include <string>
#include <utility>
#include <variant>

#include "bot/process/system_clock.h"
#include "connectors/http/curl_loop.h"
#include "connectors/tool/mcp/mcp_connector.h"
#include "connectors/tool/mcp/stdio/stdio_transport.h"
#include "tests/support/child_process.h"
#include "tests/support/recording_log.h"

namespace writ::tests {
namespace {

using router::CallReport;
using namespace std::chrono_literals;

// The protocol's own reference server on its standard input and output: it sends notifications
// before the answer to `initialize`.
class EverythingOverStdio : public testing::Test {
 protected:
  EverythingOverStdio() {
    connectors::StdioServer::Options server;
    server.name = "crm";
    server.command.argv = NodeProgram("@modelcontextprotocol/server-everything/dist/index.js");
    for (std::string& part : server.command.argv) part = std::filesystem::absolute(part).string();
    server.command.argv.emplace_back("stdio");
    server.command.environment = {{"WRIT_TEST", "in its environment"}};
    connectors::McpOptions options;
    options.name = server.name;
    options.timeout = 60s;
    connector_ = std::make_unique<connectors::McpConnector>(
        loop_, clock_, log_, options,
        std::make_shared<connectors::StdioTransport>(
            connectors::StdioServer::World{pipes_, loop_, log_}, std::move(server)));
  }
  void TearDown() override { pipes_.Stop(); }

  CallReport Call(const std::string& tool, const std::string& arguments,
                  std::chrono::milliseconds timeout = 60s) {
    auto came = std::make_shared<std::promise<CallReport>>();
    router::CallRequest call;
    call.tool = tool;
    call.arguments = arguments;
    call.idempotency_key = "call_7";
    call.timeout = timeout;
    connector_->Call(call, {}, [came](CallReport report) { came->set_value(std::move(report)); });
    return came->get_future().get();
  }

  RecordingLog log_;
  bot::SystemClock clock_;
  connectors::PipeLoop pipes_;
  std::unique_ptr<connectors::McpConnector> connector_;
  connectors::CurlEnvironment curl_;
  connectors::CurlLoop loop_{curl_};
};

TEST_F(EverythingOverStdio, ListsAndCalls) {
  auto came = std::make_shared<std::promise<router::ToolListOutcome>>();
  connector_->ListTools(
      0ms, {}, [came](router::ToolListOutcome outcome) { came->set_value(std::move(outcome)); });
  const router::ToolListOutcome outcome = came->get_future().get();
  const auto* list = std::get_if<router::ToolList>(&outcome);
  ASSERT_NE(list, nullptr) << std::get<router::ToolListFailure>(outcome).what << log_.text();
  EXPECT_TRUE(std::any_of(list->tools.begin(), list->tools.end(),
                          [](const router::Tool& tool) { return tool.name == "echo"; }));
  EXPECT_EQ(Call("echo", R"({"message":"shift 42"})").text, "Echo: shift 42");
  EXPECT_NE(Call("get-sum", R"({"a":2,"b":3})").text.find('5'), std::string::npos);
  EXPECT_NE(Call("get-env", "{}").text.find("in its environment"), std::string::npos);
  const CallReport slow = Call("trigger-long-running-operation", R"({"duration":1,"steps":2})");
  EXPECT_NE(slow.text.find("completed"), std::string::npos);
}

TEST_F(EverythingOverStdio, ACallThatTellsOfItsProgressMayTakeLonger) {
  EXPECT_EQ(Call("echo", R"({"message":"first"})").text, "Echo: first");
  const CallReport slow =
      Call("trigger-long-running-operation", R"({"duration":5,"steps":10})", 4s);
  EXPECT_NE(slow.text.find("completed"), std::string::npos) << slow.what;
}

TEST_F(EverythingOverStdio, ACallThatTakesTooLongIsInDoubtAndTheNextIsAnswered) {
  EXPECT_EQ(Call("echo", R"({"message":"first"})").text, "Echo: first");
  EXPECT_EQ(Call("trigger-long-running-operation", R"({"duration":30,"steps":2})", 700ms).kind,
            CallReport::Kind::kInDoubt);
  EXPECT_EQ(Call("echo", R"({"message":"again"})").text, "Echo: again");
}

}  // namespace
}  // namespace writ::tests
