// What a turn costs the SQLite store: counted and timed step by step, through the ledgers that a
// node uses, in this process and without any network.
#include <sqlite3.h>

#include <atomic>
#include <functional>
#include <iomanip>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bot/process/system_clock.h"
#include "router/turn/next.h"
#include "store/ledger/approvals_over.h"
#include "store/ledger/inbox_over.h"
#include "store/ledger/outbox_over.h"
#include "store/ledger/sessions_over.h"
#include "store/ledger/turns_over.h"
#include "store/sqlite/sqlite_engine.h"
#include "tests/bench/scenarios.h"
#include "tests/router/turn/a_turn.h"
#include "tests/support/recording_log.h"
#include "tests/support/temporary_folder.h"

namespace writ::bench {
namespace {

constexpr std::size_t kTurns = 200;

// Of all connections that are opened after Watch(). What SQLite runs, but for what begins and ends
// transactions.
class Statements {
 public:
  static void Watch() { sqlite3_auto_extension(reinterpret_cast<void (*)()>(OnOpen)); }
  static void Unwatch() { sqlite3_cancel_auto_extension(reinterpret_cast<void (*)()>(OnOpen)); }
  static std::size_t Count() { return count_; }

 private:
  static int OnOpen(sqlite3* database, char** /*error*/, const sqlite3_api_routines* /*api*/) {
    return sqlite3_trace_v2(database, SQLITE_TRACE_STMT, OnStatement, nullptr);
  }
  static int OnStatement(unsigned /*type*/, void* /*context*/, void* statement, void* /*text*/) {
    const std::string_view sql = sqlite3_sql(static_cast<sqlite3_stmt*>(statement));
    for (const char* frame : {"BEGIN", "COMMIT", "SAVEPOINT", "RELEASE", "PRAGMA"}) {
      if (sql.starts_with(frame)) return 0;
    }
    ++count_;
    return 0;
  }
  static inline std::atomic<std::size_t> count_{0};
};

// An engine that counts.
class CountingEngine final : public store::Engine {
 public:
  explicit CountingEngine(store::Engine& engine) : engine_(engine) {}

  void Commit(const std::function<void(store::Records&)>& work) override {
    ++commits_;
    engine_.Commit(work);
  }
  void Read(const std::function<void(store::Records&)>& work) override { engine_.Read(work); }
  [[nodiscard]] bool IsExclusive() const override { return engine_.IsExclusive(); }
  [[nodiscard]] std::size_t commits() const { return commits_; }

 private:
  store::Engine& engine_;
  std::atomic<std::size_t> commits_{0};
};

// One step of a turn, over all turns.
struct Cost {
  std::vector<double> took;  // ms
  std::size_t statements = 0;
  std::size_t commits = 0;
};

class Turns {
 public:
  explicit Turns(const std::filesystem::path& folder)
      : folder_(folder), sqlite_({.path = folder_.File("writ.db")}), engine_(sqlite_) {
    (void)turns_.Beat(kNode, clock_.Now() + router::kClaimLife, clock_.Now(), {});
  }

  void RunOne(std::size_t number) {
    const std::string id = std::to_string(number);
    router::ChannelEvent event = EventOf(id);
    Step("store the webhook", [&] { (void)inbox_.Accept(event, clock_.Now()); });
    router::EventOpened opened;
    Step("open its turn", [&] { opened = turns_.Open(OpeningOf(event), kNode, clock_.Now()); });
    const router::Work& work = opened.taken.at(0);
    Step("read its session and the turns before it", [&] { ReadBefore(work.turn); });
    Step("take a reply whose call is held", [&] { Advance(work.claim, AsksFor(id, work)); });
    Show();
    Step("look for the held call", [&] {
      (void)approvals_.Look(kApp, work.turn.lane, CallOf(id), ApprovalOf(id), tests::kAnya);
    });
    router::ApprovalLedger::Settled settled;
    Step("decide", [&] { settled = Settle(id); });
    const router::Claim call = settled.taken.at(0).claim;
    Step("consume the approval and mark as sending",
         [&] { Advance(call, router::CallSent{CallOf(id)}); });
    router::Advanced reported;
    Step("take the call's report", [&] {
      reported =
          Advance(call, router::CallReported{
                            CallOf(id), {router::CallReport::Kind::kAnswered, "done", false, ""}});
    });
    Show();
    Step("read its session and the turns before it", [&] { ReadBefore(work.turn); });
    router::ModelReplied says;
    says.reply.text = "That is noted.";
    Step("take the reply after results", [&] { Advance(reported.taken.at(0).claim, says); });
    Show();
  }

  [[nodiscard]] const std::map<std::string, Cost>& costs() const { return costs_; }
  [[nodiscard]] const std::vector<std::string>& steps() const { return steps_; }

 private:
  static inline const router::AppId kApp{"acme"};
  static inline const router::NodeId kNode{"node-1"};

  static router::CallId CallOf(const std::string& id) { return router::CallId("call_" + id); }
  static router::ApprovalId ApprovalOf(const std::string& id) {
    return router::ApprovalId("apr_call_" + id);
  }

  void Step(const std::string& name, const std::function<void()>& work) {
    if (!costs_.contains(name)) steps_.push_back(name);
    Cost& cost = costs_[name];
    const std::size_t statements = Statements::Count();
    const std::size_t commits = engine_.commits();
    const auto start = Steady::now();
    work();
    cost.took.push_back(std::chrono::duration<double, std::milli>(Steady::now() - start).count());
    cost.statements += Statements::Count() - statements;
    cost.commits += engine_.commits() - commits;
  }

