// How a reply is shown while its model writes it: seldom, the newest text, never over a newer face.
#include "router/flow/growing_replies.h"

#include <gtest/gtest.h>

#include <chrono>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "router/base/id_source.h"
#include "store/ledger/approvals_over.h"
#include "store/ledger/consents_over.h"
#include "store/ledger/inbox_over.h"
#include "store/ledger/outbox_over.h"
#include "store/ledger/sessions_over.h"
#include "store/ledger/telling.h"
#include "store/ledger/turns_over.h"
#include "store/memory/memory_engine.h"
#include "tests/support/fake_clock.h"
#include "tests/support/fake_http.h"
#include "tests/support/recording_log.h"

namespace writ::router {
namespace {

using namespace std::chrono_literals;

class InlineJobs final : public Jobs {
 public:
  void Run(std::function<void()> job) override { job(); }
  bool Offer(std::function<void()> job) override {
    if (!is_full) job();
    return !is_full;
  }
  bool is_full = false;
};

// Keeps what it is shown until the test says what became of it.
class HandChat final : public Chat {
 public:
  void Send(const Post&, std::stop_token, PostDone) override {}
  void Edit(const Post&, std::stop_token, PostDone) override {}
  [[nodiscard]] std::optional<Pace> PaceOfGrowing() const override { return pace; }
  void Grow(const Post& post, std::stop_token, ChatDone done) override {
    shown.push_back(post);
    out_.push_back(std::move(done));
  }
  void Indicate(const Cid&, const UserId&, const MessageId&, Indicator indicator) override {
    indicated.push_back(indicator);
  }
  void History(const Cid&, const std::optional<MessageId>&, const UserId&, int, std::stop_token,
               HistoryDone) override {}
  void Missed(const Cid&, TimePoint, std::stop_token, MissedDone) override {}
  void EnsureAgentUser(const UserId&, ChatDone) override {}

  void Take() { Answer(std::nullopt); }
  void Fail(ChatFailure::Kind kind, std::optional<std::chrono::milliseconds> wait = {}) {
    Answer(ChatFailure{kind, "no", wait});
  }
  [[nodiscard]] std::vector<std::string> texts() const {
    std::vector<std::string> all;
    for (const Post& post : shown) all.push_back(post.text);
    return all;
  }

  std::optional<Pace> pace = Pace{1000ms, 150ms};
  std::vector<Post> shown;
  std::vector<Indicator> indicated;

 private:
  void Answer(const std::optional<ChatFailure>& failure) {
    const ChatDone done = std::move(out_.front());
    out_.pop_front();
    done(failure);
  }
  std::deque<ChatDone> out_;
};

using Texts = std::vector<std::string>;

class GrowingRepliesTest : public testing::Test {
 protected:
  GrowingRepliesTest() {
    turns_.Beat(node_.id(), clock_.Now() + 1000h, clock_.Now(), {});
    node_.Lived(clock_.Steady());
    growing_.OnGrowth([this](const ReplyGrowth& growth) {
      heard_ += (growth.delta.anew ? "|" : "") + growth.delta.text;
      heard_of_ = growth.session;
    });
  }

  static std::vector<AppSetup> Apps(HandChat& chat) {
    AgentSetup agent;
    agent.id = AgentId("helper");
    agent.user = UserId("helper-bot");
    AppSetup app;
    app.id = AppId("acme");
    app.chat = &chat;
    app.agents.push_back(std::move(agent));
    return {std::move(app)};
  }

  // A message in a channel of its own; its turn is at work.
  Work Begin(const std::string& id) {
    ChannelEvent event;
    event.app = AppId("acme");
    event.cid = Cid("callouts:" + id);
    event.message = MessageId(id);
    event.author = UserId("anya-1");
    event.text = "hello";
    event.created_at = event.happened_at = clock_.Now();
    EXPECT_EQ(inbox_.Accept(event, clock_.Now()), Inbox::Accepted::kStored);
    Opening opening;
    opening.event = event;
    opening.agent = AgentId("helper");
    opening.rule = ChannelRule::kNamed;
    opening.session_idle = 1000h;
    opening.new_session = SessionId("ses_" + id);
    opening.new_command = CommandId("cmd_" + id);
    Work work = turns_.Open(opening, node_.id(), clock_.Now()).taken.at(0);
    AskedUnder(work);
    return work;
  }
  void AskedUnder(const Work& work) {
    growing_.Begin(work.claim, std::make_shared<const Turn>(work.turn),
                   [this, claim = work.claim]() -> std::optional<Turn> {
                     auto advanced = turns_.Advance(claim, {clock_.Now(), ReplyBegun{}});
                     if (!advanced) return std::nullopt;
                     ++messages_wanted_;
                     return advanced->turn;
                   });
  }
  void Grow(const Work& work, const std::string& text, bool anew = false) {
    growing_.Grow(work.claim, {text, anew});
  }
  void Pass(std::chrono::milliseconds by) {
    clock_.Advance(by);
    node_.Lived(clock_.Steady());
    http_.Advance(by);
  }
  // Until the first text was shown.
  void PassToTheFirst() {
    Pass(1000ms);
    Pass(1000ms);
  }
  [[nodiscard]] bool IsQuiet(const Work& work) {
    bool quiet = false;
    growing_.WhenQuiet(work.claim.turn, [&quiet] { quiet = true; });
    return quiet;
  }

