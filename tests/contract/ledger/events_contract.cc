// Events to the backend: written in the step's own commit, told in order for each session.
#include <algorithm>
#include <string>
#include <tuple>

#include "router/base/failure.h"
#include "store/ledger/audit_over.h"
#include "store/ledger/events_over.h"
#include "tests/contract/ledger/ledger_contract.h"

namespace writ::tests {

using router::Claim;
using router::EventDelivery;
using router::Json;
using std::chrono::hours;
using std::chrono::seconds;
using Types = std::vector<std::string>;

class EventsContract : public LedgerContract {
 protected:
  // Both apps are told.
  EventsContract() {
    telling_[kAcme].events = true;
    telling_[kGlobex].events = true;
  }

  [[nodiscard]] std::vector<EventDelivery> Due(const router::NodeId& node = kNode,
                                               const router::AppId& app = kAcme) {
    return events_.ClaimEvents(app, node, 10, Now());
  }
  [[nodiscard]] static Json BodyOf(const EventDelivery& delivery) {
    return router::ParseJson(delivery.event.body).value.value();
  }
  [[nodiscard]] static std::string TypeOf(const EventDelivery& delivery) {
    return BodyOf(delivery).TextAt("type");
  }
  // Takes all that there is, in order.
  Types TakeAll(const router::AppId& app = kAcme) {
    Types types;
    for (auto due = Due(kNode, app); !due.empty(); due = Due(kNode, app)) {
      for (const EventDelivery& delivery : due) {
        types.push_back(TypeOf(delivery));
        events_.Told(delivery);
      }
    }
    return types;
  }