  // The channel is shown what the last step led to.
  void Show() {
    std::vector<router::Delivery> due;
    Step("claim what is to be shown",
         [&] { due = outbox_.ClaimDeliveries(kNode, 64, clock_.Now()); });
    Step("a face is shown", [&] { outbox_.Delivered(due.at(0), clock_.Now()); });
  }

  void ReadBefore(const router::Turn& turn) {
    (void)sessions_.FindSession(turn.app, turn.session);
    (void)turns_.Before(turn, 30);
  }

  router::Advanced Advance(const router::Claim& claim, auto what) {
    auto advanced = turns_.Advance(claim, {clock_.Now(), std::move(what)});
    if (!advanced) throw std::runtime_error("a turn did not go on");
    return *std::move(advanced);
  }

  router::ApprovalLedger::Settled Settle(const std::string& id) {
    router::CallDecided decided;
    decided.call = CallOf(id);
    decided.approval = ApprovalOf(id);
    decided.decision.approved = true;
    decided.decision.decided_by = "user:anya-1";
    return approvals_.Settle(kApp, ApprovalOf(id), decided, kNode, clock_.Now());
  }

  // A few channels, so that a turn has others before it.
  [[nodiscard]] router::ChannelEvent EventOf(const std::string& id) const {
    router::ChannelEvent event;
    event.app = kApp;
    event.cid = router::Cid("callouts:team-" + std::to_string(std::stoul(id) % 20));
    event.message = router::MessageId("message-" + id);
    event.author = tests::kAnya;
    event.actor = tests::kAnya;
    event.author_name = "Anya";
    event.text = "echo my shift";
    event.created_at = event.happened_at = clock_.Now();
    return event;
  }

  [[nodiscard]] router::Opening OpeningOf(const router::ChannelEvent& event) const {
    router::Opening opening;
    opening.event = event;
    opening.agent = router::AgentId("helper");
    opening.rule = router::ChannelRule::kNamed;
    opening.session_idle = std::chrono::hours(7 * 24);
    opening.new_session = router::SessionId("ses_" + event.message.text());
    opening.new_command = router::CommandId("cmd_" + event.message.text());
    return opening;
  }

  [[nodiscard]] static router::ModelReplied AsksFor(const std::string& id,
                                                    const router::Work& work) {
    router::GatedCall gated;
    gated.call = tests::ACall("call_" + id, R"({"message":"my shift"})");
    gated.verdict = router::GatedCall::Verdict::kHeld;
    gated.approval = tests::AnApproval(gated.call);
    gated.approval.run = work.turn.id;
    gated.approval.lane = work.turn.lane;
    gated.approval.cid = work.turn.cid;
    router::ModelReplied replied;
    replied.reply.calls.push_back(
        {gated.call.provider_id, gated.call.offered_name, gated.call.arguments});
    replied.calls = {std::move(gated)};
    return replied;
  }

  const tests::TemporaryFolder folder_;
  const bot::SystemClock clock_;
  tests::RecordingLog log_;
  const store::TellingOf telling_;
  store::SqliteEngine sqlite_;
  CountingEngine engine_;
  store::InboxOver inbox_{engine_};
  store::TurnsOver turns_{engine_, log_, telling_};
  store::SessionsOver sessions_{engine_, telling_};
  store::ApprovalsOver approvals_{engine_, telling_};
  store::OutboxOver outbox_{engine_};
  std::map<std::string, Cost> costs_;
  std::vector<std::string> steps_;  // in order
};

}  // namespace

void MeasureCommits(Bench& bench) {
  Report& report = bench.report;
  report.Section("Commits of a turn with one held call, on SQLite");
  report.Say(
      "One turn after the other, so each commit has a sync of its own. Counted without what begins "
      "and ends a transaction; that no statement of these scans a table is held by "
      "`tests/store/sqlite/query_plans_test.cc`.");
  Statements::Watch();
  Turns turns(bench.folder);
  for (std::size_t i = 0; i < kTurns; ++i) turns.RunOne(i);
  Statements::Unwatch();
  double statements = 0;
  double commits = 0;
  double took = 0;
  std::ostringstream table;
  table << "| step | statements | commits | p50, ms |\n| --- | --- | --- | --- |\n"
        << std::fixed << std::setprecision(1);
  for (const std::string& step : turns.steps()) {
    const Cost& cost = turns.costs().at(step);
    const auto times = static_cast<double>(cost.took.size());
    const double median = Quantile(cost.took, 0.5);
    table << "| " << step;
    if (cost.took.size() > kTurns) table << ", " << cost.took.size() / kTurns << " times";
    table << " | " << static_cast<double>(cost.statements) / times << " | "
          << cost.commits / cost.took.size() << " | " << std::setprecision(2) << median
          << std::setprecision(1) << " |\n";
    statements += static_cast<double>(cost.statements) / kTurns;
    commits += static_cast<double>(cost.commits) / kTurns;
    took += median * times / kTurns;
  }
  report.Say("\n\n" + table.str());
  report.Take("the whole turn, statements", "", statements);
  report.Take("the whole turn, commits", "", commits);
  report.Take("the whole turn in the store", "ms", took);
}

}  // namespace writ::bench
