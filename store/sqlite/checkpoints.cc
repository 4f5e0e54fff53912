#include "store/sqlite/checkpoints.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>

namespace writ::store {

namespace {

constexpr std::chrono::seconds kRest(1);
constexpr std::int64_t kManyPages = 4000;
constexpr std::int64_t kFewPages = 500;
constexpr std::int64_t kUntilNextTry = 1000;
// https://www.sqlite.org/pragma.html#pragma_wal_checkpoint: the file stays as long as it is, which
// is cheaper to write to than one that grows; or it is emptied.
constexpr const char* kStartOver = "PRAGMA wal_checkpoint(RESTART)";
constexpr const char* kEmpty = "PRAGMA wal_checkpoint(TRUNCATE)";

}  // namespace

Checkpoints::Checkpoints(const std::string& path, std::int64_t limit_bytes)
    : connection_(path, Connection::Use::kCheckpoint),
      limit_pages_(limit_bytes / connection_.Number("PRAGMA page_size")),
      blocking_at_pages_(limit_pages_),
      thread_([this] { Loop(); }) {}

Checkpoints::~Checkpoints() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void Checkpoints::Committed(Connection& writer, int log_pages) {
  bool starts_over = false;
  if (writer.must_forget()) {
    // The log has what was deleted as it was before. Where a read stands in the way: after the next
    // commit, which each sign of life is.
    starts_over = RunBlocking(writer, kEmpty);
    if (starts_over) writer.HasForgotten();
  } else if (log_pages > blocking_at_pages_) {
    starts_over = RunBlocking(writer, kStartOver);
  } else if (log_pages < limit_pages_) {
    blocking_at_pages_ = limit_pages_;
  }
  bool wake = false;
  {
    const std::lock_guard lock(mutex_);
    wake = log_pages_ == seen_pages_;
    log_pages_ = starts_over ? 0 : log_pages;
    if (starts_over) seen_pages_ = 0;  // all of it was moved
    wake = (wake && log_pages_ != seen_pages_) || IsWorthIt();
  }
  if (wake) changed_.notify_all();
}

void Checkpoints::Loop() {
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    changed_.wait(lock, [this] { return stopping_ || log_pages_ != seen_pages_; });
    changed_.wait_for(lock, kRest, [this] { return stopping_ || IsWorthIt(); });
    if (stopping_) return;
    seen_pages_ = log_pages_;
    lock.unlock();
    RunPassive();
    lock.lock();
  }
}

// The nearer to the limit, the sooner: little is to be left for the writer's own checkpoint.
bool Checkpoints::IsWorthIt() const {
  const std::int64_t many = std::clamp((limit_pages_ - log_pages_) / 4, kFewPages, kManyPages);
  // A log that has started over counts from its beginning: the difference may be negative.
  return std::abs(log_pages_ - seen_pages_) >= many;
}

void Checkpoints::RunPassive() {
  const std::lock_guard lock(running_);
  try {
    connection_.Number("PRAGMA wal_checkpoint(PASSIVE)");
  } catch (const SQLite::Exception&) {
    // A full disk, say. Nothing is lost, the log has it all; the next one may work.
  }
}

bool Checkpoints::RunBlocking(Connection& writer, const char* checkpoint) {
  const std::lock_guard lock(running_);
  std::int64_t is_busy = 1;
  try {
    is_busy = writer.Number(checkpoint);
  } catch (const SQLite::Exception&) {
    // As above.
  }
  // Where a long read or the disk stood in the way: not again with each of the next commits.
  blocking_at_pages_ = is_busy == 0 ? limit_pages_ : blocking_at_pages_ + kUntilNextTry;
  return is_busy == 0;
}

}  // namespace writ::store
