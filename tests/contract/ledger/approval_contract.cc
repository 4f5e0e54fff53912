// The approval record: one a call, decided once, used once. Rows A1 to A9 of the behaviours.
#include <atomic>
#include <barrier>
#include <thread>

#include "router/base/failure.h"
#include "store/ledger/approval_rows.h"
#include "tests/contract/ledger/ledger_contract.h"

namespace writ::tests {

using router::ApprovalId;
using router::ApprovalRecord;
using router::ApprovalStatus;
using router::CallId;
using router::CommandId;
using router::Decision;
using router::Failure;
using store::ApprovalRows;
using Created = store::ApprovalRows::Created;
using Kind = router::ApprovalLedger::Settled::Kind;

class ApprovalContract : public LedgerContract {
 protected:
  template <class Work>
  auto InCommit(const Work& work) {
    decltype(work(std::declval<ApprovalRows&>())) result{};
    engine().Commit([&](store::Records& records) {
      ApprovalRows rows(records);
      result = work(rows);
    });
    return result;
  }
  Created Create(const ApprovalRecord& record) {
    return InCommit([&](ApprovalRows& rows) { return rows.Create(record); });
  }
  static ApprovalRecord Decided(ApprovalRecord record, bool approved, const std::string& by) {
    record.status = approved ? ApprovalStatus::kApproved : ApprovalStatus::kDenied;
    Decision decision;
    decision.approved = approved;
    decision.decided_by = by;
    record.decision = decision;
    return record;
  }
  bool Decide(const ApprovalRecord& record, bool approved, const std::string& by) {
    return InCommit([&](ApprovalRows& rows) { return rows.Decide(Decided(record, approved, by)); });
  }
  bool Consume(const std::string& id) {
    return InCommit([&](ApprovalRows& rows) { return rows.Consume(ApprovalId(id)); });
  }
  std::optional<ApprovalRecord> Get(const std::string& id) {
    return InCommit([&](ApprovalRows& rows) { return rows.Get(ApprovalId(id)); });
  }
  std::optional<ApprovalRecord> Find(const std::string& run, const std::string& call) {
    return InCommit([&](ApprovalRows& rows) { return rows.Find(CommandId(run), CallId(call)); });
  }

