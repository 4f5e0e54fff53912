#include "bot/process/worker_pool.h"

#include <algorithm>
#include <exception>
#include <utility>

namespace writ::bot {
namespace {

constexpr int kFewWorkers = 4;  // at rest
constexpr int kMostInARow = 8;

// The pool whose job this thread runs, and whether that job has begun another one.
thread_local const WorkerPool* worker_of = nullptr;
thread_local bool has_next = false;

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
  // What a job begins is mostly the last that it does: its own worker takes that up, and nobody is
  // woken for it.
  if (worker_of == this && !std::exchange(has_next, true)) return;
  wake_.notify_one();
}

bool WorkerPool::Offer(std::function<void()> job) {
  {
    const std::lock_guard lock(mutex_);
    if (stopped_ || offered_.size() >= most_offered_) return false;
    offered_.push_back(std::move(job));
  }
  wake_.notify_one();
  return true;
}

std::size_t WorkerPool::Waiting() {
  const std::lock_guard lock(mutex_);
  return jobs_.size() + offered_.size();
}

std::size_t WorkerPool::Offered() {
  const std::lock_guard lock(mutex_);
  return offered_.size();
}

void WorkerPool::Stop() {
  std::deque<std::function<void()>> dropped;  // destroyed without the lock
  std::deque<std::function<void()>> not_begun;
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    dropped.swap(jobs_);
    not_begun.swap(offered_);
  }
  wake_.notify_all();
  crew_.Join();
}

void WorkerPool::Work() {
  worker_of = this;
  std::unique_lock lock(mutex_);
  while (true) {
    const bool has_work = wake_.wait_for(
        lock, Crew::kWhile, [this] { return stopped_ || !jobs_.empty() || !offered_.empty(); });
    if (stopped_ || (!has_work && crew_.Leaves())) return;
    if (!has_work) continue;
    crew_.Begins();
    RunOne(lock);
    crew_.Ends();
  }
}

std::function<void()> WorkerPool::TakeNext() {
  const bool is_news_turn = !offered_.empty() && (jobs_.empty() || ++in_a_row_ > kMostInARow);
  if (is_news_turn) in_a_row_ = 0;
  auto& queue = is_news_turn ? offered_ : jobs_;
  std::function<void()> job = std::move(queue.front());
  queue.pop_front();
  return job;
}

// One catch for all jobs: whatever leaves one is a fault of ours or of the store. What it was about
// is in the store, where the sweep finds it.
void WorkerPool::RunOne(std::unique_lock<std::mutex>& lock) {
  {
    const std::function<void()> job = TakeNext();
    has_next = false;
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
