#include "router/turn/charge.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "tests/router/turn/moves.h"

namespace writ::router {
namespace {

using namespace std::chrono_literals;
using tests::After;
using tests::Gated;
using tests::kNoon;
using tests::Moved;
using tests::Replied;
using tests::Thinking;
using tests::Verdict;

Charge ACall(const std::string& counter, std::int64_t limit) {
  return {counter, 60s, 1, limit, "no more than that"};
}

// What a turn that thinks makes of the reply.
Step Taken(std::vector<GatedCall> calls, const std::vector<Charge>& charges, UsedCounters used,
           Turn turn = tests::ATurn(), TimePoint now = kNoon) {
  for (GatedCall& gated : calls) gated.charges = charges;
  ModelReplied replied = Replied(std::move(calls));
  replied.used = std::move(used);
  return Next(Thinking(std::move(turn)).turn(), {now, replied});
}

CallState StateIn(const Step& step, const std::string& call) {
  return FindCall(step.turn, CallId(call))->state;
}

TEST(Charged, CallsGoOnUpToTheLimitInTheModelsOrder) {
  const Step step =
      Taken({Gated(Verdict::kFree, "c1"), Gated(Verdict::kHeld, "c2"), Gated(Verdict::kFree, "c3")},
            {ACall("calls", 3)}, {{"calls", {kNoon, 1}}});
  EXPECT_EQ(step.charged, (UsedCounters{{"calls", {kNoon, 3}}}));
  EXPECT_EQ(StateIn(step, "c1"), CallState::kReady);
  EXPECT_EQ(StateIn(step, "c2"), CallState::kHeld);
  EXPECT_EQ(StateIn(step, "c3"), CallState::kRefused);
  EXPECT_EQ(FindCall(step.turn, CallId("c3"))->status, "blocked");
  EXPECT_EQ(FindCall(step.turn, CallId("c3"))->reason, "no more than that");
}

TEST(Charged, WhatGoesNoFurtherUsesUpNothing) {
  const std::vector<Charge> charges{ACall("calls", 9)};
  EXPECT_TRUE(Taken({Gated(Verdict::kRefused, "c1"), Gated(Verdict::kDenied, "c2")}, charges, {})
                  .charged.empty());
  EXPECT_TRUE(Taken({Gated(Verdict::kNobodyToAsk, "c1")}, charges, {}).charged.empty());
  Turn few = tests::ATurn();
  few.limits.max_asks = 1;
  const Step asked =
      Taken({Gated(Verdict::kHeld, "c1"), Gated(Verdict::kHeld, "c2")}, charges, {}, few);
  EXPECT_EQ(asked.charged.at("calls").amount, 1) << "the second would be one question too many";
  few.limits.calls_per_turn = 1;
  const Step many =
      Taken({Gated(Verdict::kFree, "c1"), Gated(Verdict::kFree, "c2")}, charges, {}, few);
  EXPECT_EQ(many.charged.at("calls").amount, 1) << "the second would be one call too many";
  few.limits.max_model_calls = 1;
  EXPECT_TRUE(Taken({Gated(Verdict::kFree, "c1")}, charges, {}, few).charged.empty());
}

TEST(Charged, ACallThatWasDeclinedBeforeUsesUpNothing) {
  Moved turn = After({Gated(Verdict::kHeld, "c1")});
  turn.Take(tests::Decided("c1", false));
  GatedCall again = Gated(Verdict::kHeld, "c2");
  again.charges = {ACall("calls", 9)};
  const Step step = Next(turn.turn(), {kNoon, Replied({again})});
  EXPECT_EQ(StateIn(step, "c2"), CallState::kDenied);
  EXPECT_TRUE(step.charged.empty());
}

TEST(Charged, ACallThatWasAllowedBeforehandIsChargedAndABlockedOneLeavesThatUnused) {
  Turn turn = tests::ATurn();
  turn.pre_approval = PreApproval{"crm__echo", DigestOf(R"({"a":1})", "tool", "crm__echo"), {}};
  const std::vector<Charge> charges{ACall("calls", 1)};
  const Step passed = Taken({Gated(Verdict::kNobodyToAsk, "c1")}, charges, {}, turn);
  EXPECT_EQ(StateIn(passed, "c1"), CallState::kReady);
  EXPECT_EQ(passed.charged.at("calls").amount, 1);
  const Step blocked =
      Taken({Gated(Verdict::kNobodyToAsk, "c1")}, charges, {{"calls", {kNoon, 1}}}, turn);
  EXPECT_EQ(StateIn(blocked, "c1"), CallState::kRefused);
  EXPECT_TRUE(blocked.turn.pre_approval->used_by.empty());
}

TEST(Charged, ACallThatOneBudgetBlocksIsChargedToNone) {
  const Step step =
      Taken({Gated(Verdict::kFree, "c1")}, {ACall("of the person", 9), ACall("of the channel", 1)},
            {{"of the channel", {kNoon, 1}}});
  EXPECT_TRUE(step.charged.empty());
  EXPECT_EQ(StateIn(step, "c1"), CallState::kRefused);
}

TEST(Charged, AnotherWindowBeginsAtNothing) {
  const Step step = Taken({Gated(Verdict::kFree, "c1")}, {ACall("calls", 1)},
                          {{"calls", {kNoon, 1}}}, tests::ATurn(), kNoon + 61s);
  EXPECT_EQ(step.charged, (UsedCounters{{"calls", {kNoon + 60s, 1}}}));
  EXPECT_EQ(StateIn(step, "c1"), CallState::kReady);
}

TEST(Charged, TheReplysOwnTokensCountForItsCalls) {
  GatedCall gated = Gated(Verdict::kFree, "c1");
  gated.charges = {{"tokens", 24h, 0, 100, "x"}};
  ModelReplied replied = Replied({gated});
  replied.charges = {{"tokens", 24h, 60, 0, ""}};
  const Step first = Next(Thinking().turn(), {kNoon, replied});
  EXPECT_EQ(StateIn(first, "c1"), CallState::kReady);
  replied.used = first.charged;
  const Step second = Next(Thinking().turn(), {kNoon, replied});
  EXPECT_EQ(StateIn(second, "c1"), CallState::kRefused);
  EXPECT_EQ(second.charged.at("tokens").amount, 120);
}

TEST(Charged, AReplyWithoutCallsIsChargedToo) {
  ModelReplied replied = tests::Said("done");
  replied.charges = {{"tokens", 24h, 60, 0, ""}};
  EXPECT_EQ(Next(Thinking().turn(), {kNoon, replied}).charged.at("tokens").amount, 60);
}

TEST(Charged, CountersAreNamedOnceEach) {
  ModelReplied replied = Replied({Gated(Verdict::kFree, "c1"), Gated(Verdict::kFree, "c2")});
  for (GatedCall& gated : replied.calls) gated.charges = {ACall("b", 1), ACall("a", 1)};
  replied.charges = {{"c", 24h, 60, 0, ""}};
  EXPECT_EQ(CountersOf(replied), (std::vector<std::string>{"a", "b", "c"}));
}

TEST(IsUsedUp, WhereNothingIsLeft) {
  const UsedCounters used{{"tokens", {std::chrono::floor<std::chrono::days>(kNoon), 100}}};
  const auto asking = [](std::int64_t limit) { return Charge{"tokens", 24h, 0, limit, ""}; };
  EXPECT_TRUE(IsUsedUp(used, asking(99), kNoon));
  EXPECT_TRUE(IsUsedUp(used, asking(100), kNoon));
  EXPECT_FALSE(IsUsedUp(used, asking(101), kNoon));
  EXPECT_FALSE(IsUsedUp(used, asking(0), kNoon)) << "no limit";
  EXPECT_FALSE(IsUsedUp(used, asking(1), kNoon + 24h));
  EXPECT_FALSE(IsUsedUp({}, asking(1), kNoon));
}

}  // namespace
}  // namespace writ::router
