#pragma once

#include <optional>

#include "router/audit/ledger.h"
#include "router/base/time.h"
#include "router/flow/ports.h"
#include "router/flow/setup.h"

namespace writ::router {

// Seals what was written to the audit log, publishes the new heads, and removes what is too old.
// Each node does; the store lets one of them at a time.
class Seal {
 public:
  // audit  nullptr: there is no log
  // keep   how long entries stay; nullopt: for ever
  Seal(const Ports& ports, AuditLedger* audit, const Directory& directory,
       std::optional<Duration> keep)
      : ports_(ports), audit_(audit), directory_(directory), keep_(keep) {}

  // A round; within a second of the last one it does nothing.
  void Run();
  // What is written and not sealed, now: the node ends.
  void Finish();

 private:
  void SealAll();
  void RemoveOld();

  const Ports& ports_;
  AuditLedger* audit_;
  const Directory& directory_;
  const std::optional<Duration> keep_;
  std::optional<SteadyPoint> sealed_at_;
  std::optional<SteadyPoint> removed_at_;
};

}  // namespace writ::router
