#include "bot/routes/gestures.h"

#include <gtest/gtest.h>

#include <chrono>
#include <condition_variable>
#include <functional>
#include <future>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "router/base/failure.h"
#include "tests/support/recording_log.h"

namespace writ::bot {
namespace {

using router::AppId;

// Nothing is done until the test does it.
class JobsByHand final : public router::Jobs {
 public:
  void Run(std::function<void()> job) override { static_cast<void>(Offer(std::move(job))); }
  bool Offer(std::function<void()> job) override {
    const std::lock_guard lock(mutex_);
    if (jobs_.size() == 3) return false;
    jobs_.push_back(std::move(job));
    changed_.notify_all();
    return true;
  }
  void WaitFor(std::size_t count) {
    std::unique_lock lock(mutex_);
    EXPECT_TRUE(
        changed_.wait_for(lock, std::chrono::seconds(60), [&] { return jobs_.size() >= count; }));
  }
  void DoAll() {
    std::vector<std::function<void()>> jobs;
    {
      const std::lock_guard lock(mutex_);
      jobs.swap(jobs_);
    }
    for (const auto& job : jobs) job();
  }

 private:
  std::mutex mutex_;  // guards jobs_
  std::condition_variable changed_;
  std::vector<std::function<void()>> jobs_;
};

Response Of(int status) {
  Response response;
  response.status = status;
  return response;
}

int StatusOf(const std::optional<Response>& response) { return response ? response->status : 0; }

class GesturesTest : public testing::Test {
 protected:
  std::optional<Response> Click(Gestures& gestures) {
    return gestures.Run(
        AppId("acme"),
        [this] {
          ++done_;
          return Of(200);
        },
        Of(202));
  }

  int done_ = 0;
  JobsByHand jobs_;
  tests::RecordingLog log_;
};

TEST_F(GesturesTest, FewWorkersWaitAndWhatTheOthersWereSentForIsDoneAllTheSame) {
  Gestures gestures(jobs_, log_, {.most_waiting = 1, .longest = std::chrono::hours(1)});
  auto first = std::async(std::launch::async, [&] { return Click(gestures); });
  jobs_.WaitFor(1);
  EXPECT_EQ(StatusOf(Click(gestures)), 202) << "at once: nobody has done anything";
  EXPECT_EQ(StatusOf(Click(gestures)), 202);
  EXPECT_FALSE(Click(gestures)) << "more than may stand there";
  EXPECT_EQ(done_, 0);
  jobs_.DoAll();
  EXPECT_EQ(StatusOf(first.get()), 200) << "who had the place has the true answer";
  EXPECT_EQ(done_, 3);

  auto next = std::async(std::launch::async, [&] { return Click(gestures); });
  jobs_.WaitFor(1);
  jobs_.DoAll();
  EXPECT_EQ(StatusOf(next.get()), 200) << "the place is free again";
}

TEST_F(GesturesTest, WhoWaitsTooLongIsToldSoAndAFailureInTimeIsTheirs) {
  Gestures hasty(jobs_, log_, {.most_waiting = 1, .longest = std::chrono::milliseconds(0)});
  EXPECT_EQ(StatusOf(Click(hasty)), 202);
  jobs_.DoAll();
  EXPECT_EQ(done_, 1);

  Gestures gestures(jobs_, log_, {.most_waiting = 1, .longest = std::chrono::hours(1)});
  auto failing = std::async(std::launch::async, [&] {
    return gestures.Run(
        AppId("acme"),
        []() -> Response {
          throw router::Failure(router::Failure::Kind::kTransient, "the store is away");
        },
        Of(202));
  });
  jobs_.WaitFor(1);
  jobs_.DoAll();
  EXPECT_THROW(static_cast<void>(failing.get()), router::Failure);
  EXPECT_NE(log_.text().find("gesture.failed"), std::string::npos);
}

}  // namespace
}  // namespace writ::bot
