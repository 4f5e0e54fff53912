// The Stream adapter and the embedded chat speak to each other through Prism, a validator of other
// people's, which holds both to the description of the API in tests/data/specs: each request of the
// one and each answer of the other.

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "tests/bot/demo/chat/stream_round_trip.h"
#include "tests/support/child_process.h"
#include "tests/support/temporary_folder.h"

namespace writ::tests {
namespace {

using bot::ChatEndpoint;
using bot::ChatFault;
using router::Json;
using Answer = router::Membership::Answer;
using Kind = router::ChatFailure::Kind;

constexpr std::chrono::seconds kStartUp{90};  // a cold Node.js on a busy machine

std::string ReadText(const std::filesystem::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// The description with one path more, `/hook`: a webhook is a request too, though of the service.
std::string DescriptionWithHook() {
  auto parsed = router::ParseJson(ReadText("tests/data/specs/stream-chat.handwritten.json"));
  const Json hook = *router::ParseJson(R"({"post":{"security":[],"requestBody":{"required":true,
      "content":{"application/json":{"schema":{"$ref":"#/components/schemas/MessageNewEvent"}}}},
      "responses":{"404":{"description":"the chat has no such call"}}}})")
                         .value;
  parsed.value.value().Find("paths")->Set("/hook", hook);
  return parsed.value->Dump();
}

class StreamConformance : public ::testing::Test, protected StreamRoundTrip {
 protected:
  void SetUp() override {
    ASSERT_TRUE(prism_.WaitForPort(port_, kStartUp)) << Log();
    ASSERT_EQ(EnsureUser(adapter_, agent), std::nullopt) << Log();
  }

  [[nodiscard]] std::string Log() const { return ReadText(folder_.File("log")); }
  [[nodiscard]] std::string PrismUrl() const { return "http://127.0.0.1:" + std::to_string(port_); }

  [[nodiscard]] std::vector<std::string> PrismArguments() const {
    const std::string description = folder_.File("description.json");
    std::ofstream(description) << DescriptionWithHook();
    std::vector<std::string> argv = NodeProgram("@stoplight/prism-cli/dist/index.js");
    for (const std::string& argument :
         {std::string("proxy"), description, chat.url(), std::string("--errors"),
          std::string("--port"), std::to_string(port_)}) {
      argv.push_back(argument);
    }
    return argv;
  }

  const int port_ = FreePort();
  const TemporaryFolder folder_;
  ChildProcess prism_{PrismArguments(), folder_.File("log")};
  const connectors::StreamAccess access_ = AccessAt(PrismUrl());
  connectors::StreamChat adapter_{{router::AppId("acme"), access_, {agent}}, http, clock};
  connectors::StreamMembers members_{access_, http, clock};
};