  // Lets `count` threads do it at once; how many of them say true.
  template <class Work>
  static int HowManyOf(int count, const Work& work) {
    std::atomic<int> wins = 0;
    std::barrier start(count);
    std::vector<std::jthread> threads;
    threads.reserve(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) {
      threads.emplace_back([&, i] {
        start.arrive_and_wait();
        if (work(i)) ++wins;
      });
    }
    threads.clear();
    return wins;
  }
};

TEST_P(ApprovalContract, CreatingForACallThatHasAnUnusedRecordGivesThatRecordUnchanged) {  // A1
  const ApprovalRecord record = RecordFor("call-1", "cmd-1");
  EXPECT_EQ(Create(record).kind, Created::Kind::kNew);
  ApprovalRecord second = record;
  second.id = ApprovalId("apr-other");
  second.asked = kBen;
  const Created again = Create(second);
  EXPECT_EQ(again.kind, Created::Kind::kStanding);
  EXPECT_EQ(again.record.id, record.id);
  EXPECT_EQ(again.record.asked, kAnya);
  EXPECT_FALSE(Get("apr-other"));
}

TEST_P(ApprovalContract, ConcurrentCreatesMakeOneRecord) {  // A1
  EXPECT_EQ(HowManyOf(8,
                      [&](int i) {
                        ApprovalRecord record = RecordFor("call-1", "cmd-1");
                        record.id = ApprovalId("apr-" + std::to_string(i));
                        return Create(record).kind == Created::Kind::kNew;
                      }),
            1);
}

TEST_P(ApprovalContract, AnIdThatBelongsToAnotherCallIsAnErrorAndChangesNothing) {  // A2
  Create(RecordFor("call-1", "cmd-1"));
  ApprovalRecord thief = RecordFor("call-2", "cmd-1", kBen);
  thief.id = ApprovalId("apr-call-1");
  EXPECT_EQ(Create(thief).kind, Created::Kind::kIdTaken);
  EXPECT_EQ(Get("apr-call-1")->call.text(), "call-1");
  EXPECT_EQ(Get("apr-call-1")->asked, kAnya);
  EXPECT_FALSE(Find("cmd-1", "call-2"));
}

TEST_P(ApprovalContract, FindGivesTheUnusedRecordOrNothing) {  // A3
  EXPECT_FALSE(Find("cmd-1", "call-1"));
  const ApprovalRecord record = RecordFor("call-1", "cmd-1");
  Create(record);
  EXPECT_EQ(Find("cmd-1", "call-1")->id, record.id);
  EXPECT_FALSE(Find("cmd-2", "call-1"));
  Decide(record, true, "user:anya-1");
  EXPECT_TRUE(Find("cmd-1", "call-1"));
  Consume("apr-call-1");
  EXPECT_FALSE(Find("cmd-1", "call-1"));
}

TEST_P(ApprovalContract, TheFirstDecisionStands) {  // A4, fault 23
  const ApprovalRecord record = RecordFor("call-1", "cmd-1");
  Create(record);
  EXPECT_TRUE(Decide(record, false, "user:anya-1"));
  EXPECT_FALSE(Decide(record, true, "backend"));
  EXPECT_EQ(Get("apr-call-1")->status, ApprovalStatus::kDenied);
  EXPECT_EQ(Get("apr-call-1")->decision->decided_by, "user:anya-1");
}

TEST_P(ApprovalContract, OfFiftyDecisionsAtOnceOneStands) {  // A4, fault 23
  const ApprovalRecord record = RecordFor("call-1", "cmd-1");
  Create(record);
  EXPECT_EQ(HowManyOf(50, [&](int i) { return Decide(record, i % 2 == 0, "backend"); }), 1);
}

TEST_P(ApprovalContract, AnApprovedRecordIsUsedByExactlyOneCaller) {  // A5, A6
  const ApprovalRecord record = RecordFor("call-1", "cmd-1");
  Create(record);
  EXPECT_FALSE(Consume("apr-call-1")) << "pending";
  Decide(record, true, "user:anya-1");
  EXPECT_EQ(HowManyOf(8, [&](int) { return Consume("apr-call-1"); }), 1);
  EXPECT_TRUE(Get("apr-call-1")->consumed);
  EXPECT_FALSE(Consume("apr-call-1"));
}

// A node's 32 job workers at once: each decides each record in a word of its own, and uses what was
// decided. A commit has several of them, as a busy node's have.
TEST_P(ApprovalContract, OfThirtyTwoThreadsOneDecidesAndOneUsesEachOfAThousandRecords) {  // A4, A5
  constexpr int kThreads = 32;
  constexpr std::size_t kInACommit = 20;
#ifdef __SANITIZE_THREAD__  // which makes it twenty times as slow, and needs no thousand
  const std::size_t count = 40;
#else
  const std::size_t count = GetParam().name == "Sqlite" ? 1000 : 100;
#endif
  std::vector<ApprovalRecord> records;
  records.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    records.push_back(RecordFor("call-" + std::to_string(i), "cmd-1"));
  }
  InCommit([&](ApprovalRows& rows) {
    for (const ApprovalRecord& record : records) (void)rows.Create(record);
    return true;
  });
  // Whose word stands, by the record; how many were told that they used it.
  std::vector<std::atomic<int>> decided(count);
  std::vector<std::atomic<int>> winner(count);
  std::vector<std::atomic<int>> used(count);
  HowManyOf(kThreads, [&](int thread) {
    for (std::size_t first = 0; first < count; first += kInACommit) {
      const auto each = [&](const auto& does) {
        while (true) {
          try {
            return InCommit([&](ApprovalRows& rows) {
              std::vector<std::size_t> done;
              for (std::size_t i = first; i < first + kInACommit; ++i) {
                if (does(rows, records[i])) done.push_back(i);
              }
              return done;
            });
          } catch (const Failure& busy) {  // on a slow machine they wait too long for a connection
            if (busy.kind() != Failure::Kind::kTransient) throw;
          }
        }
      };
      for (const std::size_t i : each([&](ApprovalRows&rows, const ApprovalRecord&record) {
             return rows.Decide(Decided(record, true, "backend:" + std::to_string(thread)));
           })) {
        ++decided[i];
        winner[i] = thread;
      }
      for (const std::size_t i : each([](ApprovalRows&rows, const ApprovalRecord&record) {
             return rows.Consume(record.id);
           })) {
        ++used[i];
      }
    }
    return true;
  });
  for (std::size_t i = 0; i < count; ++i) {
    ASSERT_EQ(decided[i], 1) << i;
    ASSERT_EQ(used[i], 1) << i;
    ASSERT_EQ(Get(records[i].id.text())->decision->decided_by,
              "backend:" + std::to_string(winner[i]));
  }
}

