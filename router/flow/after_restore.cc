#include "router/flow/after_restore.h"

#include <cstddef>

namespace writ::router {

void EndWhatWasRestored(RestoredStore& store, const Directory& directory, const Clock& clock,
                        Log& log) {
  constexpr std::size_t kBatch = 200;
  while (store.LeaveEvents(kBatch)) {
  }
  store.EndConsents();
  for (const AppSetup& app : directory.apps()) {
    SessionId last;
    do {
      last = store.EndTurns(app.id, last, kBatch, clock.Now());
    } while (!last.empty());
  }
  log.Info("store.restored", {});
}

}  // namespace writ::router
