#include "bot/process/worker_pool.h"

#include <algorithm>
#include <exception>
#include <utility>

namespace writ::bot {
namespace {

constexpr int kFewWorkers = 4;  // at rest

}  // namespace

WorkerPool::WorkerPool(int workers, std::size_t most_offered, router::Log& log)
    : log_(log),
      most_offered_(most_offered),
      crew_({std::min(kFewWorkers, workers), workers}, [this] { Work(); }) {
  crew_.Start();
}

WorkerPool::~WorkerPool() { Stop(); }

void WorkerPool::Run(std::function<void()> job) {
  {
    const std::lock_guard lock(mutex_);
    if (stopped_) return;
    jobs_.push_back(std::move(job));
  }
  wake_.notify_one();
}

bool WorkerPool::Offer(std::function<void()> job) {
  {
    const std::lock_guard lock(mutex_);
    if (stopped_ || jobs_.size() >= most_offered_) return false;
    jobs_.push_back(std::move(job));
  }
  wake_.notify_one();
  return true;
}

std::size_t WorkerPool::Waiting() {
  const std::lock_guard lock(mutex_);
  return jobs_.size();
}

void WorkerPool::Stop() {
  std::deque<std::function<void()>> dropped;  // destroyed without the lock
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    dropped.swap(jobs_);
  }
  wake_.notify_all();
  crew_.Join();
}

void WorkerPool::Work() {
  std::unique_lock lock(mutex_);
  while (true) {
    const bool has_work =
        wake_.wait_for(lock, Crew::kWhile, [this] { return stopped_ || !jobs_.empty(); });
    if (stopped_ || (!has_work && crew_.Leaves())) return;
    if (!has_work) continue;
    crew_.Begins();
    RunOne(lock);
    crew_.Ends();
  }
}

// One catch for all jobs: whatever leaves one is a fault of ours or of the store. What it was about
// is in the store, where the sweep finds it.
void WorkerPool::RunOne(std::unique_lock<std::mutex>& lock) {
  {
    const std::function<void()> job = std::move(jobs_.front());
    jobs_.pop_front();
    lock.unlock();
    try {
      job();
    } catch (const std::exception& fault) {
      log_.Error("job.failed", {{"why", fault.what()}});
    }
  }
  lock.lock();
}

}  // namespace writ::bot
