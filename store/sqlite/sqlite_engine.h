#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "store/engine_load.h"
#include "store/records.h"
#include "store/sqlite/checkpoints.h"
#include "store/sqlite/connection.h"
#include "store/sqlite/file_lock.h"
#include "store/sqlite/group_commit.h"
#include "store/sqlite/read_connections.h"

namespace writ::store {

struct SqliteOptions {
  // On a local disk. `-wal`, `-shm` and `.lock` files stand beside it.
  std::string path;
  std::size_t readers = 8;
  std::int64_t log_limit_bytes = 64LL * 1024 * 1024;
  GroupCommit::Limits limits = {};
};

// The store of a single node: one file, one writer with group commit, readers beside it. Must not
// be open across a fork.
class SqliteEngine final : public Engine, public LoadedEngine {
 public:
  // throws  Failure{kPermanent} where another process has the file, or it is damaged, cannot be
  //         written, is another program's or of a newer writ
  explicit SqliteEngine(const SqliteOptions& options);

  void Commit(const std::function<void(Records&)>& work) override { commits_->Commit(work); }
  void Read(const std::function<void(Records&)>& work) override { reads_.Read(work); }
  [[nodiscard]] bool IsExclusive() const override { return true; }
  [[nodiscard]] EngineLoad LoadNow() override { return commits_->LoadNow(); }
  void OnBatch(const std::function<void(std::size_t)>& listener) override {
    commits_->OnBatch(listener);
  }

 private:
  const std::string path_;
  const FileLock lock_;
  const std::unique_ptr<Connection> writer_;
  const std::unique_ptr<Checkpoints> checkpoints_;
  ReadConnections reads_;
  const std::unique_ptr<GroupCommit> commits_;
};

}  // namespace writ::store