TEST_P(ApprovalContract, ADeniedRecordIsWorthNothingAndAnUnknownIdIsAnError) {  // A5, fault 55
  const ApprovalRecord record = RecordFor("call-1", "cmd-1");
  Create(record);
  Decide(record, false, "user:anya-1");
  EXPECT_FALSE(Consume("apr-call-1"));
  EXPECT_THROW(Consume("apr-none"), Failure);
}

TEST_P(ApprovalContract, OfTwoResumesOneProceedsAndTheOtherFailsClosed) {  // A6
  const ApprovalRecord pending = RecordFor("call-1", "cmd-1");
  Create(pending);
  Decide(pending, true, "user:anya-1");
  const ApprovalRecord before = *Get("apr-call-1");
  ApprovalRecord used = before;
  used.consumed = true;
  const auto resume = [&] {
    engine().Commit([&](store::Records& records) { ApprovalRows(records).Follow(before, used); });
  };
  resume();
  try {
    resume();
    FAIL() << "the second went through";
  } catch (const Failure& failure) {
    EXPECT_NE(std::string(failure.what()).find("approval already used by a concurrent request"),
              std::string::npos);
  }
}

TEST_P(ApprovalContract, AUsedDecisionIsWorthNoSecondCall) {  // A7, fault 26
  const ApprovalRecord record = RecordFor("call-1", "cmd-1");
  Create(record);
  Decide(record, true, "user:anya-1");
  Consume("apr-call-1");
  ApprovalRecord again = record;
  again.id = ApprovalId("apr-again");
  const Created created = Create(again);
  EXPECT_EQ(created.kind, Created::Kind::kNew);
  EXPECT_EQ(created.record.status, ApprovalStatus::kPending);
}

TEST_P(ApprovalContract, TheSameCallWithAnotherRequestFailsClosed) {  // A8
  const ApprovalRecord record = RecordFor("call-1", "cmd-1");
  Create(record);
  for (int change = 0; change < 3; ++change) {
    ApprovalRecord other = record;
    other.id = ApprovalId("apr-other");
    if (change == 0) other.kind = "input";
    if (change == 1) other.tool = "crm__drop_table";
    if (change == 2) other.arguments = R"({"message":"all of it"})";
    EXPECT_EQ(Create(other).kind, Created::Kind::kReused) << change << ", under the old digest";
    other.args_digest = router::DigestOf(other.arguments, other.kind, other.tool);
    EXPECT_EQ(Create(other).kind, Created::Kind::kReused) << change;
  }
  Decide(record, true, "user:anya-1");
  Consume("apr-call-1");
  ApprovalRecord other = record;
  other.id = ApprovalId("apr-other");
  other.arguments = "{}";
  other.args_digest = router::DigestOf(other.arguments, other.kind, other.tool);
  EXPECT_EQ(Create(other).kind, Created::Kind::kReused) << "also after the first was used";
}

