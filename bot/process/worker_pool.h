#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>

#include "bot/process/crew.h"
#include "router/base/jobs.h"
#include "router/base/log.h"

namespace writ::bot {

// The node's workers, of whom there are at most so many. A job waits for a commit at most: never
// for a model, a connector or a person.
class WorkerPool final : public router::Jobs {
 public:
  WorkerPool(int workers, std::size_t most_offered, router::Log& log);
  ~WorkerPool() override;  // stops
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  void Run(std::function<void()> job) override;
  bool Offer(std::function<void()> job) override;

  [[nodiscard]] std::size_t Waiting();  // jobs that no worker has begun
  [[nodiscard]] std::size_t Offered();  // those of them that were offered

  // Lets the running jobs end and drops the others. May be called twice.
  void Stop();

 private:
  void Work();
  void RunOne(std::unique_lock<std::mutex>& lock);
  [[nodiscard]] std::function<void()> TakeNext();

  router::Log& log_;
  const std::size_t most_offered_;
  std::mutex mutex_;
  std::condition_variable wake_;
  // What was begun goes before what is new, so that a flood of new work delays nothing that is
  // under way; each few jobs one of the new ones comes all the same. Both guarded by mutex_.
  std::deque<std::function<void()>> jobs_;
  std::deque<std::function<void()>> offered_;
  int in_a_row_ = 0;      // of jobs_, while something was offered; guarded by mutex_
  bool stopped_ = false;  // guarded by mutex_
  Crew crew_;
};

}  // namespace writ::bot