  const router::AppId kGlobex{"globex"};
  store::EventsOver events_{engine()};
};

TEST_P(EventsContract, AStoryIsToldOnceAndInOrder) {  // A17
  Hold(ArriveAndStart(Message("m1")), "call-1");
  const auto settled = Settle("call-1", Allowed("call-1", kAnya));
  const auto after = Run(ClaimOn(settled.taken, "call-1"));
  Tell(after.taken.at(0).claim, Says("done"));
  EXPECT_EQ(TakeAll(), (Types{"approval.requested", "tool.pending", "approval.decided",
                              "tool.finished", "turn.completed"}));
}

// A damaged file, a newer node's row, or somebody's hand.
TEST_P(EventsContract, ATurnThatCannotBeReadIsToldAsFailedAndNobodyCanAnswerItAnyMore) {
  telling_[kAcme].audit = true;
  Hold(ArriveAndStart(Message("m1")), "call-1");
  EXPECT_EQ(TakeAll(), (Types{"approval.requested", "tool.pending"}));
  engine().Commit([](store::Records& records) {
    auto row = records.FindTurn("cmd-m1");
    row->doc = "{";
    records.SaveTurn(*row);
  });
  clock_.Advance(limits_.approval_wait);
  EXPECT_TRUE(turns_.Wake(kNode, 10, Now()).empty());
  const auto record = approvals_.Get(kAcme, router::ApprovalId("apr-call-1"));
  EXPECT_EQ(record->status, router::ApprovalStatus::kCancelled);
  EXPECT_EQ(TakeAll(), (Types{"approval.cancelled", "tool.finished", "turn.failed"}));
  store::AuditOver audit(engine(), telling_, "secret");
  const auto entries = audit.ReadEntries(kAcme, 0, 100).entries;
  ASSERT_EQ(entries.size(), 2U);
  const Json cancelled = router::ParseJson(entries[1].text).value.value();
  EXPECT_EQ(cancelled.TextAt("type"), "cancelled");
  EXPECT_EQ(cancelled.TextAt("approval_id"), "apr-call-1");
  const Json aside = router::ParseJson(entries[1].aside).value.value();
  EXPECT_EQ(aside.TextAt("reason"), "its record can't be read");
  EXPECT_FALSE(Arrive(Message("m2", kBen)).empty()) << "the channel goes on";
}

TEST_P(EventsContract, TheMessageOfATurnThatCannotBeReadAsksNobodyAnyMore) {
  Hold(ArriveAndStart(Message("m1")), "call-1");
  const auto shown = outbox_.ClaimDeliveries(kNode, 10, Now());
  ASSERT_EQ(shown.size(), 1U);
  outbox_.Delivered(shown[0], Now());
  engine().Commit([](store::Records& records) {
    auto row = records.FindTurn("cmd-m1");
    row->doc = "{";
    records.SaveTurn(*row);
  });
  clock_.Advance(limits_.approval_wait);
  EXPECT_TRUE(turns_.Wake(kNode, 10, Now()).empty());
  const auto last = outbox_.ClaimDeliveries(kNode, 10, Now());
  ASSERT_EQ(last.size(), 1U);
  EXPECT_TRUE(last[0].posted);
  EXPECT_EQ(last[0].agent, kHelper);
  EXPECT_EQ(last[0].cid, kTeam);
  ASSERT_TRUE(last[0].turn);
  EXPECT_EQ(last[0].turn->id.text(), "cmd-m1");
  EXPECT_EQ(last[0].turn->state, router::TurnState::kFailed);
  ASSERT_EQ(last[0].turn->calls.size(), 1U);
  EXPECT_EQ(last[0].turn->calls[0].state, router::CallState::kCancelled);
  outbox_.Delivered(last[0], Now());
  EXPECT_TRUE(outbox_.ClaimDeliveries(kNode, 10, Now()).empty()) << "it is the last";
}

TEST_P(EventsContract, WhatCannotBeReadOfAnApprovalEitherIsTakenBackInSilence) {
  Hold(ArriveAndStart(Message("m1")), "call-1");
  TakeAll();
  engine().Commit([](store::Records& records) {
    auto row = records.FindApproval("apr-call-1");
    row->doc = "{";
    ASSERT_TRUE(records.ReplaceApproval(*row, row->status, row->consumed));
  });
  clock_.Advance(limits_.approval_wait);
  EXPECT_TRUE(turns_.Wake(kNode, 10, Now()).empty());
  engine().Read([](store::Records& records) {
    EXPECT_EQ(records.FindApproval("apr-call-1")->status,
              static_cast<int>(router::ApprovalStatus::kCancelled));
  });
  EXPECT_EQ(TakeAll(), Types{"turn.failed"});
}

TEST_P(EventsContract, WhatWaitsBehindAnotherInItsSessionWaits) {
  Hold(ArriveAndStart(Message("m1")), "call-1");
  const auto due = Due();
  ASSERT_EQ(due.size(), 1U);
  EXPECT_EQ(TypeOf(due[0]), "approval.requested");
  EXPECT_TRUE(Due().empty()) << "one at a time";
  events_.PostponeEvent(due[0], Now() + seconds(5), Now());
  EXPECT_TRUE(Due().empty());
  EXPECT_EQ(events_.NextEvent(kAcme), Now() + seconds(5));
  clock_.Advance(seconds(5));
  const auto again = Due();
  ASSERT_EQ(again.size(), 1U);
  EXPECT_EQ(again[0].event.id, due[0].event.id);
  EXPECT_EQ(again[0].event.body, due[0].event.body);
  EXPECT_EQ(again[0].attempts, 1);
  EXPECT_EQ(again[0].failing_since, Now() - seconds(5));
  events_.Told(again[0]);
  ASSERT_EQ(Due().size(), 1U);
}

TEST_P(EventsContract, AnotherSessionDoesNotWait) {
  Hold(ArriveAndStart(Message("m1")), "call-1");
  Hold(ArriveAndStart(Message("m2", kBen, router::Cid("callouts:team-2"))), "call-2");
  EXPECT_EQ(Due().size(), 2U);
}

TEST_P(EventsContract, ADeadNodesEventIsTakenOverAndItsOwnWordComesTooLate) {
  Hold(ArriveAndStart(Message("m1")), "call-1");
  const auto first = Due();
  ASSERT_EQ(first.size(), 1U);
  clock_.Advance(router::kClaimLife + seconds(1));
  const auto second = Due(kOtherNode);
  ASSERT_EQ(second.size(), 1U);
  EXPECT_EQ(second[0].event.id, first[0].event.id);
  events_.PostponeEvent(first[0], Now() + seconds(60), Now());
  EXPECT_EQ(events_.GiveUpEvents(first[0], Now()), 0U);
  events_.Told(second[0]);
  EXPECT_EQ(Due().size(), 1U) << "the next one's turn";
}

TEST_P(EventsContract, WhatWaitedADayBehindOneThatIsGivenUpIsGivenUpWithIt) {
  const Claim claim = ArriveAndStart(Message("m1"));
  Hold(claim, "call-1");  // two events
  clock_.Advance(seconds(60));
  std::ignore = Settle("call-1", Declined("call-1", kAnya));  // two more
  clock_.Advance(seconds(60));
  const auto due = Due();
  ASSERT_EQ(due.size(), 1U);
  EXPECT_EQ(events_.GiveUpEvents(due[0], Now() - seconds(61)), 2U);
  EXPECT_EQ(TypeOf(Due().at(0)), "approval.decided");
}

TEST_P(EventsContract, AnAppThatIsNotToldHasNone) {
  telling_.clear();
  Hold(ArriveAndStart(Message("m1")), "call-1");
  EXPECT_TRUE(Due().empty());
  EXPECT_FALSE(events_.NextEvent(kAcme));
}

TEST_P(EventsContract, EventsAreOfTheirAppAlone) {
  router::ChannelEvent theirs = Message("m1");
  theirs.app = kGlobex;
  Hold(ArriveAndStart(theirs), "call-1");
  EXPECT_TRUE(Due().empty());
  const auto due = Due(kNode, kGlobex);
  ASSERT_EQ(due.size(), 1U);
  EXPECT_EQ(BodyOf(due[0]).TextAt("app_id"), "globex");
}

TEST_P(EventsContract, ACommitThatFailsTellsNothing) {
  const Claim claim = ArriveAndStart(Message("m1"));
  router::GatedCall second = HeldCall("call-2", claim.turn);
  second.approval.id = router::ApprovalId("apr-call-1");  // taken: the commit fails closed
  EXPECT_THROW(
      std::ignore = turns_.Advance(claim, Event(Calls({HeldCall("call-1", claim.turn), second}))),
      router::Failure);
  EXPECT_EQ(TakeAll(), Types{});
}

TEST_P(EventsContract, WhatEndsWithItsSessionIsTold) {
  Hold(ArriveAndStart(Message("m1")), "call-1");
  TakeAll();
  std::ignore = sessions_.CloseSession(kAcme, Turn("m1").session, kNode, Now());
  EXPECT_EQ(TakeAll(), (Types{"approval.cancelled", "tool.finished", "turn.cancelled"}));
}

TEST_P(EventsContract, NobodysAnswerIsToldAsExpired) {
  Hold(ArriveAndStart(Message("m1")), "call-1");
  TakeAll();
  clock_.Advance(hours(1));
  std::ignore = turns_.Wake(kNode, 10, Now());
  EXPECT_EQ(TakeAll(), (Types{"approval.expired", "tool.finished"}));
}

WRIT_ON_EVERY_ENGINE(EventsContract);

}  // namespace writ::tests
