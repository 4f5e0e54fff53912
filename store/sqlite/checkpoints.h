#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>

#include "store/sqlite/connection.h"

namespace writ::store {

// Moves what was committed from the write-ahead log into the file, on a thread and a connection of
// its own, so that no commit waits for it: a second after a commit, or when some thousand pages are
// new. Many are the same few, written again by each commit: so it is better done seldom.
//
// Under a load that never pauses such a checkpoint never lets the log start over. Once that has
// more than `limit_bytes`, the writer does a blocking one between two transactions, and writes the
// log anew from its beginning. Where something was deleted that must not be left in the log, it is
// emptied.
class Checkpoints {
 public:
  // throws  SQLite::Exception
  Checkpoints(const std::string& path, std::int64_t limit_bytes);
  ~Checkpoints();
  Checkpoints(const Checkpoints&) = delete;
  Checkpoints& operator=(const Checkpoints&) = delete;

  // The log has so many pages. Called by the writer after each commit, outside of a transaction.
  void Committed(Connection& writer, int log_pages);

 private:
  void Loop();
  [[nodiscard]] bool IsWorthIt() const;  // before the rest is over
  void RunPassive();
  // false: something stood in the way.
  bool RunBlocking(Connection& writer, const char* checkpoint);

  Connection connection_;  // the thread's
  const std::int64_t limit_pages_;
  std::int64_t blocking_at_pages_;  // the writer's

  // SQLite refuses a second checkpoint at the same time, without waiting.
  std::mutex running_;

  std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  int log_pages_ = 0;
  int seen_pages_ = 0;  // when the last checkpoint began
  bool stopping_ = false;

  std::thread thread_;
};

}  // namespace writ::store
