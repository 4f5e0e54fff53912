#pragma once

#include <cstddef>
#include <functional>
#include <mutex>

#include "store/memory/tables.h"
#include "store/records.h"

namespace writ::store {

struct MemoryOptions {
  // Of each kind (events, sessions, turns, approvals) so many are kept, see DropSettled.
  std::size_t max_records = 100'000;
};

// A store that ends with the process: for demos, tests and the development of connectors.
class MemoryEngine final : public Engine {
 public:
  explicit MemoryEngine(MemoryOptions options = {}) : options_(options) {}

  void Commit(const std::function<void(Records&)>& work) override;
  void Read(const std::function<void(Records&)>& work) override;
  [[nodiscard]] bool IsExclusive() const override { return true; }

 private:
  const MemoryOptions options_;
  // Guards tables_. It is held while `work` runs, for that is what makes it a transaction: work
  // that calls the engine again would wait for itself. Not a shared_mutex: there a stream of reads
  // keeps the writers out for ever.
  std::mutex mutex_;
  Tables tables_;
};

}  // namespace writ::store
