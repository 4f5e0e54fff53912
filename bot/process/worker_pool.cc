#include "bot/process/worker_pool.h"

#include <exception>
#include <utility>

namespace writ::bot {

WorkerPool::WorkerPool(int workers, std::size_t most_offered, router::Log& log)
    : log_(log), most_offered_(most_offered) {
  for (int i = 0; i < workers; ++i) threads_.emplace_back([this] { Work(); });
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
  threads_.clear();  // joins
}

void WorkerPool::Work() {
  std::unique_lock lock(mutex_);
  while (true) {
    wake_.wait(lock, [this] { return stopped_ || !jobs_.empty(); });
    if (stopped_) return;
    RunOne(lock);
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
