#include "bot/process/crew.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <condition_variable>
#include <functional>
#include <latch>
#include <memory>
#include <mutex>
#include <set>
#include <thread>
#include <utility>

#include "bot/process/worker_pool.h"
#include "tests/support/recording_log.h"

namespace writ::bot {
namespace {

constexpr std::chrono::seconds kDeadline{30};
constexpr int kLeast = 4;  // of a pool
constexpr int kMost = 12;

// A pool whose members say what is theirs: who they are, and how many of them have gone.
class CrewTest : public testing::Test {
 protected:
  // One for each thread that a job runs on; it ends with its thread.
  struct Mark {
    explicit Mark(CrewTest& test) : test_(test) { test_.Count(+1); }
    ~Mark() { test_.Count(-1); }
    Mark(const Mark&) = delete;
    Mark& operator=(const Mark&) = delete;
    CrewTest& test_;
  };

  void RunAtOnce(int jobs) {
    std::latch all(jobs);
    std::latch done(jobs);
    for (int i = 0; i < jobs; ++i) {
      pool_->Run([&] {
        static thread_local std::unique_ptr<Mark> mark;
        if (!mark) mark = std::make_unique<Mark>(*this);
        all.arrive_and_wait();  // so that none runs two of them
        done.count_down();
      });
    }
    done.wait();
  }

  void Count(int change) {
    const std::lock_guard lock(mutex_);
    members_ += change;
    most_ = std::max(most_, members_);
    changed_.notify_all();
  }
  [[nodiscard]] int Members() {
    const std::lock_guard lock(mutex_);
    return members_;
  }
  // The most that were there at a time since this was asked before.
  [[nodiscard]] int Most() {
    const std::lock_guard lock(mutex_);
    return std::exchange(most_, members_);
  }
  [[nodiscard]] bool WaitFor(const std::function<bool(int)>& holds) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, kDeadline, [&] { return holds(members_); });
  }

  std::mutex mutex_;  // guards both numbers
  std::condition_variable changed_;
  int members_ = 0;  // that ran a job and are there still
  int most_ = 0;
  tests::RecordingLog log_;
  std::unique_ptr<WorkerPool> pool_ = std::make_unique<WorkerPool>(kMost, 1000, log_);
};

TEST_F(CrewTest, OneMoreComesWhileNoneIsFree) {
  RunAtOnce(kMost);  // would never end with fewer threads
  EXPECT_EQ(Most(), kMost);
}

TEST_F(CrewTest, ThoseThatFindNothingToDoGoAndComeAgain) {
  RunAtOnce(kMost);
  EXPECT_TRUE(WaitFor([](int members) { return members <= kLeast; })) << Members();
  EXPECT_EQ(Most(), kMost);
  RunAtOnce(kMost);
  EXPECT_EQ(Most(), kMost);
}

TEST_F(CrewTest, ThereAreNeverMoreThanTheMost) {
  std::mutex mutex;
  std::set<std::thread::id> seen;
  constexpr int kJobs = 500;
  std::latch done(kJobs);
  for (int i = 0; i < kJobs; ++i) {
    pool_->Run([&] {
      {
        const std::lock_guard lock(mutex);
        seen.insert(std::this_thread::get_id());
      }
      done.count_down();
    });
  }
  done.wait();
  EXPECT_LE(seen.size(), kMost);
}

TEST_F(CrewTest, StopWaitsForWhoeverIsThere) {
  RunAtOnce(kMost);
  pool_->Stop();
  EXPECT_EQ(Members(), 0);
  pool_->Stop();
}

}  // namespace
}  // namespace writ::bot
