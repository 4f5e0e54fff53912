#include <string>

#include "store/redis/keys.h"
#include "store/redis/redis_records.h"

namespace writ::store {

std::int64_t RedisRecords::NextAuditNumber(std::string_view session) {
  Writes();
  Load<AuditNumberTable>(std::string(session));
  const std::int64_t number = memory_.NextAuditNumber(session);
  Held<AuditNumberTable>().Change(std::string(session));
  return number;
}

void RedisRecords::InsertAudit(const AuditRow& row) {
  Writes();
  memory_.InsertAudit(row);  // the place that it gets is this transaction's alone
}

std::vector<AuditRow> RedisRecords::UnsealedAudit(std::string_view app, std::size_t limit) {
  LoadRange<AuditTable>({.index = IndexName("by:audit_unsealed", {app})}, /*marked=*/false, limit);
  return memory_.UnsealedAudit(app, limit);
}

void RedisRecords::SealAudit(std::int64_t place, std::int64_t seal, std::string_view mac) {
  Writes();
  if (place > first_new_place_) {
    memory_.SealAudit(place, seal, mac);
    return;
  }
  Load<AuditTable>(place);
  memory_.SealAudit(place, seal, mac);
  if (tables_.audit.Find(place) != nullptr) Held<AuditTable>().Change(place);
}

std::vector<AuditRow> RedisRecords::SealedAudit(std::string_view app, std::int64_t after_seal,
                                                std::size_t limit) {
  LoadRange<AuditTable>({.index = IndexName("by:audit_sealed", {app}),
                         .from = "[" + Ordered(after_seal + 1),
                         .skip = kOrderedSize},
                        /*marked=*/false, limit);
  return memory_.SealedAudit(app, after_seal, limit);
}

void RedisRecords::SetAuditAside(std::int64_t place, std::string_view aside) {
  Writes();
  Load<AuditTable>(place);
  memory_.SetAuditAside(place, aside);
  if (tables_.audit.Find(place) != nullptr) Held<AuditTable>().Change(place);
}

void RedisRecords::DeleteAuditThrough(std::string_view app, std::int64_t seal) {
  Writes();
  const auto places = LoadRange<AuditTable>({.index = IndexName("by:audit_sealed", {app}),
                                             .to = "(" + Ordered(seal + 1),
                                             .skip = kOrderedSize},
                                            /*marked=*/false, kAll);
  memory_.DeleteAuditThrough(app, seal);
  for (const std::int64_t place : places) {
    if (tables_.audit.Find(place) == nullptr) Held<AuditTable>().Change(place);
  }
}

AuditChainRow RedisRecords::FindAuditChain(std::string_view app) {
  Load<AuditChainTable>(std::string(app));
  return memory_.FindAuditChain(app);
}

bool RedisRecords::SaveAuditChain(const AuditChainRow& row, std::int64_t if_seal) {
  Writes();
  Load<AuditChainTable>(row.app);
  if (!memory_.SaveAuditChain(row, if_seal)) return false;
  Held<AuditChainTable>().Change(row.app);
  return true;
}

// Entries that came in this transaction: the store gives them their places, in their order.
void RedisRecords::WritePlaced(RedisWrites& writes) const {
  const auto& rows = tables_.audit.rows();
  for (auto at = rows.upper_bound(first_new_place_); at != rows.end(); ++at) {
    const IndexEntries entries = AuditTable::EntriesOf(at->second);
    std::string member = entries.front().member;
    member.resize(member.size() - kOrderedSize);  // the place
    writes.placed.push_back({std::string(AuditTable::kName) + ":", AuditTable::Pack(at->second),
                             entries.front().index, member});
  }
}

}  // namespace writ::store
