#include "store/redis/keys.h"
#include "store/redis/redis_records.h"

namespace writ::store {

bool RedisRecords::InsertConsent(const ConsentRow& row) {
  Writes();
  Load<ConsentTable>(row.id);
  if (!memory_.InsertConsent(row)) return false;
  Held<ConsentTable>().Change(row.id);
  return true;
}

std::optional<ConsentRow> RedisRecords::FindConsent(std::string_view id) {
  Load<ConsentTable>(std::string(id));
  return memory_.FindConsent(id);
}

std::vector<ConsentRow> RedisRecords::ConsentsOfLane(std::string_view app, std::string_view lane,
                                                     const std::optional<std::string>& user,
                                                     TimePoint alive_at, std::size_t limit) {
  LoadRange<ConsentTable>({.index = IndexName("by:consent_of_lane", {app, lane}),
                           .last_first = true,
                           .skip = kOrderedSize},
                          /*marked=*/true, limit, [&](const ConsentRow& row) {
                            return row.expires_at > alive_at && (!user || row.user == *user);
                          });
  return memory_.ConsentsOfLane(app, lane, user, alive_at, limit);
}

bool RedisRecords::DeleteConsent(std::string_view id) {
  Writes();
  Load<ConsentTable>(std::string(id));
  if (!memory_.DeleteConsent(id)) return false;
  Held<ConsentTable>().Change(std::string(id));
  return true;
}

void RedisRecords::DeleteConsentsBefore(TimePoint expires_before, std::size_t limit) {
  Writes();
  limit = std::min(limit, most_);
  const auto ids = LoadRange<ConsentTable>(
      {.index = "by:consent_end", .to = "(" + Ordered(expires_before), .skip = kOrderedSize},
      /*marked=*/false, limit);
  memory_.DeleteConsentsBefore(expires_before, limit);
  for (const std::string& id : ids) {
    if (tables_.consents.Find(id) == nullptr) Held<ConsentTable>().Change(id);
  }
}

}  // namespace writ::store
