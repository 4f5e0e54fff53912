#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "router/audit/ledger.h"
#include "store/ledger/telling.h"
#include "store/records.h"

namespace writ::store {

// The audit log over any engine. `telling` outlives it.
class AuditOver final : public router::AuditLedger {
 public:
  AuditOver(Engine& engine, const TellingOf& telling, std::string secret)
      : engine_(engine), telling_(telling), secret_(std::move(secret)) {}

  std::optional<router::AuditHead> SealEntries(const router::AppId& app, std::size_t limit,
                                               router::TimePoint now) override;
  std::size_t RemoveEntries(const router::AppId& app, router::TimePoint before, std::size_t limit,
                            router::TimePoint now) override;
  Page ReadEntries(const router::AppId& app, std::int64_t after, std::size_t limit) override;

 private:
  void PublishHead(Records& records, const router::AuditHead& head, std::size_t entries,
                   router::TimePoint now) const;

  Engine& engine_;
  const TellingOf& telling_;
  const std::string secret_;
};

}  // namespace writ::store