TEST_P(ApprovalContract, AReusedCallIdFailsTheCommitWithoutTheArguments) {  // A8
  const ApprovalRecord record = RecordFor("call-1", "cmd-1");
  Create(record);
  ApprovalRecord other = record;
  other.arguments = R"({"message":"s3cr3t-xyz"})";
  other.args_digest = router::DigestOf(other.arguments, other.kind, other.tool);
  try {
    engine().Commit(
        [&](store::Records& records) { ApprovalRows(records).Follow(std::nullopt, other); });
    FAIL() << "it was created";
  } catch (const Failure& failure) {
    const std::string what = failure.what();
    EXPECT_NE(what.find("call id reused with different tool/arguments"), std::string::npos);
    EXPECT_EQ(what.find("s3cr3t-xyz"), std::string::npos);
  }
}

TEST_P(ApprovalContract, ARecordThatWasChangedBehindOurBackReleasesNothing) {  // A9
  Hold(ArriveAndStart(Message("m1")), "call-1");
  engine().Commit([](store::Records& records) {
    auto row = records.FindApproval("apr-call-1");
    ApprovalRecord record = router::ApprovalFromText(row->doc);
    record.arguments = R"({"message":"something else"})";
    row->doc = router::ApprovalToText(record);
    ASSERT_TRUE(records.ReplaceApproval(*row, row->status, row->consumed));
  });
  const auto settled = Settle("call-1", Allowed("call-1", kAnya));
  EXPECT_NE(settled.kind, Kind::kSettled);
  for (const router::Work& work : settled.taken) EXPECT_TRUE(work.claim.call.empty());
  EXPECT_EQ(Turn("m1").calls.at(0).state, router::CallState::kFailed);
}

TEST_P(ApprovalContract, LookFindsACallByBothItsIdsOnItsOwnConversationAlone) {  // W5, fault 45
  const router::Claim claim = ArriveAndStart(Message("m1"));
  Tell(claim, Calls({HeldCall("call-1", claim.turn), HeldCall("call-2", claim.turn)}));
  const auto look = [&](const char* app, const char* lane, const char* call, const char* request) {
    return approvals_.Look(router::AppId(app), lane, CallId(call), ApprovalId(request), kAnya);
  };
  EXPECT_TRUE(look("acme", "callouts:team-1", "call-1", "apr-call-1").held);
  EXPECT_FALSE(look("acme", "callouts:team-1", "call-1", "apr-call-2").held);
  EXPECT_TRUE(look("acme", "callouts:team-1", "call-1", "apr-call-2").something_runs);
  EXPECT_FALSE(look("acme", "callouts:team-2", "call-1", "apr-call-1").something_runs);
  EXPECT_FALSE(look("other", "callouts:team-1", "call-1", "apr-call-1").something_runs);
  (void)ArriveAndStart(Message("m2", kBen, router::Cid("callouts:team-2")));
  EXPECT_TRUE(look("acme", "callouts:team-2", "call-1", "apr-call-1").something_runs);
  EXPECT_FALSE(look("acme", "callouts:team-2", "call-1", "apr-call-1").held);
  EXPECT_TRUE(look("acme", "callouts:team-1", "call-1", "apr-call-2").caller_is_asked_there);
  EXPECT_FALSE(
      approvals_.Look(kAcme, kTeam.text(), CallId("call-1"), ApprovalId("apr-call-1"), kBen)
          .caller_is_asked_there);
}

TEST_P(ApprovalContract, AnotherAppCanNeitherReadNorDecideIt) {  // W10, fault 19
  Hold(ArriveAndStart(Message("m1")), "call-1");
  const router::AppId other("other");
  EXPECT_FALSE(approvals_.Get(other, ApprovalId("apr-call-1")));
  EXPECT_TRUE(approvals_.List(other, {}).empty());
  EXPECT_EQ(
      approvals_.Settle(other, ApprovalId("apr-call-1"), Allowed("call-1", kAnya), kNode, Now())
          .kind,
      Kind::kUnknown);
  EXPECT_EQ(StateOf("m1"), router::TurnState::kAwaitingApproval);
}

