// The node dies, or is told to end: rows L7, L11 and L13, field faults 2, 8, 22 and 44.
#include <chrono>
#include <csignal>

#include "tests/system/story.h"

namespace writ::tests {

TEST(Restart, TheSameAnswerWorksAfterTheNodeDiedAndTheCallRunsOnce) {  // L7, faults 22 and 44
  World world;
  world.Say("anya-1", kAsk);
  const HeldCall held = world.WaitForHeld();
  for (int i = 0; i < 3; ++i) world.Restart();
  EXPECT_EQ(world.Answer(world.As("ben-2"), held, true).text(), "403 asked_of_another");
  EXPECT_EQ(world.Answer(world.As("anya-1"), held, true).status, 204);
  world.WaitForReply("Results: echo: " + kShift);
  EXPECT_EQ(world.StepOf(held).TextAt("outcome"), "done");
  EXPECT_EQ(world.crm().Calls().size(), 1U);
  EXPECT_EQ(world.BotMessages().size(), 1U) << "one message, changed in place";
}

TEST(Restart, AnAnswerGivenJustBeforeTheEndIsNotLost) {  // L8, fault 3
  World world;
  world.crm().On("echo", [](const StubCrm::Call&) { return StubCrm::Result{.hangs = true}; });
  world.Say("anya-1", kAsk);
  const HeldCall held = world.WaitForHeld();
  EXPECT_EQ(world.Answer(world.As("anya-1"), held, true).status, 204);
  world.Restart();
  const std::string outcome = world.WaitForOutcome(held);
  EXPECT_TRUE(outcome == "outcome_unknown" || outcome == "done") << outcome;
  EXPECT_LE(world.crm().Calls().size(), 1U);
}

TEST(Restart, ACallThatWasOutWhenTheNodeDiedIsSaidToBeUnknownAndNotRepeated) {  // L8, fault 2
  World world;
  world.crm().On("echo", [](const StubCrm::Call&) { return StubCrm::Result{.hangs = true}; });
  world.Say("anya-1", kAsk);
  const HeldCall held = world.WaitForHeld();
  EXPECT_EQ(world.Answer(world.As("anya-1"), held, true).status, 204);
  ASSERT_TRUE(Eventually([&] { return world.crm().Calls().size() == 1; }));
  world.Restart();
  EXPECT_EQ(world.WaitForOutcome(held), "outcome_unknown");
  world.WaitForEnds(1);
  EXPECT_EQ(router::ParseJson(ToldAbout(world, kAsk).at(0)).value->TextAt("status"),
            "outcome_unknown");
  EXPECT_EQ(world.crm().Calls().size(), 1U);
}

TEST(Restart, AnIdempotentCallThatWasOutIsSentAgainWithTheSameKey) {  // L8, fault 2
  World world;
  world.crm().On("lookup", [](const StubCrm::Call&) { return StubCrm::Result{.hangs = true}; });
  world.Say("anya-1", kLookup);
  ASSERT_TRUE(Eventually([&] { return world.crm().Calls().size() == 1; }));
  world.Kill();
  world.crm().On("lookup", [](const StubCrm::Call&) { return StubCrm::Result{.text = "found"}; });
  ASSERT_TRUE(world.Start());
  world.WaitForReply("Results: found");
  const auto calls = world.crm().Calls();
  ASSERT_EQ(calls.size(), 2U);
  EXPECT_EQ(calls[0].key, calls[1].key);
}

TEST(Restart, WhatWasAcknowledgedIsAnsweredAlsoWhenTheNodeDiesAtOnce) {  // L8, fault 8
  World world;
  const std::string message = world.Say("anya-1", "hello");
  ASSERT_TRUE(Eventually([&] { return world.IsAcknowledged(message); }));
  world.Restart();
  world.WaitForReply("hello");
  EXPECT_EQ(world.BotMessages().size(), 1U);
}

TEST(Restart, AModelRequestThatWasOutIsMadeAgain) {  // L8, fault 41
  World world;
  world.model().When("hello", Hangs());
  world.Say("anya-1", "hello");
  ASSERT_TRUE(Eventually([&] { return world.model().AskedAbout("hello").size() == 1; }));
  world.Kill();
  world.model().When("hello", StubModel::ByDefault);
  ASSERT_TRUE(world.Start());
  world.WaitForReply("You said: ");
  EXPECT_EQ(world.BotMessages().size(), 1U);
}

TEST(Restart, SigtermEndsWithinTheGraceTimeAndNothingIsLost) {  // L11
  World world({.config = [](Json& config) { config.Set("drain_s", 1); }});
  world.AddChannel("callouts:thinks");
  world.AddChannel("callouts:waits");
  world.model().When("thinks", Hangs());
  world.Say("anya-1", kAsk);
  const HeldCall held = world.WaitForHeld();
  world.Say("anya-1", "thinks", "callouts:thinks");
  world.Say("ben-2", "waits", "callouts:thinks");
  ASSERT_TRUE(Eventually([&] {
    return !world.model().AskedAbout("thinks").empty() && world.chat().webhooks().IsIdle();
  }));
  EXPECT_EQ(world.program().Terminate(std::chrono::seconds(15)), 0);
  world.model().When("thinks", StubModel::ByDefault);
  ASSERT_TRUE(world.Start());
  world.WaitForEnds(2, "callouts:thinks");
  EXPECT_EQ(world.Answer(world.As("anya-1"), held, true).status, 204);
  EXPECT_EQ(world.WaitForOutcome(held), "done");
}

TEST(Restart, SigtermWaitsForACallThatIsOut) {  // L11
  World world({.config = [](Json& config) { config.Set("drain_s", 20); }});
  world.crm().On(
      "echo", [](const StubCrm::Call&) { return StubCrm::Result{.text = "late", .hangs = true}; });
  world.Say("anya-1", kAsk);
  const HeldCall held = world.WaitForHeld();
  EXPECT_EQ(world.Answer(world.As("anya-1"), held, true).status, 204);
  ASSERT_TRUE(Eventually([&] { return world.crm().Calls().size() == 1; }));
  world.program().Signal(SIGTERM);
  world.crm().Release();
  EXPECT_EQ(world.program().WaitForEnd(std::chrono::seconds(20)), 0);
  ASSERT_TRUE(world.Start());
  world.WaitForReply("Results: late");
  EXPECT_EQ(world.StepOf(held).TextAt("outcome"), "done") << "the answer was not thrown away";
}

TEST(Restart, AMessageThatWasMissedWhileTheNodeWasDownIsAnsweredOnce) {  // L13
  World world;
  world.Say("anya-1", "hello");
  world.WaitForReply("hello");
  world.Kill();
  world.chat().webhooks().SetUrls({});
  world.Say("anya-1", "is anybody there?");
  ASSERT_TRUE(world.Start());
  world.WaitForReply("is anybody there?");
  world.Say("ben-2", "and now?");
  world.WaitForReply("and now?");
  EXPECT_EQ(world.BotMessages().size(), 3U);
}

TEST(Restart, WhatWasMissedBeforeCatchUpIsNotAnswered) {  // L13
  World world({.config = [](Json& config) {
    config.Find("apps")->array().at(0).Find("platform")->Set("catch_up_s", 0);
  }});
  world.Say("anya-1", "hello");
  world.WaitForReply("hello");
  world.Kill();
  world.chat().webhooks().SetUrls({});
  world.Say("anya-1", "is anybody there?");
  ASSERT_TRUE(world.Start());
  world.Say("ben-2", "and now?");
  world.WaitForReply("and now?");
  EXPECT_TRUE(world.model().AskedAbout("is anybody there?").empty());
}

TEST(Restart, APortInUseIsExitCodeOne) {
  World world;
  Program second({PathOfWrit(), "serve", "--config", world.File("writ.json"), "--listen",
                  "127.0.0.1:" + std::to_string(world.program().port())},
                 {}, world.File("second.log"));
  EXPECT_EQ(second.WaitForEnd(), 1);
}

}  // namespace writ::tests
