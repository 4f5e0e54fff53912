#include "store/memory/memory_engine.h"

#include <mutex>

#include "store/memory/memory_records.h"
#include "store/memory/settled.h"

namespace writ::store {

void MemoryEngine::Commit(const std::function<void(Records&)>& work) {
  const std::lock_guard lock(mutex_);
  try {
    MemoryRecords records(tables_, /*writable=*/true);
    work(records);
    DropSettled(tables_, options_.max_records);
  } catch (...) {
    tables_.undo.RollBack();
    throw;
  }
  tables_.undo.Forget();
}

void MemoryEngine::Read(const std::function<void(Records&)>& work) {
  const std::lock_guard lock(mutex_);
  MemoryRecords records(tables_, /*writable=*/false);
  work(records);
}

}  // namespace writ::store
