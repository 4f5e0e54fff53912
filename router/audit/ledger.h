#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "router/audit/chain.h"
#include "router/base/ids.h"
#include "router/base/json.h"
#include "router/base/time.h"

namespace writ::router {

struct AuditEntry {
  std::int64_t seal = 0;  // 0: not sealed yet
  std::string mac;
  std::string text;   // canonical JSON
  std::string aside;  // the same, of what stands beside it; empty: nothing, or it was removed
};

// The port to the log that entries are written to beside the steps of turns. Shared by all threads
// and nodes; each method is one commit.
class AuditLedger {
 public:
  virtual ~AuditLedger() = default;

  // Seals the app's oldest entries that are not sealed, and puts the new head into the outbox where
  // the app's backend is told. nullopt: there were none.
  //
  // throws  Failure{kTransient} where another node sealed at the same moment: nothing was written
  [[nodiscard]] virtual std::optional<AuditHead> SealEntries(const AppId& app, std::size_t limit,
                                                             TimePoint now) = 0;

  // Removes sealed entries from the log's front that were written before `before`; a checkpoint
  // stands for them. Returns how many.
  virtual std::size_t RemoveEntries(const AppId& app, TimePoint before, std::size_t limit,
                                    TimePoint now) = 0;

  struct Page {
    std::optional<Json> checkpoint;
    std::vector<AuditEntry> entries;  // sealed ones; behind the last of them those that are not
    std::optional<AuditHead> head;    // of the chain as it is kept
  };
  // Entries behind that seal, the oldest first.
  [[nodiscard]] virtual Page ReadEntries(const AppId& app, std::int64_t after,
                                         std::size_t limit) = 0;
};

}  // namespace writ::router
