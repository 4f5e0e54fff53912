#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "router/base/failure.h"
#include "store/failpoint.h"
#include "store/records.h"
#include "store/sqlite/checkpoints.h"
#include "store/sqlite/connection.h"

namespace writ::store {

// The one writer. Whatever waits when a transaction ends goes into the next one together, so that
// many commits share one sync of the disk; each has a savepoint of its own.
class GroupCommit {
 public:
  struct Limits {
    std::size_t queue = 4096;  // more than wait for the writer are refused
    std::size_t batch = 256;
  };

  // `connection` is the writer's from here on; it and `checkpoints` outlive this.
  GroupCommit(Connection& connection, Checkpoints& checkpoints, std::string path, Limits limits);
  // Ends what was queued first.
  ~GroupCommit();
  GroupCommit(const GroupCommit&) = delete;
  GroupCommit& operator=(const GroupCommit&) = delete;

  // Engine::Commit. `work` runs on the writer's thread: work that commits would wait for itself.
  void Commit(const std::function<void(Records&)>& work);

 private:
  struct Job {
    explicit Job(const std::function<void(Records&)>& job_work) : work(job_work) {}
    const std::function<void(Records&)>& work;
    std::exception_ptr error;
    bool done = false;
    std::condition_variable woken;
  };
  using Jobs = std::vector<Job*>;

  void Loop();
  [[nodiscard]] Jobs Take();
  void RunTogether(const Jobs& jobs);
  void RunOne(Job& job);
  void Undo(Job& job, std::exception_ptr error);
  void CommitTransaction(int changes_before);
  void GiveUp(const Jobs& jobs, const router::Failure& failure);
  void Wake(const Jobs& jobs);
  [[nodiscard]] bool IsInTransaction();

  Connection& connection_;    // the thread's
  Checkpoints& checkpoints_;  // the thread's
  Failpoint failpoint_;       // the thread's
  int log_pages_ = 0;         // the thread's; SQLite tells it within each commit
  const std::string path_;
  const Limits limits_;

  std::mutex mutex_;  // guards what follows, and `done` of the jobs
  std::condition_variable wanted_;
  std::deque<Job*> queue_;
  bool stopping_ = false;

  std::thread thread_;
};

}  // namespace writ::store
