// Sessions: one open a channel and agent, each app's own.
#include "store/ledger/idle_sessions_over.h"
#include "store/ledger/walks_over.h"
#include "tests/contract/ledger/ledger_contract.h"

namespace writ::tests {

using router::AppId;
using router::Session;
using router::SessionId;
using router::TurnState;
using std::chrono::seconds;

class SessionContract : public LedgerContract {
 protected:
  Session SessionFor(const std::string& id, const std::string& cid = "") const {
    Session session;
    session.id = SessionId(id);
    session.app = kAcme;
    session.agent = kHelper;
    session.cid = router::Cid(cid);
    session.owner = kAnya;
    session.by_webhook = false;
    session.created_at = Now();
    session.last_active_at = Now();
    return session;
  }
  std::vector<std::string> Listed(const router::SessionLedger::Page& page) {
    std::vector<std::string> ids;
    for (const Session& session : sessions_.ListSessions(kAcme, page)) {
      ids.push_back(session.id.text());
    }
    return ids;
  }
};

TEST_P(SessionContract, AChannelHasOneOpenSession) {
  EXPECT_TRUE(sessions_.OpenSession(SessionFor("ses-1", "agent:one"), {}).created);
  const auto second = sessions_.OpenSession(SessionFor("ses-2", "agent:one"), {});
  EXPECT_FALSE(second.created);
  EXPECT_EQ(second.session.id.text(), "ses-1");
  EXPECT_FALSE(sessions_.FindSession(kAcme, SessionId("ses-2")));
}

TEST_P(SessionContract, SessionsWithoutAChannelAreManyAndTheirOwnersCommandsAreTheirs) {
  EXPECT_TRUE(sessions_.OpenSession(SessionFor("ses-1"), {}).created);
  EXPECT_TRUE(sessions_.OpenSession(SessionFor("ses-2"), {}).created);
}

TEST_P(SessionContract, AnotherAppSeesNothingOfIt) {  // W10, fault 19
  sessions_.OpenSession(SessionFor("ses-1", "agent:one"), {});
  const AppId other("other");
  EXPECT_FALSE(sessions_.FindSession(other, SessionId("ses-1")));
  EXPECT_FALSE(sessions_.OpenSessionOn(other, kHelper, router::Cid("agent:one")));
  EXPECT_TRUE(sessions_.ListSessions(other, {}).empty());
  EXPECT_TRUE(sessions_.CloseSession(other, SessionId("ses-1"), kNode, Now()).empty());
  EXPECT_TRUE(sessions_.FindSession(kAcme, SessionId("ses-1"))->open);
}

TEST_P(SessionContract, TheyAreListedNewestFirstInStablePages) {
  for (const char* id : {"ses-1", "ses-2", "ses-3"}) {
    sessions_.OpenSession(SessionFor(id), {});
    clock_.Advance(seconds(1));
  }
  router::SessionLedger::Page page;
  page.limit = 2;
  EXPECT_EQ(Listed(page), (std::vector<std::string>{"ses-3", "ses-2"}));
  sessions_.OpenSession(SessionFor("ses-4"), {});
  page.before = SessionId("ses-2");
  EXPECT_EQ(Listed(page), (std::vector<std::string>{"ses-1"}));
  page = {};
  page.owner = kBen;
  EXPECT_TRUE(Listed(page).empty());
}

TEST_P(SessionContract, ClosingItCancelsWhatIsOpenAndNoTurnGetsTheLeaseOnTheWay) {
  Hold(ArriveAndStart(Message("m1")), "call-1");
  clock_.Advance(seconds(1));
  Arrive(Message("m2", kBen));
  const SessionId session = Turn("m1").session;
  const auto ended = sessions_.CloseSession(kAcme, session, kNode, Now());
  EXPECT_EQ(ended.size(), 2U);
  for (const auto& advanced : ended) EXPECT_TRUE(advanced.taken.empty());
  EXPECT_EQ(StateOf("m1"), TurnState::kCancelled);
  EXPECT_EQ(StateOf("m2"), TurnState::kCancelled);
  EXPECT_TRUE(turns_.ClaimDue(kNode, 10, Now()).taken.empty());
  EXPECT_FALSE(sessions_.FindSession(kAcme, session)->open);
  ArriveAndStart(Message("m3"));
  EXPECT_NE(Turn("m3").session, session);
}

TEST_P(SessionContract, TheHistoryIsKeptTheFirstTimeOnly) {
  sessions_.OpenSession(SessionFor("ses-1", "agent:one"), {});
  router::HistoryMessage said;
  said.id = router::MessageId("m0");
  said.text = "before";
  sessions_.RememberHistory(SessionId("ses-1"), {said});
  sessions_.RememberHistory(SessionId("ses-1"), {});
  const auto session = sessions_.FindSession(kAcme, SessionId("ses-1"));
  EXPECT_TRUE(session->history_known);
  ASSERT_EQ(session->history.size(), 1U);
  EXPECT_EQ(session->history.front().text, "before");
}

TEST_P(SessionContract, TheOwnersMessageHasTheOwnerAsInitiatorNobodyElses) {  // W16, W29
  sessions_.OpenSession(SessionFor("ses-1", "agent:one"), {});
  rule_ = router::ChannelRule::kAgent;
  ArriveAndStart(Message("m1", kAnya, router::Cid("agent:one")));
  Arrive(Message("m2", kBen, router::Cid("agent:one")));
  EXPECT_EQ(Turn("m1").initiator, kAnya);
  EXPECT_TRUE(Turn("m1").writer.empty());
  EXPECT_TRUE(Turn("m2").initiator.empty());
}

TEST_P(SessionContract, WhereMessagesMayHaveBeenMissedIsKnown) {  // L13
  ArriveAndStart(Message("m1"));
  const auto active = sessions_.ActiveSince(kAcme, Now() - seconds(900), 10);
  ASSERT_EQ(active.size(), 1U);
  EXPECT_EQ(active.front().cid, kTeam);
  EXPECT_TRUE(sessions_.ActiveSince(kAcme, Now() + seconds(1), 10).empty());
}

TEST_P(SessionContract, WhatCameBeforeACommandIsGivenNewestFirst) {
  Tell(ArriveAndStart(Message("m1")), Says("one"));
  clock_.Advance(seconds(1));
  Tell(ArriveAndStart(Message("m2")), Says("two"));
  clock_.Advance(seconds(1));
  ArriveAndStart(Message("m3"));
  const auto before = turns_.Before(Turn("m3"), 10);
  ASSERT_EQ(before.size(), 2U);
  EXPECT_EQ(before[0].reply, "two");
  EXPECT_EQ(before[1].reply, "one");
}

TEST_P(SessionContract, AClientIdIsEachCallersOwn) {
  sessions_.OpenSession(SessionFor("ses-1"), {});
  int commands = 0;
  const auto take = [&](const router::UserId& initiator) {
    router::ApiCommand command;
    command.app = kAcme;
    command.session = SessionId("ses-1");
    command.text = "do it";
    command.client_id = "1";
    command.initiator = initiator;
    command.limits = limits_;
    command.new_command = router::CommandId("cmd-" + std::to_string(++commands));
    return turns_.Take(command, kNode, Now()).command.text();
  };
  EXPECT_EQ(take(kAnya), "cmd-1");
  EXPECT_EQ(take({}), "cmd-2") << "the backend's own";
  EXPECT_EQ(take(kAnya), "cmd-1");
  EXPECT_EQ(take({}), "cmd-2");
}

TEST_P(SessionContract, OfTheNodesOneWalksThroughTheSessions) {
  if (engine().IsExclusive()) GTEST_SKIP() << "one node alone";
  store::WalksOver one(engine());
  store::WalksOver other(engine());
  const auto rest = std::chrono::minutes(1);
  EXPECT_TRUE(one.Begin(kAcme, "idle", rest, Now()));
  EXPECT_FALSE(other.Begin(kAcme, "idle", rest, Now()));
  EXPECT_TRUE(other.Begin(router::AppId("beta"), "idle", rest, Now())) << "each app has its own";
  EXPECT_TRUE(other.Begin(kAcme, "closed", rest, Now())) << "each walk, too";
  clock_.Advance(std::chrono::seconds(59));
  EXPECT_FALSE(one.Begin(kAcme, "idle", rest, Now()));
  clock_.Advance(std::chrono::seconds(1));
  EXPECT_TRUE(other.Begin(kAcme, "idle", rest, Now()));
  EXPECT_FALSE(one.Begin(kAcme, "idle", rest, Now()));
}

TEST_P(SessionContract, WhatNobodyUsesEndsByItself) {
  store::IdleSessionsOver idle(engine());
  Session incognito = SessionFor("ses-quiet");
  incognito.incognito = true;
  sessions_.OpenSession(incognito, {});
  Session busy = incognito;
  busy.id = SessionId("ses-busy");
  sessions_.OpenSession(busy, {});
  sessions_.OpenSession(SessionFor("ses-own"), {});
  const router::Claim claim = ArriveAndStart(Message("m1"));
  const SessionId webhooks = Turn("m1").session;
  router::ApiCommand command;
  command.app = kAcme;
  command.session = busy.id;
  command.text = "wait";
  command.initiator = kAnya;
  command.limits = limits_;
  command.new_command = router::CommandId("cmd-busy");
  (void)turns_.Take(command, kNode, Now());
  const auto look = [&] {
    std::vector<std::string> ended;
    SessionId last;
    do {  // a page may be as short as that
      const auto looked = idle.EndIdle(
          kAcme, last, 2, [](const auto&) { return std::chrono::hours(7 * 24); }, Now());
      for (const SessionId& id : looked.ended) ended.push_back(id.text());
      last = looked.last;
    } while (!last.empty() && ended.empty());
    return ended;
  };
  EXPECT_TRUE(look().empty());
  clock_.Advance(std::chrono::minutes(61));
  EXPECT_EQ(look(), (std::vector<std::string>{"ses-quiet"}));
  EXPECT_FALSE(sessions_.FindSession(kAcme, incognito.id)) << "nothing is left of it";
  EXPECT_TRUE(sessions_.FindSession(kAcme, busy.id)->open) << "a command of it has not ended";
  clock_.Advance(std::chrono::hours(8 * 24));
  EXPECT_TRUE(look().empty()) << "the webhook's has a turn that has not ended";
  Tell(claim, Says("done"));
  EXPECT_EQ(look(), (std::vector<std::string>{webhooks.text()}));
  EXPECT_FALSE(sessions_.FindSession(kAcme, webhooks)->open);
  EXPECT_TRUE(sessions_.FindSession(kAcme, SessionId("ses-own"))->open)
      << "the API's stay until they are closed";
}

WRIT_ON_EVERY_ENGINE(SessionContract);

}  // namespace writ::tests
