#include "store/sqlite/group_commit.h"

#include <sqlite3.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "router/base/failure.h"
#include "store/sqlite/failures.h"
#include "store/sqlite/sqlite_records.h"

namespace writ::store {

using router::Failure;

namespace {

constexpr int kMeasureEvery = 16;

int KeepLogPages(void* log_pages, sqlite3*, const char*, int pages) {
  *static_cast<int*>(log_pages) = pages;
  return SQLITE_OK;
}

}  // namespace

GroupCommit::GroupCommit(Connection& connection, Checkpoints& checkpoints, std::string path,
                         Limits limits)
    : connection_(connection),
      checkpoints_(checkpoints),
      failpoint_(Failpoint::FromEnvironment()),
      path_(std::move(path)),
      limits_(limits) {
  sqlite3_wal_hook(connection_.database().getHandle(), KeepLogPages, &log_pages_);
  thread_ = std::thread([this] { Loop(); });
}

GroupCommit::~GroupCommit() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wanted_.notify_all();
  thread_.join();
  sqlite3_wal_hook(connection_.database().getHandle(), nullptr, nullptr);
}

void GroupCommit::Commit(const std::function<void(Records&)>& work) {
  std::exception_ptr error;
  Job job{&work, &error};
  std::future<std::shared_ptr<Round>> ended = job.ended.get_future();
  std::unique_lock lock(mutex_);
  if (stopping_ || queue_.size() >= limits_.queue) {
    throw Failure(Failure::Kind::kTransient, "store " + path_ + ": too many commits wait");
  }
  queue_.push_back(std::move(job));
  bool hands_over = !is_writing_ && queue_.size() == 1;
  if (hands_over && was_alone_) {
    WriteNext(lock);
    hands_over = stopping_ || !queue_.empty();
  }
  lock.unlock();
  if (hands_over) wanted_.notify_one();
  ended.get()->TellNext();
  if (error) std::rethrow_exception(error);
}

void GroupCommit::Loop() {
  std::unique_lock lock(mutex_);
  for (;;) {
    wanted_.wait(lock, [this] { return !is_writing_ && (stopping_ || !queue_.empty()); });
    if (queue_.empty()) return;
    WriteNext(lock);
  }
}

void GroupCommit::WriteNext(std::unique_lock<std::mutex>& lock) noexcept {
  is_writing_ = true;
  const auto round = std::make_shared<Round>(Take());
  Jobs& jobs = round->jobs;
  lock.unlock();
  RunTogether(jobs);
  if (rounds_++ % kMeasureEvery == 0) Measure();
  if (on_batch_) on_batch_(jobs.size());
  lock.lock();
  writing_ = 0;
  oldest_.reset();
  lock.unlock();
  for (unsigned i = 0; i < told_at_once_; ++i) round->TellNext();
  checkpoints_.Committed(connection_, log_pages_);
  lock.lock();
  is_writing_ = false;
  was_alone_ = jobs.size() == 1 && queue_.empty();
}

GroupCommit::Jobs GroupCommit::Take() {
  const auto count =
      static_cast<std::ptrdiff_t>(std::min(queue_.size(), std::max<std::size_t>(limits_.batch, 1)));
  const auto end = queue_.begin() + count;
  Jobs jobs(std::make_move_iterator(queue_.begin()), std::make_move_iterator(end));
  queue_.erase(queue_.begin(), end);
  writing_ = jobs.size();
  if (!jobs.empty()) oldest_ = jobs.front().came;
  return jobs;
}

void GroupCommit::Round::TellNext() {
  const std::size_t next = told_++;
  if (next < jobs.size()) jobs[next].ended.set_value(shared_from_this());
}

void GroupCommit::OnBatch(std::function<void(std::size_t)> listener) {
  const std::lock_guard lock(mutex_);  // what commits after this goes through it too
  on_batch_ = std::move(listener);
}

EngineLoad GroupCommit::LoadNow() {
  const std::lock_guard lock(mutex_);
  EngineLoad load;
  load.commits_waiting = writing_ + queue_.size();
  auto oldest = oldest_;
  if (!oldest && !queue_.empty()) oldest = queue_.front().came;
  if (oldest) load.longest_wait = std::chrono::steady_clock::now() - *oldest;
  load.bytes = bytes_;
  return load;
}

// Pages that stand empty count as room: they are used before the file grows.
void GroupCommit::Measure() {
  try {
    const std::int64_t pages =
        connection_.Number("PRAGMA page_count") - connection_.Number("PRAGMA freelist_count");
    bytes_ = static_cast<std::uint64_t>(pages * connection_.Number("PRAGMA page_size"));
  } catch (const SQLite::Exception&) {
    return;  // the next round looks again; what hinders it shows in the commits
  }
}

void GroupCommit::RunTogether(Jobs& jobs) {
  try {
    connection_.Run("BEGIN IMMEDIATE");
    const int changes_before = connection_.database().getTotalChanges();
    for (Job& job : jobs) RunOne(job);
    CommitTransaction(changes_before);
  } catch (const SQLite::Exception& error) {
    GiveUp(jobs, ToFailureInUse(error, path_));
  } catch (const Failure& failure) {
    GiveUp(jobs, failure);
  }
}

void GroupCommit::RunOne(Job& job) {
  connection_.Run("SAVEPOINT work");
  try {
    SqliteRecords records(connection_, /*writable=*/true);
    (*job.work)(records);
    connection_.Run("RELEASE work");
  } catch (const SQLite::Exception& error) {
    Undo(job, std::make_exception_ptr(ToFailureInUse(error, path_)));
  } catch (...) {
    Undo(job, std::current_exception());
  }
}

void GroupCommit::Undo(Job& job, std::exception_ptr error) {
  *job.error = std::move(error);
  // A full disk or an I/O error may have ended the whole transaction: what the others wrote is
  // gone with it.
  if (!IsInTransaction()) {
    throw Failure(Failure::Kind::kTransient, "store " + path_ + ": the transaction was lost");
  }
  connection_.Run("ROLLBACK TO work");
  connection_.Run("RELEASE work");
}

void GroupCommit::CommitTransaction(int changes_before) {
  const bool writes = connection_.database().getTotalChanges() != changes_before;
  if (writes) failpoint_.BeforeCommit();
  connection_.Run("COMMIT");
  if (writes) failpoint_.AfterCommit();
}

void GroupCommit::GiveUp(Jobs& jobs, const Failure& failure) {
  if (IsInTransaction()) connection_.database().tryExec("ROLLBACK");
  for (Job& job : jobs) {
    // What a job's own work threw is nearer to its truth.
    if (!*job.error) *job.error = std::make_exception_ptr(failure);
  }
}

bool GroupCommit::IsInTransaction() {
  return sqlite3_get_autocommit(connection_.database().getHandle()) == 0;
}

}  // namespace writ::store
