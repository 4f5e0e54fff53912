#include "router/flow/session_walk.h"

#include <gtest/gtest.h>

#include <chrono>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/support/fake_clock.h"

namespace writ::router {
namespace {

using std::chrono::seconds;

// One node walks at a time, whichever begins.
class OneWalks final : public Walks {
 public:
  bool Begin(const AppId&, const std::string& name, Duration rest, TimePoint now) override {
    const auto began = began_.find(name);
    if (began != began_.end() && began->second + rest > now) return false;
    began_[name] = now;
    return true;
  }

 private:
  std::map<std::string, TimePoint> began_;
};

class SessionWalkTest : public testing::Test {
 protected:
  // The names of the three sessions that there are, a page of one each.
  void GoOn(SessionWalk& walk) {
    walk.GoOn(walks_, AppId("acme"), seconds(60), clock_, [&](const SessionId& after) {
      seen_.push_back(after.text());
      if (fails_) throw std::runtime_error("the store was not reached");
      return after.empty()             ? SessionId("3")
             : after == SessionId("3") ? SessionId("2")
                                       : SessionId();
    });
  }

  OneWalks walks_;
  tests::FakeClock clock_;
  bool fails_ = false;
  std::vector<std::string> seen_;  // behind what it looked
};

}  // namespace

TEST_F(SessionWalkTest, LooksAtAPageARoundAndRestsAfterTheLast) {
  SessionWalk walk("idle");
  for (int i = 0; i < 5; ++i) GoOn(walk);
  EXPECT_EQ(seen_, (std::vector<std::string>{"", "3", "2"}));
  clock_.Advance(seconds(60));
  GoOn(walk);
  EXPECT_EQ(seen_.size(), 4U);
  EXPECT_EQ(seen_.back(), "");
}

TEST_F(SessionWalkTest, IsLeftToTheNodeThatBeganItUntilTheRestIsOver) {
  SessionWalk one("idle");
  SessionWalk other("idle");
  GoOn(one);
  GoOn(other);
  EXPECT_EQ(seen_, (std::vector<std::string>{""}));
  clock_.Advance(seconds(60));
  GoOn(other);
  EXPECT_EQ(seen_, (std::vector<std::string>{"", ""})) << "the one may be dead";
}

TEST_F(SessionWalkTest, GoesOnWhereAPageFailed) {
  SessionWalk walk("idle");
  GoOn(walk);
  fails_ = true;
  EXPECT_THROW(GoOn(walk), std::runtime_error);
  fails_ = false;
  GoOn(walk);
  EXPECT_EQ(seen_, (std::vector<std::string>{"", "3", "3"}));
}

}  // namespace writ::router
