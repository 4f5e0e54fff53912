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
using tests::Gated;
using tests::kNoon;
using tests::Replied;
using tests::Verdict;

Charge ACall(const std::string& counter, std::int64_t limit) {
  return {counter, 60s, 1, limit, "no more than that"};
}

ModelReplied RepliedWith(std::vector<GatedCall> calls, const std::vector<Charge>& charges) {
  for (GatedCall& gated : calls) gated.charges = charges;
  return Replied(std::move(calls));
}

TEST(ChargeReply, CallsAreLetThroughUpToTheLimitInTheModelsOrder) {
  ModelReplied replied = RepliedWith(
      {Gated(Verdict::kFree, "c1"), Gated(Verdict::kHeld, "c2"), Gated(Verdict::kFree, "c3")},
      {ACall("calls", 3)});
  const UsedCounters after = ChargeReply(replied, {{"calls", {kNoon, 1}}}, kNoon);
  EXPECT_EQ(after, (UsedCounters{{"calls", {kNoon, 3}}}));
  EXPECT_EQ(replied.calls[0].verdict, Verdict::kFree);
  EXPECT_EQ(replied.calls[1].verdict, Verdict::kHeld);
  EXPECT_EQ(replied.calls[2].verdict, Verdict::kRefused);
  EXPECT_EQ(replied.calls[2].status, "blocked");
  EXPECT_EQ(replied.calls[2].reason, "no more than that");
}

TEST(ChargeReply, WhatIsNotLetThroughIsNotCharged) {
  ModelReplied replied = RepliedWith(
      {Gated(Verdict::kRefused, "c1"), Gated(Verdict::kDenied, "c2")}, {ACall("calls", 3)});
  EXPECT_TRUE(ChargeReply(replied, {}, kNoon).empty());
}

TEST(ChargeReply, ACallThatOneBudgetBlocksIsChargedToNone) {
  ModelReplied replied = RepliedWith({Gated(Verdict::kFree, "c1")},
                                     {ACall("of the person", 9), ACall("of the channel", 1)});
  const UsedCounters after = ChargeReply(replied, {{"of the channel", {kNoon, 1}}}, kNoon);
  EXPECT_TRUE(after.empty());
  EXPECT_EQ(replied.calls[0].verdict, Verdict::kRefused);
}

TEST(ChargeReply, AnotherWindowBeginsAtNothing) {
  ModelReplied replied = RepliedWith({Gated(Verdict::kFree, "c1")}, {ACall("calls", 1)});
  const UsedCounters after = ChargeReply(replied, {{"calls", {kNoon, 1}}}, kNoon + 61s);
  EXPECT_EQ(after, (UsedCounters{{"calls", {kNoon + 60s, 1}}}));
  EXPECT_EQ(replied.calls[0].verdict, Verdict::kFree);
}

TEST(ChargeReply, TheReplysOwnTokensCountForItsCalls) {
  ModelReplied replied = RepliedWith({Gated(Verdict::kFree, "c1")}, {{"tokens", 24h, 0, 100, "x"}});
  replied.charges = {{"tokens", 24h, 60, 0, ""}};
  ModelReplied again = replied;
  UsedCounters used = ChargeReply(replied, {}, kNoon);
  EXPECT_EQ(replied.calls[0].verdict, Verdict::kFree);
  used = ChargeReply(again, used, kNoon);
  EXPECT_EQ(again.calls[0].verdict, Verdict::kRefused);
  EXPECT_EQ(used.at("tokens").amount, 120);
}

TEST(ChargeReply, ItsCountersAreNamedOnceEach) {
  ModelReplied replied = RepliedWith({Gated(Verdict::kFree, "c1"), Gated(Verdict::kFree, "c2")},
                                     {ACall("b", 1), ACall("a", 1)});
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