TEST_P(ApprovalContract, ADecisionMakesItsCallDueInTheSameCommit) {
  const router::Claim claim = ArriveAndStart(Message("m1"));
  Tell(claim, Calls({HeldCall("call-1", claim.turn), HeldCall("call-2", claim.turn)}));
  const auto first = Settle("call-2", Allowed("call-2", kAnya));
  EXPECT_EQ(first.kind, Kind::kSettled);
  ASSERT_EQ(first.taken.size(), 1U);
  EXPECT_EQ(first.taken.front().claim.call.text(), "call-2");
  Run(first.taken.front().claim);
  const auto last = Settle("call-1", Declined("call-1", kAnya));
  ASSERT_EQ(last.taken.size(), 1U);
  EXPECT_TRUE(last.taken.front().claim.call.empty()) << "all are settled: the model is next";
  EXPECT_EQ(last.record->decision->decided_by, "user:anya-1");
}

TEST_P(ApprovalContract, AnAnswerAtTheInstantOfExpiryFindsItExpiredAndTheTurnGoesOn) {  // fault 24
  const router::Claim step = ArriveAndStart(Message("m1"));
  Hold(step, "call-1");
  clock_.Advance(limits_.approval_wait - std::chrono::milliseconds(1));
  EXPECT_EQ(Get("apr-call-1")->status, ApprovalStatus::kPending);
  clock_.Advance(std::chrono::milliseconds(1));
  const auto late = Settle("call-1", Allowed("call-1", kAnya));
  EXPECT_EQ(late.kind, Kind::kAlreadyDecided);
  EXPECT_EQ(late.record->status, ApprovalStatus::kExpired);
  EXPECT_FALSE(late.record->decision);
  ASSERT_EQ(late.taken.size(), 1U) << "the model is told";
  EXPECT_EQ(Turn("m1").calls.at(0).state, router::CallState::kExpired);
}

TEST_P(ApprovalContract, OfFiftyAnswersAtOnceOneSettlesAndOneCallIsSent) {  // A4, fault 23
  Hold(ArriveAndStart(Message("m1")), "call-1");
  std::atomic<int> sent = 0;
  EXPECT_EQ(HowManyOf(50,
                      [&](int i) {
                        const auto settled =
                            Settle("call-1", i % 2 == 0 ? Allowed("call-1", kAnya)
                                                        : Declined("call-1", kAnya));
                        for (const router::Work& work : settled.taken) {
                          if (!work.claim.call.empty()) ++sent;
                        }
                        return settled.kind == Kind::kSettled;
                      }),
            1);
  EXPECT_LE(sent, 1);
}

TEST_P(ApprovalContract, TheyAreListedNewestFirstInStablePages) {  // A12
  const router::Claim claim = ArriveAndStart(Message("m1"));
  Hold(claim, "call-1");
  clock_.Advance(std::chrono::seconds(1));
  Hold(ArriveAndStart(Message("m2", kBen, router::Cid("callouts:team-2"))), "call-2", kBen);
  const auto ids = [&](const router::ApprovalPage& page) {
    std::vector<std::string> found;
    for (const ApprovalRecord& record : approvals_.List(kAcme, page)) {
      found.push_back(record.id.text());
    }
    return found;
  };
  EXPECT_EQ(ids({}), (std::vector<std::string>{"apr-call-2", "apr-call-1"}));
  router::ApprovalPage page;
  page.asked = kBen;
  EXPECT_EQ(ids(page), (std::vector<std::string>{"apr-call-2"}));
  page = {};
  page.run = CommandId("cmd-m1");
  EXPECT_EQ(ids(page), (std::vector<std::string>{"apr-call-1"}));
  page = {};
  page.status = ApprovalStatus::kApproved;
  EXPECT_TRUE(ids(page).empty());
  page = {};
  page.before_id = ApprovalId("apr-call-2");
  page.before_at = Now();
  EXPECT_EQ(ids(page), (std::vector<std::string>{"apr-call-1"}));
}

WRIT_ON_EVERY_ENGINE(ApprovalContract);

}  // namespace writ::tests
