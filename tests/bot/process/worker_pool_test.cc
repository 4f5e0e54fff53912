#include "bot/process/worker_pool.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <future>
#include <mutex>
#include <string>
#include <thread>

#include "tests/support/recording_log.h"

namespace writ::bot {
namespace {

// One worker, which is busy until the test lets it go on; what it did then, a letter a job.
class WorkerPoolTest : public testing::Test {
 protected:
  WorkerPoolTest() {
    pool_.Run([this] { let_.get_future().wait(); });
    while (pool_.Waiting() > 0) std::this_thread::yield();
  }

  void Run(char letter) {
    pool_.Run([this, letter] { Did(letter); });
  }
  bool Offer(char letter) {
    return pool_.Offer([this, letter] { Did(letter); });
  }
  // Lets the worker go on, and waits until it did all that was asked for before.
  std::string LetAndWait(std::size_t jobs) {
    let_.set_value();
    while (true) {
      {
        const std::lock_guard lock(mutex_);
        if (did_.size() == jobs) return did_;
      }
      std::this_thread::yield();
    }
  }

 private:
  void Did(char letter) {
    const std::lock_guard lock(mutex_);
    did_ += letter;
  }

  std::promise<void> let_;
  std::mutex mutex_;  // guards did_
  std::string did_;
  tests::RecordingLog log_;

 protected:
  WorkerPool pool_{1, 3, log_};
};

TEST_F(WorkerPoolTest, WhatWasBegunGoesBeforeWhatIsNewAndNeitherWaitsForEver) {
  EXPECT_TRUE(Offer('n'));
  EXPECT_TRUE(Offer('n'));
  EXPECT_TRUE(Offer('n'));
  for (int i = 0; i < 20; ++i) Run('b');
  EXPECT_EQ(pool_.Waiting(), 23U);
  EXPECT_EQ(pool_.Offered(), 3U);
  EXPECT_EQ(LetAndWait(23), "bbbbbbbbnbbbbbbbbnbbbbn");
}

TEST_F(WorkerPoolTest, WhatIsNewHasABoundAndWhatWasBegunHasNone) {
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(Offer('n'));
  for (int i = 0; i < 5; ++i) Run('b');
  EXPECT_FALSE(Offer('x'));
  EXPECT_EQ(LetAndWait(8), "bbbbbnnn");
}

// Nobody is woken for the first that a job begins, and each of the others needs somebody.
TEST(WorkerPool, WhatAJobBeginsIsDoneWhetherItsOwnWorkerTakesItUpOrAnother) {
  tests::RecordingLog log;
  WorkerPool pool{4, 1, log};
  for (int round = 0; round < 200; ++round) {
    std::promise<void> both;
    std::promise<void> other;
    pool.Run([&] {
      pool.Run([&] {
        other.get_future().wait();  // so the last one is another worker's
        pool.Run([&] { both.set_value(); });
      });
      pool.Run([&] { other.set_value(); });
    });
    both.get_future().wait();
  }
}

}  // namespace
}  // namespace writ::bot
