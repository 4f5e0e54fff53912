#pragma once

#include <deque>
#include <functional>
#include <utility>

#include "router/base/jobs.h"

namespace writ::tests {

// Runs what it is given when the test says so, in the test's own thread.
class HandJobs final : public router::Jobs {
 public:
  void Run(std::function<void()> job) override { jobs_.push_back(std::move(job)); }
  bool Offer(std::function<void()> job) override {
    Run(std::move(job));
    return true;
  }
  // With what they begin.
  void RunAll() {
    while (!jobs_.empty()) {
      const std::function<void()> job = std::move(jobs_.front());
      jobs_.pop_front();
      job();
    }
  }

 private:
  std::deque<std::function<void()>> jobs_;
};

}  // namespace writ::tests
