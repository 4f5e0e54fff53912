// The chat platform refuses, limits or is slow: rows L12 and L14, field faults 21, 35 to 37.
#include <chrono>
#include <string>
#include <vector>

#include "tests/system/story.h"

namespace writ::tests {

using bot::ChatEndpoint;
using bot::ChatFault;

namespace {

// What the program answered the deliveries that told of the message.
std::vector<int> AnswersTo(World& world, const std::string& message) {
  std::vector<int> answers;
  for (const bot::WebhookAttempt& attempt : world.chat().webhooks().Attempts()) {
    if (attempt.message_id == message) answers.push_back(attempt.status);
  }
  return answers;
}

}  // namespace

struct PostTrouble {
  std::string name;
  ChatFault fault;
  int times = 2;
};

class PlatformTrouble : public testing::TestWithParam<PostTrouble> {};

TEST_P(PlatformTrouble, APostIsTriedAgainAndAppearsOnce) {  // L12, faults 35 and 37
  World world;
  world.chat().faults().Order(ChatEndpoint::kSendMessage, GetParam().fault,
                              static_cast<std::size_t>(GetParam().times));
  world.Say("anya-1", "hello");
  ASSERT_TRUE(Eventually([&] { return world.chat().webhooks().IsIdle(); }));
  world.Say("ben-2", "and me?");
  world.WaitForReply("hello");
  world.WaitForReply("and me?");
  const auto messages = world.BotMessages();
  ASSERT_EQ(messages.size(), 2U);
  EXPECT_NE(messages[0].TextAt("text").find("hello"), std::string::npos) << "in order";
}

INSTANTIATE_TEST_SUITE_P(
    Post, PlatformTrouble,
    testing::Values(PostTrouble{"Error", {.status = 500}},
                    PostTrouble{"ProxysErrorPage", {.status = 502, .is_json = false}},
                    PostTrouble{"LimitWithASecond", {.status = 429, .retry_after = "1"}, 1},
                    PostTrouble{"LimitWithZero", {.status = 429, .retry_after = "0"}, 1},
                    PostTrouble{"BrokenBefore", {.kind = ChatFault::Kind::kClose}},
                    PostTrouble{"StoredThenBroken", {.kind = ChatFault::Kind::kDoThenClose}, 1}),
    [](const auto& trouble) { return trouble.param.name; });

TEST(Platform, AnEditThatFailsIsTriedAgainWithTheNewestFace) {  // L12
  World world;
  world.Say("anya-1", kAsk);
  const HeldCall held = world.WaitForHeld();
  world.chat().faults().Order(ChatEndpoint::kUpdateMessage, {.status = 500}, 2);
  EXPECT_EQ(world.Answer(world.As("anya-1"), held, true).status, 204);
  world.WaitForReply("Results: ");
  EXPECT_EQ(world.StepOf(held).TextAt("outcome"), "done");
}

TEST(Platform, AMessageThatSomebodyTookAwayIsPostedAnewWithItsNewestFace) {
  World world;
  world.Say("anya-1", kAsk);
  const HeldCall held = world.WaitForHeld();
  world.chat().world().DeleteMessage({true, ""}, held.message, true);
  EXPECT_EQ(world.Answer(world.As("anya-1"), held, true).status, 204);
  world.WaitForReply("Results: ");
  EXPECT_EQ(world.BotMessages().size(), 1U);
}

TEST(Platform, WhatWasCancelledIsNotPostedAnew) {
  World world;
  const std::string message = world.Say("anya-1", kAsk);
  const HeldCall held = world.WaitForHeld();
  world.chat().world().DeleteMessage({true, ""}, held.message, true);
  world.chat().Delete(message, "anya-1");
  ASSERT_TRUE(Eventually([&] { return world.Log().find("post.given_up") != std::string::npos; }));
  world.Say("ben-2", "hello");
  world.WaitForReply("hello");
  EXPECT_EQ(world.BotMessages().size(), 1U);
}

TEST(Platform, WhereATombstoneStandsNothingIsPostedAndTheChannelGoesOn) {
  World world;
  world.Say("anya-1", kAsk);
  const HeldCall held = world.WaitForHeld();
  world.chat().world().DeleteMessage({true, ""}, held.message, false);
  EXPECT_EQ(world.Answer(world.As("anya-1"), held, true).status, 204);
  world.Say("ben-2", "hello");
  world.WaitForReply("hello");
  EXPECT_EQ(world.crm().Calls().size(), 1U);
  EXPECT_NE(world.Log().find("post.given_up"), std::string::npos);
  EXPECT_TRUE(Eventually([&] {
    const std::string figures = world.api().Get(world.Anonymous(), "/metrics").body;
    return figures.find(R"(writ_posts_given_up_total{app="acme"} )") != std::string::npos;
  }));
}

TEST(Platform, AnAskThatCannotBePostedIsSeenByTheApiAndPostedWhenItCanBe) {  // L14, fault 21
  World world;
  world.chat().faults().Order(ChatEndpoint::kSendMessage, {.status = 500}, 1000);
  world.Say("anya-1", kAsk);
  Json record;
  ASSERT_TRUE(Eventually([&] {
    const Json list = world.api().Get(world.Backend(), "/v1/approvals?status=pending").json();
    if (list.Find("approvals")->array().empty()) return false;
    record = list.Find("approvals")->array().at(0);
    return true;
  }));
  const Json mine =
      world.api()
          .Get(world.As("anya-1"), "/v1/agents/conversations/" + kTeam + "/tool_approvals")
          .json();
  ASSERT_EQ(mine.Find("approvals")->array().size(), 1U);
  EXPECT_EQ(mine.Find("approvals")->array().at(0).TextAt("approval_id"),
            record.TextAt("approval_id"));
  world.chat().faults().Clear();
  const HeldCall held = world.WaitForHeld();
  EXPECT_EQ(held.request, record.TextAt("approval_id"));
  EXPECT_EQ(held.step.TextAt("expires_at"), record.TextAt("expires_at"));
  EXPECT_EQ(world.Answer(world.As("anya-1"), held, true).status, 204);
  EXPECT_EQ(world.WaitForOutcome(held), "done");
}

TEST(Platform, AnAskThatCannotBePostedMayBeAnsweredMeanwhile) {  // L14
  World world;
  world.chat().faults().Order(ChatEndpoint::kSendMessage, {.status = 500}, 1000);
  world.Say("anya-1", kAsk);
  HeldCall held;
  held.cid = kTeam;
  ASSERT_TRUE(Eventually([&] {
    const Json list = world.api().Get(world.Backend(), "/v1/approvals?status=pending").json();
    if (list.Find("approvals")->array().empty()) return false;
    held.call = list.Find("approvals")->array().at(0).TextAt("call_id");
    held.request = list.Find("approvals")->array().at(0).TextAt("approval_id");
    return true;
  }));
  EXPECT_EQ(world.Answer(world.As("anya-1"), held, true).status, 204);
  ASSERT_TRUE(Eventually([&] { return world.crm().Calls().size() == 1; }));
  world.chat().faults().Clear();
  world.WaitForReply("Results: ");
}

TEST(Platform, IndicatorsThatFailFailNoTurn) {
  World world;
  world.chat().faults().Order(ChatEndpoint::kSendEvent, {.status = 500}, 1000);
  world.Say("anya-1", "hello");
  world.WaitForReply("hello");
}

TEST(Platform, AWebhookIsAcknowledgedWhateverTheModelDoes) {  // fault 36
  World world;
  world.model().When("hello", Hangs());
  const std::string message = world.Say("anya-1", "hello");
  ASSERT_TRUE(Eventually([&] { return !world.model().AskedAbout("hello").empty(); }));
  ASSERT_TRUE(Eventually([&] { return world.chat().webhooks().IsIdle(); }));
  EXPECT_EQ(AnswersTo(world, message), std::vector<int>{200});
}

TEST(Platform, AHistoryThatCannotBeReadDoesNotKeepAMessageFromItsAnswer) {
  World world;
  world.chat().faults().Order(ChatEndpoint::kQueryChannel, {.status = 500}, 1000);
  world.Say("anya-1", "hello");
  world.WaitForReply("hello");
}

TEST(Platform, WhatTheStoreCannotTakeIsA503AndItsRetryIsProcessed) {  // fault 7
  World world({.start = false});
  const std::string broken = world.File("store-is-broken");
  ASSERT_TRUE(world.Start({{"WRIT_FAIL_COMMITS_WHILE", broken}}));
  world.Say("anya-1", "hello");
  world.WaitForReply("hello");
  std::fclose(std::fopen(broken.c_str(), "w"));
  const std::string message = world.Say("anya-1", "are you broken?");
  ASSERT_TRUE(Eventually([&] { return world.chat().webhooks().IsIdle(); }));
  const std::vector<int> answers = AnswersTo(world, message);
  ASSERT_FALSE(answers.empty());
  EXPECT_EQ(answers.back(), 503);
  EXPECT_EQ(Send(world.api().port(), "GET", "/healthz", {}, "").status, 200);
  std::remove(broken.c_str());
  world.WaitUntilTaken(message, world.program());
  world.WaitForReply("are you broken?");
}

TEST(Platform, AnAnswerThatTheStoreCannotTakeIsA503AndTheCallStaysHeld) {  // fault 3
  World world({.start = false});
  const std::string broken = world.File("store-is-broken");
  ASSERT_TRUE(world.Start({{"WRIT_FAIL_COMMITS_WHILE", broken}}));
  world.Say("anya-1", kAsk);
  const HeldCall held = world.WaitForHeld();
  std::fclose(std::fopen(broken.c_str(), "w"));
  const ApiReply refused = world.Answer(world.As("anya-1"), held, true);
  EXPECT_EQ(refused.text(), "503 store_unavailable");
  EXPECT_NE(refused.head.find("Retry-After: "), std::string::npos);
  EXPECT_TRUE(world.crm().Calls().empty());
  std::remove(broken.c_str());
  EXPECT_TRUE(world.IsHeld(held));
  EXPECT_EQ(world.Answer(world.As("anya-1"), held, true).status, 204);
  EXPECT_EQ(world.WaitForOutcome(held), "done");
}

}  // namespace writ::tests
