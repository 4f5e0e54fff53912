// Budgets: charged with the reply that uses them, in its commit, once.
#include <chrono>
#include <string>

#include "tests/contract/ledger/ledger_contract.h"

namespace writ::tests {

using namespace std::chrono_literals;
using router::CallId;
using router::CallState;
using router::Charge;
using router::Claim;

class BudgetContract : public LedgerContract {
 protected:
  static Charge Calls2AMinute() { return {"calls:anya-1", 60s, 1, 2, "no more than 2"}; }
  static router::GatedCall Charged(const std::string& call) {
    router::GatedCall gated = FreeCall(call);
    gated.charges = {Calls2AMinute()};
    return gated;
  }
  std::int64_t UsedNow(const router::AppId& app = kAcme) {
    return router::UsedOf(turns_.CountersNow(app, {Calls2AMinute()}), Calls2AMinute(), Now());
  }
};

TEST_P(BudgetContract, AReplysCallsAreChargedWithItAndBlockedPastTheLimit) {
  const Claim claim = ArriveAndStart(Message("m1"));
  EXPECT_EQ(UsedNow(), 0);
  Tell(claim, Calls({Charged("call-1"), Charged("call-2"), Charged("call-3")}));
  EXPECT_EQ(UsedNow(), 2);
  EXPECT_EQ(UsedNow(router::AppId("globex")), 0);
  EXPECT_EQ(FindCall(Turn("m1"), CallId("call-2"))->state, CallState::kReady);
  const router::Call third = *FindCall(Turn("m1"), CallId("call-3"));
  EXPECT_EQ(third.state, CallState::kRefused);
  EXPECT_EQ(third.status, "blocked");
  EXPECT_EQ(third.reason, "no more than 2");
}

TEST_P(BudgetContract, AReplyThatIsNotTakenIsNotCharged) {
  const Claim slept = ArriveAndStart(Message("m1"));
  clock_.Advance(router::kClaimLife + 1s);
  const auto heir = turns_.ClaimDue(kOtherNode, 10, Now()).taken;
  ASSERT_EQ(heir.size(), 1U);
  EXPECT_FALSE(turns_.Advance(slept, Event(Calls({Charged("call-1")}))));
  EXPECT_EQ(UsedNow(), 0);
  Tell(heir[0].claim, Calls({Charged("call-1")}));
  EXPECT_EQ(UsedNow(), 1);
  EXPECT_FALSE(turns_.Advance(heir[0].claim, Event(Calls({Charged("call-2")}))));
  EXPECT_EQ(UsedNow(), 1);
}

TEST_P(BudgetContract, ACallThatIsRefusedAllTheSameUsesUpNothing) {
  limits_.max_asks = 1;
  const Claim claim = ArriveAndStart(Message("m1"));
  router::GatedCall first = HeldCall("call-1", claim.turn);
  router::GatedCall second = HeldCall("call-2", claim.turn);
  first.charges = second.charges = {Calls2AMinute()};
  Tell(claim, Calls({first, second}));
  EXPECT_EQ(FindCall(Turn("m1"), CallId("call-2"))->reason, "too many questions in one command");
  EXPECT_EQ(UsedNow(), 1);
}

TEST_P(BudgetContract, CountersOfDaysThatAreOverAreForgotten) {
  const auto is_kept = [this] {
    bool kept = false;
    engine().Read([&](store::Records& records) {
      kept = records.FindBudget("acme", "calls:anya-1").has_value();
    });
    return kept;
  };
  Tell(ArriveAndStart(Message("m1")), Calls({Charged("call-1")}));
  clock_.Advance(49h);
  EXPECT_TRUE(is_kept());
  router::GatedCall bens = FreeCall("call-2");
  bens.charges = {{"calls:ben-2", 60s, 1, 2, "no more than 2"}};
  Tell(ArriveAndStart(Message("m2", kBen, router::Cid("callouts:team-2"))), Calls({bens}));
  EXPECT_FALSE(is_kept());
}

TEST_P(BudgetContract, TheNextMinuteBeginsAnew) {
  Tell(ArriveAndStart(Message("m1")), Calls({Charged("call-1"), Charged("call-2")}));
  EXPECT_EQ(UsedNow(), 2);
  clock_.Advance(60s);
  EXPECT_EQ(UsedNow(), 0);
}

WRIT_ON_EVERY_ENGINE(BudgetContract);

}  // namespace writ::tests
