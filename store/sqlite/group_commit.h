#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "router/base/failure.h"
#include "store/engine_load.h"
#include "store/failpoint.h"
#include "store/records.h"
#include "store/sqlite/checkpoints.h"
#include "store/sqlite/connection.h"

namespace writ::store {

// One writes at a time. Whatever waits when a transaction ends goes into the next one together, on
// a thread for that, so that many commits share one sync of the disk; each has a savepoint of its
// own. A commit that finds nobody writing is written by its own thread, without a hand-over and
// back, but not where they come in groups: there the first would have a sync to itself while the
// others wait for the next.
class GroupCommit {
 public:
  struct Limits {
    std::size_t queue = 4096;  // more than wait for the writer are refused
    std::size_t batch = 256;
  };

  // `connection` is this one's from here on; it and `checkpoints` outlive it.
  GroupCommit(Connection& connection, Checkpoints& checkpoints, std::string path, Limits limits);
  // Ends what was queued first.
  ~GroupCommit();
  GroupCommit(const GroupCommit&) = delete;
  GroupCommit& operator=(const GroupCommit&) = delete;

  // LoadedEngine::OnBatch
  void OnBatch(std::function<void(std::size_t)> listener);
  // LoadedEngine::LoadNow
  [[nodiscard]] EngineLoad LoadNow();

  // Engine::Commit. `work` runs on the thread that writes: work that commits would wait for itself.
  void Commit(const std::function<void(Records&)>& work);

 private:
  struct Round;
  struct Job {
    const std::function<void(Records&)>* work;
    std::exception_ptr* error;  // of whoever waits, who reads it when the round ended
    std::promise<std::shared_ptr<Round>> ended = {};
    std::chrono::steady_clock::time_point came = std::chrono::steady_clock::now();
  };
  using Jobs = std::vector<Job>;
  // What went into one transaction. As many as there are processors are told at once that it ended,
  // and each who was told tells another one: were all woken together, the next round would stand in
  // line behind all of them for a processor, and be the larger for it.
  struct Round : std::enable_shared_from_this<Round> {
    explicit Round(Jobs of) : jobs(std::move(of)) {}
    void TellNext();

    Jobs jobs;

   private:
    std::atomic<std::size_t> told_ = 0;
  };

  void Loop();
  // One transaction, on this thread, which found nobody writing. The lock is let go meanwhile.
  void WriteNext(std::unique_lock<std::mutex>& lock) noexcept;
  [[nodiscard]] Jobs Take();
  void RunTogether(Jobs& jobs);
  void RunOne(Job& job);
  void Undo(Job& job, std::exception_ptr error);
  void CommitTransaction(int changes_before);
  void GiveUp(Jobs& jobs, const router::Failure& failure);
  [[nodiscard]] bool IsInTransaction();
  void Measure();

  // These six are the writing thread's.
  Connection& connection_;
  Checkpoints& checkpoints_;
  Failpoint failpoint_;
  int log_pages_ = 0;  // SQLite tells it within each commit
  int rounds_ = 0;
  std::function<void(std::size_t)> on_batch_;  // once there was a commit
  const std::string path_;
  const Limits limits_;
  const unsigned told_at_once_ = std::max(std::thread::hardware_concurrency(), 1U);

  std::atomic<std::uint64_t> bytes_ = 0;  // that its rows take

  std::mutex mutex_;  // guards what follows
  std::condition_variable wanted_;
  std::deque<Job> queue_;
  bool is_writing_ = false;
  bool was_alone_ = true;    // the one that was written last: none came with it or meanwhile
  std::size_t writing_ = 0;  // so many, of which the first came then
  std::optional<std::chrono::steady_clock::time_point> oldest_;
  bool stopping_ = false;

  std::thread thread_;
};

}  // namespace writ::store
