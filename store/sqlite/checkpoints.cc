#include "store/sqlite/checkpoints.h"

#include <chrono>
#include <cstdlib>

namespace writ::store {

namespace {

constexpr std::chrono::milliseconds kRest(100);
constexpr int kManyPages = 1000;

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
  if (writer.must_forget()) {
    // The log has what was deleted as it was before. Where a read stands in the way: after the next
    // commit, which each sign of life is.
    if (RunBlocking(writer)) writer.HasForgotten();
  } else if (log_pages > blocking_at_pages_) {
    RunBlocking(writer);
    log_pages = 0;
  } else if (log_pages < limit_pages_) {
    blocking_at_pages_ = limit_pages_;
  }
  bool wake = false;
  {
    const std::lock_guard lock(mutex_);
    wake = log_pages_ == seen_pages_ || std::abs(log_pages - seen_pages_) >= kManyPages;
    log_pages_ = log_pages;
  }
  if (wake) changed_.notify_all();
}

void Checkpoints::Loop() {
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    changed_.wait(lock, [this] { return stopping_ || log_pages_ != seen_pages_; });
    // A log that has started over counts from its beginning: the difference may be negative.
    changed_.wait_for(lock, kRest, [this] {
      return stopping_ || std::abs(log_pages_ - seen_pages_) >= kManyPages;
    });
    if (stopping_) return;
    seen_pages_ = log_pages_;
    lock.unlock();
    RunPassive();
    lock.lock();
  }
}

void Checkpoints::RunPassive() {
  const std::lock_guard lock(running_);
  try {
    connection_.Number("PRAGMA wal_checkpoint(PASSIVE)");
  } catch (const SQLite::Exception&) {
    // A full disk, say. Nothing is lost, the log has it all; the next one may work.
  }
}

bool Checkpoints::RunBlocking(Connection& writer) {
  const std::lock_guard lock(running_);
  std::int64_t is_busy = 1;
  try {
    is_busy = writer.Number("PRAGMA wal_checkpoint(TRUNCATE)");
  } catch (const SQLite::Exception&) {
    // As above.
  }
  // Where a long read or the disk stood in the way: not again with each of the next commits.
  blocking_at_pages_ = is_busy == 0 ? limit_pages_ : blocking_at_pages_ + kManyPages;
  return is_busy == 0;
}

}  // namespace writ::store
