#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <memory>
#include <string>
#include <utility>
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

// A server with the opposite habits of the reference one: plain JSON, revision 2025-03-26 whatever
// is asked for, and a 404 that is no JSON-RPC to a session it does not know.
class AimockMcpTest : public testing::Test {
 protected:
  void SetUp() override {
    Start();
    connectors::McpOptions options;
    options.name = "crm";
    options.url = "http://127.0.0.1:" + std::to_string(port_) + "/mcp";
    connector_ = std::make_unique<connectors::McpConnector>(loop_, clock_, log_, options);
  }
  void Start() {
    std::vector<std::string> argv = NodeProgram("@copilotkit/aimock/dist/aimock-cli.js");
    for (const char* argument :
         {"--config", "tests/connectors/real_parts/aimock_mcp.json", "--port"}) {
      argv.emplace_back(argument);
    }
    argv.push_back(std::to_string(port_));
    server_.reset();
    server_ = std::make_unique<ChildProcess>(
        argv, testing::TempDir() + "aimock-mcp-" + std::to_string(port_) + ".log");
    ASSERT_TRUE(server_->WaitForPort(port_, 60s));
  }
  CallReport Echo() {
    auto came = std::make_shared<std::promise<CallReport>>();
    connector_->Call({"echo", R"({"text":"hi"})", "call_7", 30s, false}, {},
                     [came](CallReport report) { came->set_value(std::move(report)); });
    return came->get_future().get();
  }

  const int port_ = FreePort();
  std::unique_ptr<ChildProcess> server_;
  RecordingLog log_;
  bot::SystemClock clock_;
  connectors::CurlEnvironment curl_;
  std::unique_ptr<connectors::McpConnector> connector_;
  connectors::CurlLoop loop_{curl_};  // ends first: its callbacks use the connector
};

TEST_F(AimockMcpTest, ACallIsAnsweredAndAgainAfterItsServerForgotTheSession) {
  EXPECT_EQ(Echo().text, "shift 42");
  Start();
  const CallReport again = Echo();
  EXPECT_EQ(again.kind, CallReport::Kind::kAnswered);
  EXPECT_EQ(again.text, "shift 42");
}

}  // namespace
}  // namespace writ::tests
