#include "tests/support/model_stub.h"

#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <memory>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <variant>

#include "connectors/http/curl_loop.h"
#include "connectors/model/anthropic/anthropic_model.h"
#include "connectors/model/openai/openai_model.h"
#include "tests/connectors/model/stage.h"

namespace writ::connectors {
namespace {

using router::ModelReply;
using tests::ModelAnswer;
using tests::ModelQuestion;

// Both providers, over the real client, against a server that is as strict as they are.
class RealModelTest : public testing::TestWithParam<bool> {
 protected:
  tests::FakeClock clock_;
  tests::RecordingLog log_;
  std::unique_ptr<tests::ModelStub> stub_;
  std::unique_ptr<router::Model> model_;
  CurlEnvironment curl_;
  CurlLoop loop_{curl_};

  void Serve(tests::ModelStub::Script script) {
    stub_ = std::make_unique<tests::ModelStub>(std::move(script));
    ModelOptions options = tests::TestOptions();
    options.base_url = GetParam() ? stub_->anthropic_url() : stub_->openai_url();
    model_ = GetParam() ? MakeAnthropicModel(loop_, clock_, log_, options)
                        : MakeOpenAiModel(loop_, clock_, log_, options);
  }
  router::Model::Outcome Ask(router::ModelRequest request, std::stop_token stop = {}) {
    auto came = std::make_shared<std::promise<router::Model::Outcome>>();
    model_->Ask(std::move(request), std::move(stop),
                [came](router::Model::Outcome outcome) { came->set_value(std::move(outcome)); });
    return came->get_future().get();
  }
};

TEST_P(RealModelTest, CallsGoOutAndTheirResultsComeBack) {
  Serve([](const ModelQuestion& question) {
    ModelAnswer answer;
    if (question.rounds == 0) {
      answer.text = "Let me look.";
      answer.calls = {{"crm__echo", R"({"message":"shift 42"})", "same"},
                      {"crm__echo", R"({"n":12345678901234567890})", "same"}};
    } else {
      answer.text = "The CRM says: " + question.results.at(0).text;
    }
    return answer;
  });
  router::ModelRequest request = tests::AnyasRequest();
  const auto first = std::get<ModelReply>(Ask(request));
  ASSERT_EQ(first.calls.size(), 2U);
  EXPECT_EQ(first.text, "Let me look.");
  EXPECT_EQ(first.calls[1].arguments_text, R"({"n":12345678901234567890})");
  request.transcript.emplace_back(router::CallsRound{
      first, {{"same", "crm__echo", "shift 42", false}, {"same", "crm__echo", "no", true}}});
  EXPECT_EQ(std::get<ModelReply>(Ask(request)).text, "The CRM says: shift 42");
  EXPECT_TRUE(stub_->refusals().empty());
  EXPECT_EQ(stub_->questions().at(1).results.size(), 2U);
}

TEST_P(RealModelTest, AnOverloadPasses) {
  int asked = 0;
  Serve([&asked](const ModelQuestion&) {
    ModelAnswer answer;
    answer.text = "Back.";
    if (++asked == 1) {
      answer.status = 529;
      answer.error_code = "overloaded_error";
      answer.headers = {{"retry-after-ms", "1"}};
    }
    return answer;
  });
  EXPECT_EQ(std::get<ModelReply>(Ask(tests::AnyasRequest())).text, "Back.");
  EXPECT_EQ(stub_->questions().size(), 2U);
}

TEST_P(RealModelTest, AStopFreesWhoWaits) {
  Serve([](const ModelQuestion&) { return ModelAnswer{}; });
  stub_->Hold();
  std::stop_source stop;
  std::jthread stopper([&] {
    EXPECT_TRUE(stub_->WaitForQuestions(1));
    stop.request_stop();
  });
  const auto outcome = Ask(tests::AnyasRequest(), stop.get_token());
  ASSERT_TRUE(std::holds_alternative<router::ModelFailure>(outcome));
  EXPECT_EQ(std::get<router::ModelFailure>(outcome).kind, router::ModelFailure::Kind::kCancelled);
}

INSTANTIATE_TEST_SUITE_P(Providers, RealModelTest, testing::Bool(),
                         [](const auto& param) { return param.param ? "Anthropic" : "OpenAi"; });

}  // namespace
}  // namespace writ::connectors