  tests::FakeClock clock_;
  tests::FakeHttp http_;
  tests::RecordingLog log_;
  InlineJobs jobs_;
  HandChat chat_;
  RandomIdSource ids_{clock_};
  Node node_{NodeId("node-a"), clock_};
  store::MemoryEngine engine_{store::MemoryOptions{}};
  store::InboxOver inbox_{engine_};
  store::TellingOf telling_;
  store::TurnsOver turns_{engine_, log_, telling_};
  store::SessionsOver sessions_{engine_, telling_};
  store::ApprovalsOver approvals_{engine_, telling_};
  store::ConsentsOver consents_{engine_, telling_};
  store::OutboxOver outbox_{engine_};
  Ports ports_{inbox_, turns_, sessions_, approvals_, consents_, outbox_,
               http_,  jobs_,  clock_,    ids_,       log_};
  Directory directory_{Apps(chat_)};
  GrowingReplies growing_{ports_, directory_, node_};
  int messages_wanted_ = 0;
  std::string heard_;
  SessionId heard_of_;
};

TEST_F(GrowingRepliesTest, AReplyThatIsSoonThereIsShownOnlyAsItsFace) {
  const Work work = Begin("m1");
  Grow(work, "Hello.");
  Pass(900ms);
  growing_.End(work.claim);
  Pass(10s);
  EXPECT_TRUE(chat_.shown.empty());
  EXPECT_EQ(messages_wanted_, 0);
  EXPECT_EQ(chat_.indicated, std::vector{Indicator::kGenerating});
}

TEST_F(GrowingRepliesTest, OneThatTakesItsTimeIsShownOnceASecondInItsNewestText) {
  const Work work = Begin("m1");
  Grow(work, "One");
  Pass(1000ms);
  EXPECT_EQ(messages_wanted_, 1);
  EXPECT_TRUE(chat_.shown.empty()) << "its message comes first";
  Pass(1000ms);
  EXPECT_EQ(chat_.texts(), Texts{"One"});
  EXPECT_EQ(chat_.shown[0].id, MessageId("writ-cmd_m1"));
  chat_.Take();
  for (int i = 0; i < 9; ++i) {
    Grow(work, " more");
    Pass(100ms);
  }
  EXPECT_EQ(chat_.shown.size(), 1U);
  Pass(200ms);
  EXPECT_EQ(chat_.texts().back(), "One more more more more more more more more more");
  chat_.Take();
  Pass(10s);
  EXPECT_EQ(chat_.shown.size(), 2U) << "nothing new came";
  EXPECT_EQ(messages_wanted_, 1);
}

TEST_F(GrowingRepliesTest, ATextThatIsNotThereYetIsNotOvertakenByTheNext) {
  const Work work = Begin("m1");
  Grow(work, "One");
  PassToTheFirst();
  Grow(work, " two");
  Pass(5s);
  EXPECT_EQ(chat_.texts(), Texts{"One"});
  chat_.Take();
  Pass(1000ms);
  EXPECT_EQ(chat_.texts(), (Texts{"One", "One two"}));
}

TEST_F(GrowingRepliesTest, AFaceWaitsForTheTextThatIsOnItsWayAndNoneComesAfterIt) {
  const Work work = Begin("m1");
  EXPECT_TRUE(IsQuiet(work));
  Grow(work, "One");
  PassToTheFirst();
  Grow(work, " two");
  growing_.End(work.claim);
  int faces = 0;
  growing_.WhenQuiet(work.claim.turn, [&faces] { ++faces; });
  EXPECT_EQ(faces, 0);
  Pass(5s);
  EXPECT_EQ(faces, 0);
  chat_.Fail(ChatFailure::Kind::kTransient);
  EXPECT_EQ(faces, 1);
  Pass(60s);
  EXPECT_EQ(chat_.shown.size(), 1U);
  EXPECT_TRUE(IsQuiet(work));
}

TEST_F(GrowingRepliesTest, NothingIsShownOfATurnThatHasMovedOnWithoutOurKnowing) {
  const Work work = Begin("m1");
  Grow(work, "One");
  Pass(1000ms);
  // Another node cancels it.
  ASSERT_TRUE(turns_.Move(work.claim.turn, {clock_.Now(), CancelAsked{"cancelled"}}, NodeId("b")));
  Pass(10s);
  EXPECT_TRUE(chat_.shown.empty());
  EXPECT_TRUE(IsQuiet(work));
  Grow(work, "One");
  Pass(10s);
  EXPECT_TRUE(chat_.shown.empty());
}

TEST_F(GrowingRepliesTest, ATurnThatWasTakenOverWantsNoMessageOfUs) {
  const Work work = Begin("m1");
  Grow(work, "One");
  ASSERT_TRUE(turns_.Move(work.claim.turn, {clock_.Now(), CancelAsked{"cancelled"}}, NodeId("b")));
  Pass(10s);
  EXPECT_EQ(messages_wanted_, 0);
  EXPECT_TRUE(chat_.shown.empty());
}

TEST_F(GrowingRepliesTest, ANodeWhoseClaimsAreOverShowsNothing) {
  const Work work = Begin("m1");
  Grow(work, "One");
  Pass(1000ms);
  clock_.Advance(11s);  // it slept
  http_.Advance(11s);
  EXPECT_TRUE(chat_.shown.empty());
}

TEST_F(GrowingRepliesTest, WhatAnEarlierTryBroughtCountsNoMore) {
  const Work work = Begin("m1");
  Grow(work, "One");
  Grow(work, "Two", true);
  PassToTheFirst();
  EXPECT_EQ(chat_.texts(), Texts{"Two"});
  EXPECT_EQ(heard_, "One|Two");
}

TEST_F(GrowingRepliesTest, WhoListensHearsEachPieceAlsoWhereNoChannelIsShownAny) {
  chat_.pace.reset();
  const Work work = Begin("m1");
  Grow(work, "One");
  Grow(work, " two");
  Pass(10s);
  EXPECT_EQ(heard_, "One two");
  EXPECT_EQ(heard_of_, SessionId("ses_m1"));
  EXPECT_TRUE(chat_.shown.empty());
  growing_.End(work.claim);
  Grow(work, "late");
  EXPECT_EQ(heard_, "One two");
}

TEST_F(GrowingRepliesTest, APlatformThatAsksForPatienceGetsItFromAllOfTheApp) {
  const Work first = Begin("m1");
  Grow(first, "One");
  PassToTheFirst();
  chat_.Fail(ChatFailure::Kind::kTransient, 30000ms);
  const Work second = Begin("m2");
  Grow(second, "Two");
  Pass(29s);
  EXPECT_EQ(chat_.shown.size(), 1U);
  EXPECT_EQ(messages_wanted_, 1);
  Pass(3s);
  Pass(3s);
  EXPECT_EQ(chat_.texts(), (Texts{"One", "One", "Two"}));
}

TEST_F(GrowingRepliesTest, AMessageThatIsNotThereYetIsTriedAgainARefusalIsNot) {
  const Work work = Begin("m1");
  Grow(work, "One");
  PassToTheFirst();
  chat_.Fail(ChatFailure::Kind::kMissing);
  Pass(1000ms);
  EXPECT_EQ(chat_.shown.size(), 2U);
  chat_.Fail(ChatFailure::Kind::kRefused);
  Grow(work, " two");
  Pass(10s);
  EXPECT_EQ(chat_.shown.size(), 2U);
}

TEST_F(GrowingRepliesTest, TheRepliesOfAnAppShareItsPace) {
  std::vector<Work> works;
  for (int i = 0; i < 20; ++i) {
    works.push_back(Begin("m" + std::to_string(i)));
    Grow(works.back(), "text");
  }
  // 1 s, then one each 150 ms: the last after 3.85 s.
  Pass(1000ms);
  EXPECT_EQ(messages_wanted_, 1);
  Pass(1500ms);
  EXPECT_LE(messages_wanted_, 11);
  Pass(2000ms);
  EXPECT_EQ(messages_wanted_, 20);
}

TEST_F(GrowingRepliesTest, WorkersThatHaveTooMuchToDoLeaveItOut) {
  const Work work = Begin("m1");
  Grow(work, "One");
  jobs_.is_full = true;
  Pass(5s);
  jobs_.is_full = false;
  EXPECT_EQ(messages_wanted_, 0);
  Grow(work, " two");
  PassToTheFirst();
  EXPECT_EQ(chat_.texts(), Texts{"One two"});
}

TEST_F(GrowingRepliesTest, AnOlderStepOfTheTurnEndsNothingOfTheNewer) {
  const Work older = Begin("m1");
  Work newer = older;
  ++newer.claim.fence;
  AskedUnder(newer);
  Grow(older, "old");
  growing_.End(older.claim);
  Grow(newer, "new");
  EXPECT_EQ(heard_, "new");
}

TEST_F(GrowingRepliesTest, ATextIsCutToWhatTheChannelTakes) {
  const Work work = Begin("m1");
  Grow(work, std::string(6000, 'x'));
  PassToTheFirst();
  ASSERT_EQ(chat_.shown.size(), 1U);
  EXPECT_EQ(chat_.shown[0].text.size(), FaceLimits{}.text_characters);
}

}  // namespace
}  // namespace writ::router
