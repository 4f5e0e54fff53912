// No query of a hot path reads more than it gives, however much there is that is over, elsewhere or
// not due; and none asks the server more than twice.
#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <string>

#include "store/redis/redis_engine.h"
#include "tests/support/redis_server.h"

namespace writ::store {
namespace {

constexpr TimePoint kNoon{std::chrono::hours(12)};
constexpr int kRows = 1500;

TimePoint At(int second) { return kNoon + std::chrono::seconds(second); }

// Rows of other lanes, sessions, runs and apps, those that are over, and those of a living node.
void Fill(Records& records, int from, int to) {
  records.SaveNode("alive", At(10 * kRows));
  for (int i = from; i < to; ++i) {
    const std::string n = std::to_string(i);
    records.InsertEvent({"acme", "key-" + n, "message-" + n, EventRow::State::kDone, At(i), "doc"});
    records.SaveSession(
        {"ses-" + n, "acme", "helper", "cid-" + n, "owner-" + n, i % 2 == 0, At(i), At(i), "doc"});
    TurnRow turn;
    turn.id = "turn-" + n;
    turn.app = "acme";
    turn.lane = i % 2 == 0 ? "lane" : "lane-" + n;
    turn.session = i % 2 == 0 ? "ses" : "ses-" + n;
    turn.message = "message-" + n;
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
    records.InsertAudit({i % 2 == 0 ? "acme" : "globex", 0, "doc", 0, ""});
    OutboxRow face;
    face.id = "face-" + n;
    face.app = "acme";
    face.lane = "lane-" + n;
    face.wanted = 1;
    face.due = i % 2 == 0;
    face.due_at = At(i);
    face.node = "alive";
    records.SaveOutbox(face, false);
  }
}

class RedisCosts : public testing::Test {
 protected:
  RedisCosts() {
    constexpr int kAtOnce = 50;
    for (int from = 0; from < kRows; from += kAtOnce) {
      engine_.Commit([&](Records& records) { Fill(records, from, from + kAtOnce); });
    }
  }

  // Commands that the server ran, those within scripts included.
  [[nodiscard]] static long long CommandsSoFar() {
    const std::string info = tests::SharedRedis().Run({"INFO", "stats"});
    const std::string name = "total_commands_processed:";
    return std::stoll(info.substr(info.find(name) + name.size()));
  }
  void MustBeCheap(const char* name, const std::function<void(Records&)>& work) {
    const long long before = CommandsSoFar();
    const std::uint64_t trips = engine_.counts().round_trips;
    engine_.Read(work);
    // The node asks for the time meanwhile, now and then, and this test for the commands.
    EXPECT_LE(engine_.counts().round_trips - trips, 4U) << name;
    EXPECT_LE(CommandsSoFar() - before, 60) << name;
  }

  RedisEngine engine_{{.url = tests::SharedRedis().Url(), .prefix = tests::NewPrefix()}};
};

TEST_F(RedisCosts, EachQueryReadsLittleMoreThanItGives) {
  MustBeCheap("FindEvent", [](Records& r) { (void)r.FindEvent("acme", "key-7"); });
  MustBeCheap("WaitingEvents", [](Records& r) { (void)r.WaitingEvents(10); });
  MustBeCheap("ParkedEvents", [](Records& r) { (void)r.ParkedEvents("acme", "message-7"); });
  MustBeCheap("FindOpenSession",
              [](Records& r) { (void)r.FindOpenSession("acme", "helper", "cid-8"); });
  MustBeCheap("ListSessions",
              [](Records& r) { (void)r.ListSessions("acme", true, {}, {}, "", 9); });
  MustBeCheap("ListSessions of a cid",
              [](Records& r) { (void)r.ListSessions("acme", true, "cid-8", {}, "", 9); });
  MustBeCheap("ListSessions of an owner",
              [](Records& r) { (void)r.ListSessions("acme", true, {}, "owner-8", "", 9); });
  MustBeCheap("ListSessions behind one",
              [](Records& r) { (void)r.ListSessions("acme", true, {}, {}, "ses-1000", 9); });
  MustBeCheap("SessionsActiveSince",
              [](Records& r) { (void)r.SessionsActiveSince("acme", At(0), 9); });
  MustBeCheap("FindTurnOfMessage",
              [](Records& r) { (void)r.FindTurnOfMessage("acme", "message-7"); });
  MustBeCheap("TurnsBefore",
              [](Records& r) { (void)r.TurnsBefore("ses", At(1000), "turn-1000", 9); });
  MustBeCheap("OpenTurnsOfLane", [](Records& r) { (void)r.OpenTurnsOfLane("acme", "lane", 9); });
  MustBeCheap("OpenTurnsOfSession", [](Records& r) { (void)r.OpenTurnsOfSession("ses", 9); });
  MustBeCheap("FirstInLine", [](Records& r) { (void)r.FirstInLine("acme", "lane"); });
  MustBeCheap("CountInLine", [](Records& r) { (void)r.CountInLine("acme", "lane", 1); });
  MustBeCheap("TurnsToWake", [](Records& r) { (void)r.TurnsToWake(At(kRows + 9), 5); });
  MustBeCheap("FirstWake", [](Records& r) { (void)r.FirstWake(); });
  MustBeCheap("ApprovalsOfCall", [](Records& r) { (void)r.ApprovalsOfCall("run-7", "call"); });
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
    filter.status = 0;
  });
  MustBeCheap("ConsentsOfLane",
              [](Records& r) { (void)r.ConsentsOfLane("acme", "lane-7", std::nullopt, At(0), 9); });
  MustBeCheap("FindLane", [](Records& r) { (void)r.FindLane("acme", "lane-7"); });
  MustBeCheap("WorkOfTurn", [](Records& r) { (void)r.WorkOfTurn("turn-7"); });
  MustBeCheap("ClaimableWork", [](Records& r) { (void)r.ClaimableWork(At(kRows), 9); });
  MustBeCheap("DeliverableOutbox", [](Records& r) { (void)r.DeliverableOutbox("", At(kRows), 9); });
  MustBeCheap("FirstDelivery", [](Records& r) { (void)r.FirstDelivery(""); });
  MustBeCheap("OutboxOfLane", [](Records& r) { (void)r.OutboxOfLane("acme", "lane-8", 9); });
  MustBeCheap("UnsealedAudit", [](Records& r) { (void)r.UnsealedAudit("acme", 9); });
  MustBeCheap("SealedAudit", [](Records& r) { (void)r.SealedAudit("acme", 0, 9); });
  MustBeCheap("IsAlive", [](Records& r) { (void)r.IsAlive("alive", At(0)); });
}

}  // namespace
}  // namespace writ::store
