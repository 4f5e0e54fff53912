#include <string>

#include "store/memory/memory_records.h"

namespace writ::store {

std::int64_t MemoryRecords::NextAuditNumber(std::string_view session) {
  MustBeWritable();
  const std::string key(session);
  const std::int64_t* last = tables_.audit_numbers.Find(key);
  const std::int64_t next = last == nullptr ? 1 : *last + 1;
  tables_.audit_numbers.Put(key, next);
  return next;
}

void MemoryRecords::InsertAudit(const AuditRow& row) {
  MustBeWritable();
  AuditRow placed = row;
  placed.place = ++tables_.sequence;
  placed.seal = 0;
  placed.mac.clear();
  tables_.audit.Put(placed.place, placed);
}

std::vector<AuditRow> MemoryRecords::UnsealedAudit(std::string_view app, std::size_t limit) {
  std::vector<AuditRow> rows;
  const auto& entries = tables_.audit_unsealed.entries();
  for (auto at = entries.lower_bound({std::string(app), 0});
       at != entries.end() && std::get<0>(*at) == app && rows.size() < limit; ++at) {
    rows.push_back(*tables_.audit.Find(std::get<1>(*at)));
  }
  return rows;
}

void MemoryRecords::SealAudit(std::int64_t place, std::int64_t seal, std::string_view mac) {
  MustBeWritable();
  const AuditRow* found = tables_.audit.Find(place);
  if (found == nullptr) return;
  AuditRow sealed = *found;
  sealed.seal = seal;
  sealed.mac = mac;
  tables_.audit.Put(place, sealed);
}

std::vector<AuditRow> MemoryRecords::SealedAudit(std::string_view app, std::int64_t after_seal,
                                                 std::size_t limit) {
  std::vector<AuditRow> rows;
  const auto& entries = tables_.audit_sealed.entries();
  for (auto at = entries.lower_bound({std::string(app), after_seal + 1, 0});
       at != entries.end() && std::get<0>(*at) == app && rows.size() < limit; ++at) {
    rows.push_back(*tables_.audit.Find(std::get<2>(*at)));
  }
  return rows;
}

void MemoryRecords::SetAuditAside(std::int64_t place, std::string_view aside) {
  MustBeWritable();
  const AuditRow* found = tables_.audit.Find(place);
  if (found == nullptr) return;
  AuditRow changed = *found;
  changed.aside = aside;
  tables_.audit.Put(place, changed);
}

void MemoryRecords::DeleteAuditThrough(std::string_view app, std::int64_t seal) {
  MustBeWritable();
  const auto& entries = tables_.audit_sealed.entries();
  for (;;) {
    const auto first = entries.lower_bound({std::string(app), 0, 0});
    if (first == entries.end() || std::get<0>(*first) != app || std::get<1>(*first) > seal) return;
    tables_.audit.Erase(std::get<2>(*first));
  }
}

AuditChainRow MemoryRecords::FindAuditChain(std::string_view app) {
  const AuditChainRow* found = tables_.audit_chains.Find(std::string(app));
  if (found != nullptr) return *found;
  AuditChainRow none;
  none.app = app;
  return none;
}

bool MemoryRecords::SaveAuditChain(const AuditChainRow& row, std::int64_t if_seal) {
  MustBeWritable();
  if (FindAuditChain(row.app).seal != if_seal) return false;
  tables_.audit_chains.Put(row.app, row);
  return true;
}

}  // namespace writ::store
