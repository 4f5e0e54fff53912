#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "bot/process/system_clock.h"
#include "connectors/backend/backend_check.h"
#include "connectors/backend/webhook_signature.h"
#include "connectors/http/curl_environment.h"
#include "connectors/http/curl_loop.h"
#include "connectors/tool/http_tool/http_tool_connector.h"
#include "router/tool/on_behalf.h"
#include "tests/support/child_process.h"

namespace writ::tests {
namespace {

using router::CheckFailed;
using router::CheckOutcome;
using router::Json;
using namespace std::chrono_literals;

constexpr const char* kForwardSecret = "what the CRM and Writ know alone";
constexpr const char* kAudience = "https://crm.example.org";

// Libraries that our authors did not write: standardwebhooks and jose, under Node.js.
class SignaturesTest : public testing::TestWithParam<const char*> {
 protected:
  const int port_ = FreePort();
  const std::string url_ = "http://127.0.0.1:" + std::to_string(port_);
  std::unique_ptr<ChildProcess> peer_;
  bot::SystemClock clock_;
  connectors::CurlEnvironment curl_;
  connectors::CurlLoop loop_{curl_};

  void SetUp() override {
    const std::string node = NodeProgram("standardwebhooks/package.json").front();
    peer_ = std::make_unique<ChildProcess>(
        std::vector<std::string>{node, "tests/node/signatures.mjs", std::to_string(port_),
                                 GetParam(), kForwardSecret, kAudience},
        testing::TempDir() + "signatures-" + std::to_string(port_) + ".log");
    ASSERT_TRUE(peer_->WaitForPort(port_, 60s));
  }
  CheckOutcome Ask(std::string_view secret, int amount) {
    connectors::BackendCheck check(
        loop_, clock_, {url_ + "/check", connectors::WebhookKeyOf(secret).value(), 30s});
    router::CheckRequest request;
    request.id = "msg_01k";
    request.body = Json::MakeObject({{"approval_id", "apr_1"},
                                     {"args_digest", "abc"},
                                     {"arguments", Json::MakeObject({{"amount", amount}})}});
    request.answer_keys = {"decision"};
    std::promise<CheckOutcome> came;
    check.Ask(std::move(request), {}, [&](CheckOutcome outcome) { came.set_value(outcome); });
    return came.get_future().get();
  }
};

TEST_P(SignaturesTest, StandardWebhooksTakesOurQuestionAndWeItsAnswer) {
  for (const auto& [amount, decision] : {std::pair{7, "allow"}, std::pair{101, "block"}}) {
    const CheckOutcome outcome = Ask(GetParam(), amount);
    const auto* failed = std::get_if<CheckFailed>(&outcome);
    ASSERT_EQ(failed, nullptr) << failed->what;
    EXPECT_EQ(std::get<Json>(outcome).TextAt("decision"), decision);
  }
}

TEST_P(SignaturesTest, StandardWebhooksRefusesAnotherSecret) {
  const CheckOutcome outcome = Ask("another secret", 7);
  ASSERT_TRUE(std::holds_alternative<CheckFailed>(outcome));
  EXPECT_EQ(std::get<CheckFailed>(outcome).what, "HTTP status 401");
}

INSTANTIATE_TEST_SUITE_P(Secrets, SignaturesTest,
                         testing::Values("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
                                         "any text that is no base64!"));

TEST_P(SignaturesTest, JoseVerifiesForWhomACallIsMade) {
  connectors::HttpToolOptions options;
  options.name = "crm";
  options.base_url = url_;
  options.public_only = false;
  connectors::HttpTool tool;
  tool.name = "for";
  tool.method = "POST";
  tool.path = "/for";
  tool.input_schema = Json::MakeObject();
  options.tools = {tool};
  connectors::HttpToolConnector connector(loop_, clock_, options);
  const auto call = [&](const std::string& secret) {
    router::CallRequest request;
    request.tool = "for";
    request.arguments = "{}";
    request.idempotency_key = "call_1";
    request.on_behalf = router::SignOnBehalf({.app = router::AppId("acme"),
                                              .cid = router::Cid("callouts:team-1"),
                                              .call = router::CallId("call_1"),
                                              .writer = router::UserId("anya-1"),
                                              .initiator = router::UserId(),
                                              .approval = router::ApprovalId("apr_1"),
                                              .args_digest = "abc",
                                              .audience = kAudience,
                                              .now = clock_.Now()},
                                             secret);
    std::promise<router::CallReport> came;
    connector.Call(request, {}, [&](router::CallReport report) { came.set_value(report); });
    return came.get_future().get();
  };
  const router::CallReport report = call(kForwardSecret);
  EXPECT_FALSE(report.is_error) << report.text;
  const Json claims = router::ParseJson(report.text).value.value_or(Json());
  EXPECT_EQ(claims.TextAt("writer"), "anya-1");
  EXPECT_EQ(claims.TextAt("approval_id"), "apr_1");
  EXPECT_EQ(claims.TextAt("cid"), "callouts:team-1");
  EXPECT_TRUE(call("another secret").is_error);
}

}  // namespace
}  // namespace writ::tests
