// Where a stream begins.
#include "bot/streams/session_feed.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/support/fake_http.h"
#include "tests/support/hand_jobs.h"
#include "tests/support/recording_log.h"

namespace writ::tests {
namespace {

using router::SessionNews;

// One session with one turn, which has ended and is the session's change 8.
class OneTurnOver final : public router::SessionLedger {
 public:
  [[nodiscard]] static router::Turn ItsTurn() {
    router::Turn turn;
    turn.id = router::CommandId("cmd_1");
    turn.session = router::SessionId("ses_1");
    turn.app = router::AppId("acme");
    turn.state = router::TurnState::kCompleted;
    return turn;
  }

  std::vector<SessionNews> News(const std::vector<Watched>& watched) override {
    std::vector<SessionNews> all;
    for (const Watched& one : watched) {
      SessionNews news;
      news.state = SessionNews::State::kOpen;
      news.until = 8;
      if (one.after && *one.after < 8) {
        news.turns.push_back(ItsTurn());
        news.at.push_back(8);
      }
      all.push_back(std::move(news));
    }
    return all;
  }

  Opened OpenSession(const router::Session& /*session*/,
                     const router::AppQuotas& /*quotas*/) override {
    return {};
  }
  std::optional<router::Session> FindSession(const router::AppId& /*app*/,
                                             const router::SessionId& /*id*/) override {
    return std::nullopt;
  }
  std::optional<router::Session> OpenSessionOn(const router::AppId& /*app*/,
                                               const router::AgentId& /*agent*/,
                                               const router::Cid& /*cid*/) override {
    return std::nullopt;
  }
  std::vector<router::Session> ListSessions(const router::AppId& /*app*/,
                                            const Page& /*page*/) override {
    return {};
  }
  std::vector<router::Advanced> CloseSession(const router::AppId& /*app*/,
                                             const router::SessionId& /*id*/,
                                             const router::NodeId& /*node*/,
                                             router::TimePoint /*now*/) override {
    return {};
  }
  void RememberHistory(const router::SessionId& /*id*/,
                       const std::vector<router::HistoryMessage>& /*history*/) override {}
  std::vector<router::Session> ActiveSince(const router::AppId& /*app*/,
                                           router::TimePoint /*since*/,
                                           std::size_t /*limit*/) override {
    return {};
  }
};

class Heard final : public bot::Stream {
 public:
  bool Send(std::string_view bytes) override {
    types.emplace_back(bytes);
    return true;
  }
  void End() override { is_over_ = true; }
  bool IsOver() const override { return is_over_; }

  std::vector<std::string> types;

 private:
  bool is_over_ = false;
};

class SessionFeedTest : public testing::Test {
 protected:
  std::vector<std::string> TypesFrom(const bot::SessionFeed::Start& start) {
    bot::SessionFeed feed(sessions_, http_, jobs_, log_);
    router::Session session;
    session.id = router::SessionId("ses_1");
    session.app = router::AppId("acme");
    const auto stream = std::make_shared<Heard>();
    feed.Follow(session, start, stream,
                [](std::string_view /*id*/, std::string_view type, const router::Json& /*data*/) {
                  return std::string(type);
                });
    jobs_.RunAll();
    return stream->types;
  }

  OneTurnOver sessions_;
  FakeHttp http_;
  HandJobs jobs_;
  RecordingLog log_;
};

TEST_F(SessionFeedTest, WhatBeganAndEndedSinceTheStreamWasAskedForIsTold) {
  SessionNews nothing;  // as it was then
  nothing.state = SessionNews::State::kOpen;
  nothing.until = 7;
  const std::vector<std::string> types = TypesFrom(nothing);
  ASSERT_FALSE(types.empty());
  EXPECT_EQ(types.front(), "command.created");
  EXPECT_EQ(types.back(), "turn.completed");
}

TEST_F(SessionFeedTest, WhatHadNotEndedThenIsToldFirst) {
  SessionNews running;
  running.state = SessionNews::State::kOpen;
  running.until = 7;
  running.turns.push_back(OneTurnOver::ItsTurn());
  running.turns.back().state = router::TurnState::kThinking;
  running.at.push_back(7);
  const std::vector<std::string> types = TypesFrom(running);
  EXPECT_EQ(std::count(types.begin(), types.end(), "command.created"), 1) << "and not again";
  EXPECT_EQ(types.back(), "turn.completed");
}

TEST_F(SessionFeedTest, WhoeverComesBackIsToldWhatTheyHaveNotSeen) {
  EXPECT_FALSE(TypesFrom(std::int64_t{7}).empty());
  EXPECT_TRUE(TypesFrom(std::int64_t{8}).empty());
}

}  // namespace
}  // namespace writ::tests
