#include <string>

#include "store/memory/memory_records.h"

namespace writ::store {

bool MemoryRecords::InsertConsent(const ConsentRow& row) {
  MustBeWritable();
  if (tables_.consents.Find(row.id) != nullptr) return false;
  tables_.consents.Put(row.id, row);
  return true;
}

std::optional<ConsentRow> MemoryRecords::FindConsent(std::string_view id) {
  const ConsentRow* row = tables_.consents.Find(std::string(id));
  return row == nullptr ? std::nullopt : std::optional(*row);
}

std::vector<ConsentRow> MemoryRecords::ConsentsOfLane(std::string_view app, std::string_view lane,
                                                      const std::optional<std::string>& user,
                                                      TimePoint alive_at, std::size_t limit) {
  std::vector<ConsentRow> rows;
  const auto& entries = tables_.consents_of_lane.entries();
  auto at = entries.lower_bound({std::string(app), std::string(lane), TimePoint::max(), ""});
  while (at != entries.begin() && rows.size() < limit) {
    --at;
    if (std::get<0>(*at) != app || std::get<1>(*at) != lane) break;
    const ConsentRow* row = tables_.consents.Find(std::get<3>(*at));
    if (row->expires_at > alive_at && (!user || row->user == *user)) rows.push_back(*row);
  }
  return rows;
}

bool MemoryRecords::DeleteConsent(std::string_view id) {
  MustBeWritable();
  if (tables_.consents.Find(std::string(id)) == nullptr) return false;
  tables_.consents.Erase(std::string(id));
  return true;
}

void MemoryRecords::DeleteConsentsBefore(TimePoint expires_before, std::size_t limit) {
  MustBeWritable();
  const auto& entries = tables_.consents_expiring.entries();
  for (; limit > 0 && !entries.empty(); --limit) {
    const auto first = *entries.begin();
    if (std::get<0>(first) >= expires_before) return;
    tables_.consents.Erase(std::get<1>(first));
  }
}

}  // namespace writ::store