TEST_F(StreamConformance, EveryCallAndItsAnswerFitTheDescription) {
  // The validator validates: what breaks the description does not pass.
  const connectors::StreamApi api(access_);
  const auto broken = Await<router::HttpOutcome>([&](auto done) {
    http.Send(api.Write("POST", {"channels", "callouts", "team-1", "message"}, Json::MakeObject()),
              {}, done);
  });
  ASSERT_TRUE(std::holds_alternative<router::HttpResponse>(broken));
  ASSERT_EQ(std::get<router::HttpResponse>(broken).status, 422) << Log();

  const std::string question = chat.Send("anya-1", cid.text(), "Who works on Monday?");
  router::Post post = Reply("writ-cmd_1", "Looking…");
  post.thread = router::MessageId(question);
  post.mentioned = {router::UserId("anya-1")};
  post.attachments = {Json::MakeObject({{"type", "ai_tool_call"},
                                        {"id", "call_1"},
                                        {"name", "crm__echo"},
                                        {"status", "awaiting_approval"},
                                        {"target_user_id", "anya-1"},
                                        {"args_mark", nullptr},
                                        {"revision", 1}})};
  EXPECT_EQ(Send(adapter_, post), std::nullopt) << Log();
  EXPECT_EQ(Send(adapter_, post)->kind, Kind::kAlreadyThere) << Log();
  post.text = "Ben works on Monday.";
  EXPECT_EQ(Edit(adapter_, post), std::nullopt) << Log();
  post.id = router::MessageId("writ-cmd_9");
  EXPECT_EQ(Edit(adapter_, post)->kind, Kind::kMissing) << Log();

  EXPECT_EQ(Ask(members_, "anya-1"), Answer::kMember) << Log();
  EXPECT_EQ(Ask(members_, "cleo"), Answer::kNotMember) << Log();

  EXPECT_EQ(History(adapter_), "anya-1: Who works on Monday?\n") << Log();
  EXPECT_EQ(History(adapter_, router::MessageId(question)),
            "anya-1: Who works on Monday?\nagent: Ben works on Monday.\n")
      << Log();
  using Read = std::variant<std::vector<router::ChannelEvent>, router::ChatFailure>;
  const Read missed = Await<Read>([&](auto done) {
    adapter_.Missed(cid, clock.Now() - std::chrono::hours(1), {}, std::move(done));
  });
  EXPECT_TRUE(std::holds_alternative<std::vector<router::ChannelEvent>>(missed)) << Log();

  for (const auto indicator :
       {router::Indicator::kThinking, router::Indicator::kGenerating, router::Indicator::kClear}) {
    adapter_.Indicate(cid, agent, router::MessageId("writ-cmd_1"), indicator);
  }
  EXPECT_TRUE(chat.WaitFor([&] { return chat.world().Events(cid.text()).size() == 3; }, kPatience))
      << Log();

  chat.faults().Order(ChatEndpoint::kSendMessage, {ChatFault::Kind::kStatus, 429, "2"});
  post.id = router::MessageId("writ-cmd_2");
  const auto limited = Send(adapter_, post);
  ASSERT_TRUE(limited.has_value());
  EXPECT_EQ(limited->retry_after, std::chrono::milliseconds(2000)) << Log();
}

// The chat has no such call, so its 404 is what a delivery gets that passed the validator.
TEST_F(StreamConformance, AWebhookFitsTheDescription) {
  const auto status_of = [&](const std::string& message_id) {
    const auto attempts = chat.webhooks().Attempts();
    const auto found = std::ranges::find(attempts, message_id, &bot::WebhookAttempt::message_id);
    return found == attempts.end() ? -1 : found->status;
  };
  chat.webhooks().SetUrls({PrismUrl() + "/hook"});
  const std::string question = chat.Send("anya-1", cid.text(), "Who works on Monday?");
  const std::string reply =
      chat.Send("ben-2", cid.text(), "Me", question, Json::MakeObject({{"ticket_ref", "T-1"}}));
  chat.webhooks().Deliver(Json::MakeObject({{"type", "message.new"}, {"message_id", "none"}}),
                          PrismUrl() + "/hook");
  ASSERT_TRUE(chat.WaitFor([&] { return chat.webhooks().Attempts().size() == 3; }, kPatience));
  EXPECT_EQ(status_of(question), 404) << Log();
  EXPECT_EQ(status_of(reply), 404) << Log();
  EXPECT_EQ(status_of("none"), 422) << Log();
}

TEST_F(StreamConformance, AnAnswerThatBreaksTheDescriptionDoesNotPass) {
  chat.faults().Order(ChatEndpoint::kQueryMembers,
                      {ChatFault::Kind::kStatus, 400, std::nullopt, false});
  const connectors::StreamApi api(access_);
  const auto broken = Await<router::HttpOutcome>([&](auto done) {
    http.Send(api.Get({"members"}, {{"payload", R"({"type":"callouts"})"}}), {}, done);
  });
  ASSERT_TRUE(std::holds_alternative<router::HttpResponse>(broken));
  EXPECT_EQ(std::get<router::HttpResponse>(broken).status, 500) << Log();
}

}  // namespace
}  // namespace writ::tests
