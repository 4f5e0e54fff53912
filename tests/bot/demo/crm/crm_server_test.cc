#include "bot/demo/crm/crm_server.h"

#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <memory>
#include <string>
#include <utility>
#include <variant>

#include "connectors/http/curl_environment.h"
#include "connectors/http/curl_loop.h"
#include "connectors/tool/mcp/mcp_connector.h"
#include "tests/support/fake_clock.h"
#include "tests/support/recording_log.h"

namespace writ::bot {
namespace {

using router::Json;

constexpr std::chrono::seconds kLongEnough{30};

// The demo's CRM, and the connector that calls it in the demo.
class CrmServerTest : public testing::Test {
 protected:
  CrmServerTest() {
    connectors::McpOptions options;
    options.name = "crm";
    options.url = crm_.url();
    connector_ = std::make_unique<connectors::McpConnector>(http_, clock_, log_, options);
  }

  router::CallReport Call(const std::string& tool, const std::string& arguments) {
    router::CallRequest request;
    request.tool = tool;
    request.arguments = arguments;
    request.idempotency_key = "call_1";
    std::promise<router::CallReport> promise;
    auto report = promise.get_future();
    connector_->Call(request, {}, [&](router::CallReport got) { promise.set_value(got); });
    return report.get();
  }

  static router::HttpRequest Of(const char* method, router::HttpHeaders headers, const char* body) {
    router::HttpRequest request;
    request.method = method;
    request.headers = std::move(headers);
    request.body = body;
    return request;
  }

  int StatusOf(router::HttpRequest request) {
    request.url = crm_.url();
    std::promise<int> promise;
    auto status = promise.get_future();
    http_.Send(std::move(request), {}, [&](const router::HttpOutcome& outcome) {
      const auto* response = std::get_if<router::HttpResponse>(&outcome);
      promise.set_value(response == nullptr ? 0 : response->status);
    });
    return status.get();
  }

  tests::FakeClock clock_;
  tests::RecordingLog log_;
  CrmServer crm_{clock_, log_};
  std::unique_ptr<connectors::McpConnector> connector_;
  const connectors::CurlEnvironment curl_;
  connectors::CurlLoop http_{curl_};  // ends first: its callbacks use the connector
};

TEST_F(CrmServerTest, ListsItsTools) {
  std::promise<router::ToolListOutcome> promise;
  auto listed = promise.get_future();
  connector_->ListTools(std::chrono::milliseconds(0), {},
                        [&](router::ToolListOutcome got) { promise.set_value(std::move(got)); });
  ASSERT_EQ(listed.wait_for(kLongEnough), std::future_status::ready);
  const router::ToolListOutcome outcome = listed.get();
  ASSERT_TRUE(std::holds_alternative<router::ToolList>(outcome));
  std::string names;
  for (const router::Tool& tool : std::get<router::ToolList>(outcome).tools) {
    names += tool.name + ' ';
    EXPECT_TRUE(CrmDesk::HasTool(tool.name));
  }
  EXPECT_EQ(names, "lookup refund echo ");
}

TEST_F(CrmServerTest, RunsACallUnderItsKeyAndWritesItDown) {
  const router::CallReport report = Call("refund", R"({"order_id":"42","amount":450})");
  EXPECT_EQ(report.kind, router::CallReport::Kind::kAnswered);
  EXPECT_EQ(report.text, "Refunded 450 € of order 42.");
  EXPECT_FALSE(report.is_error);
  const auto log = crm_.desk().Log();
  ASSERT_EQ(log.size(), 1U);
  EXPECT_EQ(log[0].key, "call_1");
  EXPECT_EQ(log[0].arguments.Dump(), R"({"order_id":"42","amount":450})");
}

TEST_F(CrmServerTest, SaysNoItself) {
  const router::CallReport report = Call("lookup", R"({"order_id":"7"})");
  EXPECT_EQ(report.kind, router::CallReport::Kind::kAnswered);
  EXPECT_TRUE(report.is_error);
}

TEST_F(CrmServerTest, AToolThatItDoesNotHaveIsRefused) {
  EXPECT_EQ(Call("drop_table", "{}").kind, router::CallReport::Kind::kRefused);
  EXPECT_TRUE(crm_.desk().Log().empty());
}

TEST_F(CrmServerTest, RefusesWhatIsNoMessageOfAClient) {
  const router::HttpHeaders json{{"content-type", "application/json"}};
  EXPECT_EQ(StatusOf(Of("GET", {}, "")), 405);
  EXPECT_EQ(StatusOf(Of("POST", json, "{")), 400);
  EXPECT_EQ(StatusOf(Of("POST", json, R"({"id":1})")), 400);
  EXPECT_EQ(StatusOf(Of("POST", {}, "{}")), 415);
  router::HttpRequest from_a_page = Of("POST", json, "{}");
  from_a_page.headers.emplace_back("origin", "https://evil.example");
  EXPECT_EQ(StatusOf(from_a_page), 403);
  EXPECT_TRUE(crm_.desk().Log().empty());
}

}  // namespace
}  // namespace writ::bot
