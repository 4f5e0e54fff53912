// No query of a hot path reads more than it gives: each has its index, however much there is that
// is over, elsewhere or not due.
#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <sstream>
#include <string>

#include "store/postgres/postgres_engine.h"
#include "tests/support/postgres_cluster.h"

namespace writ::store {
namespace {

constexpr TimePoint kNoon{std::chrono::hours(12)};
constexpr int kRows = 3000;

TimePoint At(int second) { return kNoon + std::chrono::seconds(second); }

// Rows of other lanes, sessions, runs and apps, those that are over, and those of a living node.
void Fill(Records& records) {
  records.SaveNode("alive", At(10 * kRows));
  for (int i = 0; i < kRows; ++i) {
    const std::string n = std::to_string(i);
    records.InsertEvent({"acme", "key-" + n, "message-" + n,
                         i % 2 == 0 ? EventRow::State::kDone : EventRow::State::kWaiting, At(i),
                         "doc", i % 4 == 0 ? "cid" : "cid-" + n});
    records.SaveSession(
        {"ses-" + n, "acme", "helper", "cid-" + n, "owner-" + n, i % 2 == 0, At(i), At(i), "doc"});
    TurnRow turn;
    turn.id = "turn-" + n;
    turn.app = "acme";
    turn.lane = i % 2 == 0 ? "lane" : "lane-" + n;
    turn.session = i % 2 == 0 ? "ses" : "ses-" + n;
    turn.message = "message-" + n;
    turn.client_id = "client-" + n;
    turn.line = i % 3 - 1;
    turn.line_at = At(i);
    turn.ended = i % 2 == 0;
    turn.wake_at = At(i + kRows);
    turn.created_at = At(i);
    records.SaveTurn(turn);
    records.InsertApproval({"apr-" + n, "run-" + n, "call", "acme", "lane-" + n, "asked-" + n,
                            i % 5, false, At(i), At(i), "doc"});
    records.SaveLane({"acme", "lane-" + n, "turn-" + n, false});
    records.SaveWork({"turn-" + n, "", "acme", "alive", 1, 1, At(i)});
    records.InsertConsent({"con-" + n, "acme", "lane-" + n, "anya-1", At(i), At(i + kRows), "doc"});
    records.SaveBudget({"acme", "counter-" + n, At(i), 1});
    records.InsertAudit({i % 2 == 0 ? "acme" : "globex", 0, "doc", 0, ""});
    OutboxRow face;
    face.id = "face-" + n;
    face.app = "acme";
    face.lane = "lane-" + n;
    face.wanted = 1;
    face.due = i % 2 == 0;
    face.due_at = At(i);
    face.node = "alive";
    records.SaveOutbox(face, true);
  }
}

class PostgresPlans : public testing::Test {
 protected:
  PostgresPlans() {
    PostgresEngine(options_).Commit(Fill);
    tests::SharedPostgres().Run("VACUUM ANALYZE");
  }

  struct Cost {
    long long whole = 0;  // tables read from end to end
    long long rows = 0;   // that indexes led to
  };
  [[nodiscard]] Cost CostSoFar() const {
    std::stringstream answer(tests::SharedPostgres().Run(
        "SELECT sum(seq_scan)::bigint || ' ' || (SELECT sum(idx_tup_read)::bigint FROM"
        " pg_stat_user_indexes WHERE schemaname = '" +
        options_.schema + "') FROM pg_stat_user_tables WHERE schemaname = '" + options_.schema +
        "' AND relname <> 'writ_schema'"));
    Cost cost;
    answer >> cost.whole >> cost.rows;
    return cost;
  }
  enum class Does { kRead, kWrite };
  // What `work` costs in a read, where it does no more than that, and in a commit of its own.
  void MustBeCheap(const char* name, const std::function<void(Records&)>& work,
                   Does does = Does::kRead) {
    const Cost before = CostSoFar();
    {
      PostgresEngine engine(options_);  // its end tells the server's statistics
      if (does == Does::kRead) engine.Read(work);
      engine.Commit(work);
    }
    const Cost after = CostSoFar();
    EXPECT_EQ(after.whole, before.whole) << name;
    EXPECT_LE(after.rows - before.rows, 40) << name;
  }

