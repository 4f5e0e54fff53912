// The channel, its lease and its waits: rows L1 to L6, L10, L15 and L16 of the behaviours.
#include <algorithm>
#include <chrono>

#include "tests/system/story.h"

namespace writ::tests {
namespace {

// Waits until the model was asked about that message.
void WaitUntilAsked(World& world, const std::string& text) {
  ASSERT_TRUE(Eventually([&] { return !world.model().AskedAbout(text).empty(); })) << text;
}

void WaitUntilDelivered(World& world) {
  ASSERT_TRUE(Eventually([&] { return world.chat().webhooks().IsIdle(); }));
}

}  // namespace

TEST(Lease, FiveMessagesAreAnsweredOneByOneInTheOrderTheyWereWritten) {  // L1
  World world;
  world.model().When("first", Hangs());
  world.Say("anya-1", "first");
  WaitUntilAsked(world, "first");
  for (const char* text : {"second", "third", "fourth", "fifth"}) {
    world.Say("ben-2", text);
    WaitUntilDelivered(world);  // two on their way at once may change places
  }
  EXPECT_TRUE(world.BotMessages().empty());
  EXPECT_TRUE(world.model().AskedAbout("second").empty()) << "they wait";
  world.model().Release();
  world.WaitForEnds(5);
  const auto replies = world.BotMessages();
  std::size_t at = 0;
  for (const char* text : {"first", "second", "third", "fourth", "fifth"}) {
    EXPECT_NE(replies.at(at++).TextAt("text").find(text), std::string::npos) << text;
  }
}

TEST(Lease, ChannelsDoNotWaitForOneAnother) {  // L2
  World world;
  world.model().When("hangs", Hangs());
  world.Say("anya-1", "hangs");
  WaitUntilAsked(world, "hangs");
  constexpr int kChannels = 1000;
  for (int i = 0; i < kChannels; ++i) {
    const std::string cid = "callouts:many-" + std::to_string(i);
    world.AddChannel(cid);
    world.Say("anya-1", "hello", cid);
    if (i % 100 == 99) WaitUntilDelivered(world);  // the chat's patience ends sooner than a test's
  }
  for (int i = 0; i < kChannels; ++i) {
    world.WaitForReply("hello", "callouts:many-" + std::to_string(i));
  }
  EXPECT_TRUE(world.BotMessages().empty());
}

TEST(Lease, BenIsAnsweredAfterChannelWaitAndAnyasCallStaysAnswerable) {  // L3, L4
  World world({.agent = Limits({{"channel_wait_s", 0.3}})});
  world.Say("anya-1", kAsk);
  const HeldCall held = world.WaitForHeld();
  world.Say("ben-2", "what about me?");
  world.WaitForReply("what about me?");
  EXPECT_TRUE(world.IsHeld(held));
  EXPECT_EQ(world.Answer(world.As("anya-1"), held, true).status, 204);
  world.WaitForReply("Results: echo: " + kShift);
  EXPECT_EQ(world.crm().Calls().size(), 1U);
  const auto asked = world.model().AskedAbout(kAsk);
  EXPECT_NE(asked.back().body.Dump().find("what about me?"), std::string::npos)
      << "it is told what was said meanwhile";
}

TEST(Lease, AnApprovedCallGoesOutWithoutTheLeaseAndItsTurnIsFirstInLine) {  // L4
  World world({.agent = Limits({{"channel_wait_s", 0.2}})});
  world.model().When("bens", Hangs());
  world.Say("anya-1", kAsk);
  const HeldCall held = world.WaitForHeld();
  world.Say("ben-2", "bens");
  WaitUntilAsked(world, "bens");
  world.Say("ben-2", "the last one");
  WaitUntilDelivered(world);
  EXPECT_EQ(world.Answer(world.As("anya-1"), held, true).status, 204);
  EXPECT_EQ(world.WaitForOutcome(held), "done");
  EXPECT_EQ(world.crm().Calls().size(), 1U);
  EXPECT_EQ(world.model().AskedAbout(kAsk).size(), 1U) << "the next step waits for the lease";
  world.model().Release();
  world.WaitForReply("the last one");
  EXPECT_EQ(world.model().AskedAbout(kAsk).size(), 2U);
  EXPECT_EQ(StateOf(*world.chat().world().Message(held.message)), "completed")
      << "Anya's turn came before Ben's second message";
}

TEST(Lease, WhatNobodyAnswersExpiresAndNobodyIsSaidToHaveRefusedIt) {  // L5, faults 10, 24
  World world({.agent = Limits({{"approval_wait_s", 6}})});
  world.Say("anya-1", kAsk);
  const HeldCall held = world.WaitForHeld();
  EXPECT_EQ(world.WaitForOutcome(held), "expired");
  world.WaitForEnds(1);
  const Json step = world.StepOf(held);
  EXPECT_EQ(step.TextAt("status"), "cancelled");
  EXPECT_EQ(step.Find("target_user_id"), nullptr);
  const auto told = ToldAbout(world, kAsk);
  ASSERT_EQ(told.size(), 1U);
  EXPECT_EQ(router::ParseJson(told[0]).value->TextAt("status"), "expired");
  EXPECT_EQ(world.Answer(world.As("anya-1"), held, true).status, 404);
  const Json record = world.api().Get(world.Backend(), "/v1/approvals/" + held.request).json();
  EXPECT_EQ(record.TextAt("status"), "expired");
  EXPECT_TRUE(record.Find("decision")->IsNull());
  for (const std::string& text : {told[0], step.Dump(), world.Log()}) {
    EXPECT_EQ(CountOf(text, "declined") + CountOf(text, "denied"), 0U) << text;
  }
  EXPECT_TRUE(world.crm().Calls().empty());
}

TEST(Lease, AModelThatHangsEndsTheTurnAtItsTimeoutAndTheNextIsAnswered) {  // L6, fault 41
  World world({.agent = Limits({{"turn_timeout_s", 6}})});
  world.model().When("hangs", Hangs());
  world.Say("anya-1", "hangs");
  WaitUntilAsked(world, "hangs");
  world.Say("ben-2", "and me?");
  const Json failed = world.WaitForEnds(1);
  EXPECT_EQ(StateOf(failed), "failed");
  EXPECT_FALSE(failed.TextAt("text").empty()) << "it says so";
  world.WaitForReply("and me?");
}

TEST(Lease, AConnectorThatHangsEndsTheTurnAtItsTimeout) {  // L6
  World world({.agent = Limits({{"turn_timeout_s", 6}})});
  world.crm().On("lookup", [](const StubCrm::Call&) { return StubCrm::Result{.hangs = true}; });
  world.Say("anya-1", kLookup);
  const Json failed = world.WaitForEnds(1);
  EXPECT_EQ(StateOf(failed), "failed");
  ASSERT_EQ(StepsOf(failed).size(), 1U);
  EXPECT_EQ(StepsOf(failed)[0].TextAt("outcome"), "outcome_unknown");
  world.Say("ben-2", "and me?");
  world.WaitForReply("and me?");
}

TEST(Lease, TimeSpentHeldIsNotTurnTime) {  // L6, fault 11
  World world({.agent = Limits({{"turn_timeout_s", 6}})});
  world.AddChannel("callouts:clock");
  world.model().When("hangs", Hangs());
  world.Say("anya-1", kAsk);
  const HeldCall held = world.WaitForHeld();
  world.Say("anya-1", "hangs", "callouts:clock");
  EXPECT_EQ(StateOf(world.WaitForEnds(1, "callouts:clock")), "failed") << "a turn's time is over";
  EXPECT_EQ(world.Answer(world.As("anya-1"), held, true).status, 204);
  EXPECT_EQ(StateOf(world.WaitForEnds(1)), "completed");
}

TEST(Lease, AFullQueueIsAcknowledgedAndToldOnceUntilThereIsRoomAgain) {  // L10, fault 42
  World world({.agent = Limits({{"queue_per_channel", 2}})});
  world.model().When("first", Hangs());
  world.Say("anya-1", "first");
  WaitUntilAsked(world, "first");
  for (int i = 0; i < 5; ++i) {
    world.Say("ben-2", "more " + std::to_string(i));
    WaitUntilDelivered(world);
  }
  ASSERT_TRUE(world.chat().WaitFor([&] { return !world.BotMessages().empty(); }, kLongEnough));
  for (const bot::WebhookAttempt& attempt : world.chat().webhooks().Attempts()) {
    EXPECT_EQ(attempt.status, 200);
  }
  world.model().Release();
  world.WaitForEnds(3);
  world.Say("ben-2", "is there room?");
  world.WaitForReply("is there room?");
  std::size_t notices = 0;
  for (const Json& message : world.BotMessages()) {
    if (StateOf(message).empty()) ++notices;
  }
  EXPECT_EQ(notices, 1U);
  EXPECT_TRUE(world.model().AskedAbout("more 4").empty());
}

TEST(Lease, AnAnswerWaitsBehindNothing) {  // L15, fault 4
  World world;
  world.model().When("hangs", Hangs());
  world.Say("anya-1", kAsk);
  const HeldCall held = world.WaitForHeld();
  for (int i = 0; i < 10; ++i) {
    const std::string cid = "callouts:busy-" + std::to_string(i);
    world.AddChannel(cid);
    world.Say("ben-2", "hangs", cid);
  }
  for (int i = 0; i < 50; ++i) world.Say("ben-2", "waits " + std::to_string(i));
  WaitUntilDelivered(world);
  EXPECT_EQ(world.Answer(world.As("anya-1"), held, true).status, 204);
  EXPECT_EQ(world.WaitForOutcome(held), "done");
  world.model().Release();
}

TEST(Lease, SeveralCallsOfOneReplyRunAndWaitSideBySide) {  // L16, faults 1, 12, 47, 55
  World world({.agent = Limits({{"approval_wait_s", 12}})});
  const std::string text =
      AskWith("expires") + "\n" + kLookup + "\n" + AskWith("declined") + "\n" + AskWith("allowed");
  world.Say("anya-1", text);
  const auto held = world.WaitForHeldCalls(3);
  EXPECT_TRUE(world.chat().WaitFor(
      [&] {
        const auto message = world.chat().world().Message(held[0].message);
        return StepsOf(*message).at(1).TextAt("outcome") == "done" && world.HeldCalls().size() == 3;
      },
      kLongEnough))
      << "the free one runs at once, while its siblings wait";
  EXPECT_EQ(world.Answer(world.As("anya-1"), held[2], true).status, 204);
  EXPECT_EQ(world.Answer(world.As("anya-1"), held[1], false).status, 204);
  EXPECT_EQ(world.WaitForOutcome(held[0]), "expired");
  world.WaitForEnds(1);
  const auto asked = world.model().AskedAbout("lookup");
  ASSERT_EQ(asked.size(), 2U) << "one request with all results";
  const auto& told = asked[1].results;
  ASSERT_EQ(told.size(), 4U);
  EXPECT_NE(told[0].find("expired"), std::string::npos);
  EXPECT_EQ(told[1], R"(lookup: {"name":"anya"})");
  EXPECT_NE(told[2].find("declined"), std::string::npos);
  EXPECT_EQ(told[3], R"(echo: {"message":"allowed"})");
  EXPECT_EQ(world.crm().CallsWith("allowed").size(), 1U);
  EXPECT_TRUE(world.crm().CallsWith("declined").empty());
  EXPECT_TRUE(world.crm().CallsWith("expires").empty());
  EXPECT_TRUE(world.model().faults().empty());
}

}  // namespace writ::tests
