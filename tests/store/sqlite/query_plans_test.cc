#include <gtest/gtest.h>

#include <string>

#include "store/sqlite/opening.h"
#include "store/sqlite/sqlite_records.h"
#include "tests/store/sqlite/temporary_folder.h"

namespace writ::store {

namespace {

// Runs each method once, and each shape of those whose statement depends on what is asked for.
void RunEvents(Records& records) {
  records.InsertEvent({"acme", "new:1", "m", EventRow::State::kWaiting, {}, ""});
  records.FindEvent("acme", "new:1");
  records.SetEventState("acme", "new:1", EventRow::State::kDone);
  records.WaitingEvents(1);
  records.FirstWaitingEvent("acme", "c");
  records.ParkedEvents("acme", "m");
  records.ParkedEventsSince("acme", {}, 1);
  records.DeleteEventsBefore({}, 1);
}

void RunSessions(Records& records) {
  SessionRow row;
  row.id = "ses-1";
  records.SaveSession(row);
  records.FindSession("ses-1");
  records.FindOpenSession("acme", "helper", "agent:1");
  for (const bool by_cid : {false, true}) {
    for (const bool by_owner : {false, true}) {
      records.ListSessions("acme", true, by_cid ? std::optional<std::string>("c") : std::nullopt,
                           by_owner ? std::optional<std::string>("o") : std::nullopt, "ses-1", 1);
    }
  }
  records.SessionsActiveSince("acme", {}, 1);
}

void RunTurns(Records& records) {
  TurnRow row;
  row.id = "turn-1";
  records.SaveTurn(row);
  records.FindTurn("turn-1");
  records.FindTurnOfMessage("acme", "m");
  records.FindTurnOfClient("ses-1", "c");
  records.TurnsBefore("ses-1", {}, "turn-1", 1);
  records.OpenTurnsOfLane("acme", "lane", 1);
  records.OpenTurnsOfSession("ses-1", 1);
  records.FirstInLine("acme", "lane");
  records.CountInLine("acme", "lane", 1);
  records.TurnsToWake({}, 1);
  records.FirstWake();
  records.DeleteTurn("turn-1");
}

void RunApprovals(Records& records) {
  ApprovalRow row;
  row.id = "apr-1";
  records.InsertApproval(row);
  records.FindApproval("apr-1");
  records.ApprovalsOfCall("run", "call");
  records.ApprovalsOfRun("run");
  records.ReplaceApproval(row, 0, false);
  for (unsigned shape = 0; shape < 16; ++shape) {
    ApprovalFilter filter;
    if ((shape & 1U) != 0) filter.status = 0;
    if ((shape & 2U) != 0) filter.run = "run";
    if ((shape & 4U) != 0) filter.lane = "lane";
    if ((shape & 8U) != 0) filter.asked = "anya-1";
    records.ListApprovals(filter);
  }
}

void RunConsents(Records& records) {
  ConsentRow row;
  row.id = "con-1";
  records.InsertConsent(row);
  records.FindConsent("con-1");
  records.ConsentsOfLane("acme", "lane", std::nullopt, {}, 1);
  records.ConsentsOfLane("acme", "lane", "anya-1", {}, 1);
  records.DeleteConsentsBefore({}, 1);
  records.DeleteConsent("con-1");
}

void RunWorkAndNodes(Records& records) {
  records.SaveBudget({"acme", "calls", {}, 1});
  records.FindBudget("acme", "calls");
  records.DeleteBudgetsBefore({}, 1);
  records.SaveLane({"acme", "lane", "turn-1", true});
  records.FindLane("acme", "lane");
  records.SaveLane({"acme", "lane", "", false});
  records.SaveWork({"turn-1", "", "acme", "node-1", 1, 1, {}});
  records.FindWork("turn-1", "");
  records.WorkOfTurn("turn-1");
  records.ClaimableWork({}, 1);
  records.DeleteWork("turn-1", "");
  records.NextFence();
  records.SaveNode("node-1", {});
  records.IsAlive("node-1", {});
  records.DeleteNode("node-1");
  records.DeleteNodesBut("node-1");
}

void RunOutbox(Records& records) {
  OutboxRow row;
  row.id = "face:1";
  row.due = true;
  records.SaveOutbox(row, true);
  records.FindOutbox("face:1");
  records.DeliverableOutbox("", {}, 1);
  records.FirstDelivery("");
  records.OutboxOfLane("acme", "lane", 1);
  records.DeleteOutbox("face:1");
}

void RunAudit(Records& records) {
  records.NextAuditNumber("ses-1");
  records.InsertAudit({"acme", 0, "doc", 0, ""});
  records.UnsealedAudit("acme", 1);
  records.SealAudit(1, 1, "mac");
  records.SealedAudit("acme", 0, 1);
  records.SetAuditAside(1, "aside");
  records.DeleteAuditThrough("acme", 1);
  records.SaveAuditChain({"acme", 1, "mac", ""}, 0);
  records.FindAuditChain("acme");
}

std::vector<std::string> PlanOf(Connection& connection, const std::string& sql) {
  std::vector<std::string> steps;
  SQLite::Statement plan(connection.database(), "EXPLAIN QUERY PLAN " + sql);
  while (plan.executeStep()) steps.push_back(plan.getColumn(3).getString());
  return steps;
}

// What is read from its start and holds only what is not over, in the order that is wanted; and the
// nodes, which are a handful.
bool IsShort(const std::string& step) {
  return step == "SCAN nodes" || step == "SCAN events USING INDEX events_waiting" ||
         step == "SCAN turns USING COVERING INDEX turns_to_wake";
}

// Of a run, a lane's or a person's few.
bool MaySort(const std::string& sql) {
  return sql.find("WHERE run = ") != std::string::npos ||
         sql.find("INDEXED BY approvals_of_") != std::string::npos;
}

TEST(QueryPlans, NoStatementReadsATableFromEndToEnd) {
  const TemporaryFolder folder;
  const auto connection = OpenForWriting(folder.File("writ.db"));
  SqliteRecords records(*connection, true);
  RunEvents(records);
  RunSessions(records);
  RunTurns(records);
  RunApprovals(records);
  RunConsents(records);
  RunWorkAndNodes(records);
  RunOutbox(records);
  RunAudit(records);
  const auto texts = connection->PreparedTexts();
  EXPECT_GT(texts.size(), 60U);
  for (const std::string& sql : texts) {
    for (const std::string& step : PlanOf(*connection, sql)) {
      EXPECT_TRUE(!step.starts_with("SCAN") || IsShort(step)) << sql << "\n  " << step;
      EXPECT_TRUE(step.find("TEMP B-TREE") == std::string::npos || MaySort(sql))
          << sql << "\n  " << step;
    }
  }
}

}  // namespace

}  // namespace writ::store