  const PostgresOptions options_{.dsn = tests::SharedPostgres().Dsn(),
                                 .schema = tests::NewSchema(),
                                 .connections = 1,
                                 .statement_timeout = std::chrono::seconds(60),
                                 .idle_timeout = std::chrono::seconds(60),
                                 .silence = std::chrono::seconds(60)};
};

TEST_F(PostgresPlans, EachQueryReadsLittleMoreThanItGives) {
  MustBeCheap("FindEvent", [](Records& r) { (void)r.FindEvent("acme", "key-7"); });
  MustBeCheap("WaitingEvents", [](Records& r) { (void)r.WaitingEvents(10); });
  MustBeCheap("FirstWaitingEvent", [](Records& r) { (void)r.FirstWaitingEvent("acme", "cid-7"); });
  MustBeCheap("FirstWaitingEvent of a channel where all is done",
              [](Records& r) { (void)r.FirstWaitingEvent("acme", "cid"); });
  MustBeCheap("ParkedEvents", [](Records& r) { (void)r.ParkedEvents("acme", "message-7"); });
  MustBeCheap("FindSession", [](Records& r) { (void)r.FindSession("ses-8"); });
  MustBeCheap("FindOpenSession",
              [](Records& r) { (void)r.FindOpenSession("acme", "helper", "cid-8"); });
  MustBeCheap("ListSessions",
              [](Records& r) { (void)r.ListSessions("acme", true, {}, {}, "", 9); });
  MustBeCheap("ListSessions of a cid",
              [](Records& r) { (void)r.ListSessions("acme", true, "cid-8", {}, "", 9); });
  MustBeCheap("ListSessions of an owner",
              [](Records& r) { (void)r.ListSessions("acme", true, {}, "owner-8", "", 9); });
  MustBeCheap("ListSessions behind one",
              [](Records& r) { (void)r.ListSessions("acme", true, {}, {}, "ses-2000", 9); });
  MustBeCheap("SessionsActiveSince",
              [](Records& r) { (void)r.SessionsActiveSince("acme", At(0), 9); });
  MustBeCheap("FindTurn", [](Records& r) { (void)r.FindTurn("turn-7"); });
  MustBeCheap("FindTurnOfMessage",
              [](Records& r) { (void)r.FindTurnOfMessage("acme", "message-7"); });
  MustBeCheap("FindTurnOfClient",
              [](Records& r) { (void)r.FindTurnOfClient("ses-7", "client-7"); });
  MustBeCheap("TurnsBefore",
              [](Records& r) { (void)r.TurnsBefore("ses", At(2000), "turn-2000", 9); });
  MustBeCheap("OpenTurnsOfLane", [](Records& r) { (void)r.OpenTurnsOfLane("acme", "lane", 9); });
  MustBeCheap("OpenTurnsOfSession", [](Records& r) { (void)r.OpenTurnsOfSession("ses", 9); });
  MustBeCheap("FirstInLine", [](Records& r) { (void)r.FirstInLine("acme", "lane"); });
  MustBeCheap("CountInLine", [](Records& r) { (void)r.CountInLine("acme", "lane", 1); });
  MustBeCheap("TurnsToWake", [](Records& r) { (void)r.TurnsToWake(At(kRows + 3), 9); });
  MustBeCheap("FirstWake", [](Records& r) { (void)r.FirstWake(); });
  MustBeCheap("FindApproval", [](Records& r) { (void)r.FindApproval("apr-7"); });
  MustBeCheap("ApprovalsOfCall", [](Records& r) { (void)r.ApprovalsOfCall("run-7", "call"); });
  MustBeCheap("ApprovalsOfRun", [](Records& r) { (void)r.ApprovalsOfRun("run-7"); });
  const auto list = [&](const char* name, const std::function<void(ApprovalFilter&)>& narrow) {
    ApprovalFilter filter;
    filter.app = "acme";
    filter.limit = 9;
    narrow(filter);
    MustBeCheap(name, [&](Records& r) { (void)r.ListApprovals(filter); });
  };
  list("ListApprovals", [](ApprovalFilter&) {});
  list("ListApprovals behind one", [](ApprovalFilter& filter) {
    filter.before_at = At(1000);
    filter.before_id = "apr-1000";
  });
  list("ListApprovals by status", [](ApprovalFilter& filter) { filter.status = 9; });
  list("ListApprovals of a run", [](ApprovalFilter& filter) { filter.run = "run-7"; });
  list("ListApprovals of a lane", [](ApprovalFilter& filter) { filter.lane = "lane-7"; });
  list("ListApprovals of a person", [](ApprovalFilter& filter) {
    filter.asked = "asked-7";
    filter.lane = "lane-7";
    filter.status = 0;
  });
  MustBeCheap("FindConsent", [](Records& r) { (void)r.FindConsent("con-7"); });
  MustBeCheap("ConsentsOfLane",
              [](Records& r) { (void)r.ConsentsOfLane("acme", "lane-7", std::nullopt, At(0), 9); });
  MustBeCheap(
      "DeleteBudgetsBefore", [](Records& r) { r.DeleteBudgetsBefore(At(2), 1); }, Does::kWrite);
  MustBeCheap(
      "DeleteConsentsBefore", [](Records& r) { r.DeleteConsentsBefore(At(0), 1); }, Does::kWrite);
  MustBeCheap(
      "DeleteEventsBefore", [](Records& r) { r.DeleteEventsBefore(At(2), 1); }, Does::kWrite);
  MustBeCheap("FindBudget", [](Records& r) { (void)r.FindBudget("acme", "counter-7"); });
  MustBeCheap("FindLane", [](Records& r) { (void)r.FindLane("acme", "lane-7"); });
  MustBeCheap("FindWork", [](Records& r) { (void)r.FindWork("turn-7", ""); });
  MustBeCheap("WorkOfTurn", [](Records& r) { (void)r.WorkOfTurn("turn-7"); });
  MustBeCheap("ClaimableWork", [](Records& r) { (void)r.ClaimableWork(At(kRows), 9); });
  MustBeCheap("FindOutbox", [](Records& r) { (void)r.FindOutbox("face-7"); });
  MustBeCheap("DeliverableOutbox", [](Records& r) { (void)r.DeliverableOutbox("", At(kRows), 9); });
  MustBeCheap("FirstDelivery", [](Records& r) { (void)r.FirstDelivery(""); });
  MustBeCheap("OutboxOfLane", [](Records& r) { (void)r.OutboxOfLane("acme", "lane-8", 9); });
  MustBeCheap("UnsealedAudit", [](Records& r) { (void)r.UnsealedAudit("acme", 9); });
  MustBeCheap("SealedAudit", [](Records& r) { (void)r.SealedAudit("acme", 0, 9); });
  MustBeCheap("FindAuditChain", [](Records& r) { (void)r.FindAuditChain("acme"); });
  MustBeCheap("IsAlive", [](Records& r) { (void)r.IsAlive("alive", At(0)); });
}

}  // namespace
}  // namespace writ::store
