// How often PostgreSQL is asked for a turn: docs/measured.md has the table, and is held to it.
#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>

#include "store/ledger/idle_sessions_over.h"
#include "store/ledger/walks_over.h"
#include "store/postgres/postgres_engine.h"
#include "tests/contract/ledger/ledger_contract.h"

namespace writ::tests {

using router::Claim;

class PostgresStatements : public LedgerContract {
 protected:
  // Runs one of the ledgers' methods and compares what it took with its line of the table.
  template <class Work>
  auto Costs(const std::string& name, const Work& work) {
    const auto before = Counts();
    auto result = work();
    const auto after = Counts();
    std::ostringstream line;
    line << "| " << name << " | " << after.statements - before.statements << " | "
         << after.round_trips - before.round_trips << " |";
    EXPECT_NE(Table().find(line.str()), std::string::npos)
        << "docs/measured.md has no line that begins with\n"
        << line.str();
    statements_ += after.statements - before.statements;
    return result;
  }
  void MustAddUpTo(const std::string& what) {
    const std::string line = "| **" + what + "** | **" + std::to_string(statements_) + "** |";
    EXPECT_NE(Table().find(line), std::string::npos)
        << "docs/measured.md has no line that begins with\n"
        << line;
    statements_ = 0;
  }
  void Deliver(const std::string& face) {
    const auto due = Costs("claim what is to be shown",
                           [&] { return outbox_.ClaimDeliveries(kNode, 64, Now()); });
    EXPECT_EQ(due.size(), 1U);
    Costs(face, [&] {
      outbox_.Delivered(due.at(0), Now());
      return true;
    });
  }

  router::Claim Receive(const router::ChannelEvent& message) {
    const auto accepted = Costs("store a webhook", [&] { return inbox_.Accept(message, Now()); });
    EXPECT_EQ(accepted, router::Inbox::Accepted::kStored);
    auto opened =
        Costs("open its turn", [&] { return turns_.Open(OpeningOf(message), kNode, Now()); });
    const router::Turn& turn = opened.taken.at(0).turn;
    Costs("read its session",
          [&] { return sessions_.FindSession(turn.app, turn.session).has_value(); });
    Costs("read the turns before it", [&] { return turns_.Before(turn, 30).size(); });
    return opened.taken.at(0).claim;
  }

 private:
  store::PostgresEngine::Counts Counts() {
    return dynamic_cast<store::PostgresEngine&>(engine()).counts();
  }
  static const std::string& Table() {
    static const std::string text = [] {
      std::ostringstream all;
      all << std::ifstream("docs/measured.md").rdbuf();
      return all.str();
    }();
    return text;
  }

  std::uint64_t statements_ = 0;
};

TEST_P(PostgresStatements, EachCommitOfATurnTakesWhatTheTableSays) {
  const Claim step = Receive(Message("m1"));
  Costs("take a reply without calls", [&] { return Tell(step, Says("answer")); });
  Deliver("the last face is shown");
  MustAddUpTo("a message and its reply");

  clock_.Advance(std::chrono::seconds(1));
  const Claim asks = Receive(Message("m2"));
  Costs("take a reply whose call is held",
        [&] { return Tell(asks, Calls({HeldCall("call-1", asks.turn)})); });
  Deliver("a face is shown");
  Costs("look for a held call", [&] {
    return approvals_
        .Look(kAcme, kTeam.text(), router::CallId("call-1"), router::ApprovalId("apr-call-1"),
              kAnya)
        .held.has_value();
  });
  auto settled = Costs("decide", [&] { return Settle("call-1", Allowed("call-1", kAnya)); });
  const Claim call = settled.taken.at(0).claim;
  Costs("consume and mark as sending",
        [&] { return Tell(call, router::CallSent{router::CallId("call-1")}); });
  router::CallReported report = Answered("done");
  report.call = router::CallId("call-1");
  const auto reported = Costs("take the call's report", [&] { return Tell(call, report); });
  Deliver("a face is shown");
  Costs("read its session",
        [&] { return sessions_.FindSession(kAcme, reported.turn.session).has_value(); });
  Costs("read the turns before it", [&] { return turns_.Before(reported.turn, 30).size(); });
  Costs("take the reply after results",
        [&] { return Tell(reported.taken.at(0).claim, Says("answer")); });
  Deliver("the last face is shown");
  MustAddUpTo("a message, its held call, the answer and the reply");
}

TEST_P(PostgresStatements, ANodeWithNothingToDoAsksThisMuchARound) {
  Costs("look for work", [&] { return turns_.ClaimDue(kNode, 256, Now()).taken.size(); });
  Costs("look for stored events", [&] { return inbox_.Waiting(200).size(); });
  Costs("look for waits that are over", [&] { return turns_.Wake(kNode, 256, Now()).size(); });
  Costs("look for what is to be shown",
        [&] { return outbox_.ClaimDeliveries(kNode, 64, Now()).size(); });
  Costs("when the next wait is over", [&] { return turns_.NextWake().has_value(); });
  Costs("when the next is to be shown", [&] { return outbox_.NextDelivery().has_value(); });
  Costs("say that the node lives",
        [&] { return turns_.Beat(kNode, Now() + router::kClaimLife, Now(), {}); });
  store::IdleSessionsOver idle(engine());
  store::WalksOver walks(engine());
  const auto begin = [&] { return walks.Begin(kAcme, "idle", std::chrono::minutes(1), Now()); };
  EXPECT_TRUE(Costs("begin a walk through the sessions", begin));
  EXPECT_FALSE(Costs("leave that to the node which did", begin));
  Costs("look for idle sessions", [&] {
    return idle
        .EndIdle(
            kAcme, {}, 100, [](const auto&) { return std::chrono::hours(1); }, Now())
        .ended.size();
  });
}

INSTANTIATE_TEST_SUITE_P(Engines, PostgresStatements,
                         testing::Values(*std::ranges::find(::writ::tests::Engines(), "Postgres",
                                                            &::writ::tests::EngineCase::name)),
                         ::writ::tests::NameOfEngine);

}  // namespace writ::tests
