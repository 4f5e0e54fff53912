#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "bot/process/system_clock.h"
#include "connectors/http/curl_loop.h"
#include "connectors/model/anthropic/anthropic_model.h"
#include "connectors/model/openai/openai_model.h"
#include "tests/connectors/model/stage.h"
#include "tests/support/child_process.h"

namespace writ::tests {
namespace {

using router::ModelFailure;
using router::ModelReply;
using namespace std::chrono_literals;

struct Wire {
  const char* name;
  bool anthropic;
  bool stream;
};

// A model server that our authors did not write, on both wire formats, streamed and whole.
class AimockTest : public testing::TestWithParam<Wire> {
 protected:
  const int port_ = FreePort();
  std::unique_ptr<ChildProcess> server_;
  RecordingLog log_;
  bot::SystemClock clock_;
  connectors::CurlEnvironment curl_;
  std::unique_ptr<router::Model> model_;
  connectors::CurlLoop loop_{curl_};
  std::vector<std::string> told_;  // pieces of the last reply

  void SetUp() override {
    std::vector<std::string> argv = NodeProgram("@copilotkit/aimock/dist/cli.js");
    for (const char* argument : {"-f", "tests/connectors/real_parts/aimock_fixtures.json",
                                 "--strict", "--log-level", "warn", "-p"}) {
      argv.emplace_back(argument);
    }
    argv.push_back(std::to_string(port_));
    server_ = std::make_unique<ChildProcess>(
        argv, testing::TempDir() + "aimock-" + std::to_string(port_) + ".log");
    ASSERT_TRUE(server_->WaitForPort(port_, 60s));
    connectors::ModelOptions options = TestOptions();
    options.base_url =
        "http://127.0.0.1:" + std::to_string(port_) + (GetParam().anthropic ? "" : "/v1");
    options.stream = GetParam().stream;
    model_ = GetParam().anthropic ? connectors::MakeAnthropicModel(loop_, clock_, log_, options)
                                  : connectors::MakeOpenAiModel(loop_, clock_, log_, options);
  }
  router::Model::Outcome Ask(router::ModelRequest request) {
    told_.clear();
    request.on_delta = [this](const router::ReplyDelta& delta) { told_.push_back(delta.text); };
    auto came = std::make_shared<std::promise<router::Model::Outcome>>();
    model_->Ask(std::move(request), {},
                [came](router::Model::Outcome outcome) { came->set_value(std::move(outcome)); });
    return came->get_future().get();
  }
  static router::ModelRequest RequestOf(const std::string& text) {
    router::ModelRequest request = AnyasRequest();
    request.transcript = {People("Anya (user anya-1): " + text)};
    return request;
  }
};

TEST_P(AimockTest, ACallIsMadeAndItsResultIsTold) {
  router::ModelRequest request = RequestOf("please check the crm");
  const auto reply = std::get<ModelReply>(Ask(request));
  EXPECT_EQ(reply.text, "Let me look.");
  ASSERT_EQ(reply.calls.size(), 1U);
  EXPECT_EQ(reply.calls[0].offered_name, "crm__echo");
  EXPECT_EQ(router::ParseJson(reply.calls[0].arguments_text).value->Canonical(),
            R"({"message":"shift 42"})");
  for (const auto& [result, text] :
       {std::pair{"Echo: shift 42", "The CRM says: shift 42."},
        std::pair{R"({"status":"declined"})",
                  "The lookup was not approved, so I did not check."}}) {
    router::ModelRequest next = request;
    next.transcript.emplace_back(
        router::CallsRound{reply, {{reply.calls[0].provider_id, "crm__echo", result, false}}});
    EXPECT_EQ(std::get<ModelReply>(Ask(next)).text, text);
  }
}

TEST_P(AimockTest, TwoCallsOfOneReplyGetTheirResultsInOneRequest) {
  router::ModelRequest request = RequestOf("two calls");
  const auto reply = std::get<ModelReply>(Ask(request));
  ASSERT_EQ(reply.calls.size(), 2U);
  request.transcript.emplace_back(router::CallsRound{
      reply, {{"call_a", "crm__echo", "a", false}, {"call_b", "crm__get-sum", "5", false}}});
  EXPECT_EQ(std::get<ModelReply>(Ask(request)).text, "Both done.");
}

TEST_P(AimockTest, ARateLimitIsWaitedOut) {
  EXPECT_EQ(std::get<ModelReply>(Ask(RequestOf("rate me"))).text, "Back after the limit.");
}

TEST_P(AimockTest, AServerErrorEndsAsUnavailable) {
  router::ModelRequest request = RequestOf("server error");
  request.time_left = 3s;
  EXPECT_EQ(std::get<ModelFailure>(Ask(request)).kind, ModelFailure::Kind::kUnavailable);
}

TEST_P(AimockTest, ACutReplyAndAnEmptyOneAreSaidToBe) {
  EXPECT_EQ(std::get<ModelReply>(Ask(RequestOf("cut off"))).stop, ModelReply::Stop::kCutOff);
  const auto outcome = Ask(RequestOf("say nothing"));
  // Asked once more in words that no fixture knows: an empty reply, or the mock's 503.
  const auto* reply = std::get_if<ModelReply>(&outcome);
  EXPECT_TRUE(reply == nullptr || reply->text.empty());
}

TEST_P(AimockTest, AReplyIsToldInPiecesWhereItIsStreamed) {
  const auto reply = std::get<ModelReply>(Ask(RequestOf("tell me much")));
  EXPECT_TRUE(reply.text.ends_with("That is all.")) << reply.text;
  std::string told;
  for (const std::string& piece : told_) told += piece;
  EXPECT_EQ(told, GetParam().stream ? reply.text : "");
  if (GetParam().stream) {
    EXPECT_GT(told_.size(), 2U);
  }
}

// OpenAI's endpoint sends them as they are; Anthropic's puts them right, or sends them in pieces.
TEST_P(AimockTest, BrokenArgumentsAreNoArguments) {
  const auto reply = std::get<ModelReply>(Ask(RequestOf("bad json")));
  ASSERT_EQ(reply.calls.size(), 1U);
  const std::string& arguments = reply.calls[0].arguments_text;
  EXPECT_TRUE(arguments == "{}" || !router::ParseJson(arguments).value) << arguments;
}

INSTANTIATE_TEST_SUITE_P(Wire, AimockTest,
                         testing::Values(Wire{"OpenAi", false, false},
                                         Wire{"OpenAiStreamed", false, true},
                                         Wire{"Anthropic", true, false},
                                         Wire{"AnthropicStreamed", true, true}),
                         [](const auto& param) { return param.param.name; });

}  // namespace
}  // namespace writ::tests
