#include <string>

#include "store/sqlite/sqlite_records.h"

namespace writ::store {

namespace {

std::string Select(std::string_view rest) {
  return "SELECT id, app, lane, user, created_at, expires_at, doc FROM consents " +
         std::string(rest);
}

ConsentRow RowOf(Query& query) {
  return {query.Text(0), query.Text(1), query.Text(2), query.Text(3),
          query.Time(4), query.Time(5), query.Text(6)};
}

}  // namespace

bool SqliteRecords::InsertConsent(const ConsentRow& row) {
  MustBeWritable();
  return Query(connection_,
               "INSERT INTO consents (id, app, lane, user, created_at, expires_at, doc)"
               " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT (id) DO NOTHING",
               row.id, row.app, row.lane, row.user, row.created_at, row.expires_at, row.doc)
             .Run() == 1;
}

std::optional<ConsentRow> SqliteRecords::FindConsent(std::string_view id) {
  Query query(connection_, Select("WHERE id = ?1"), id);
  return query.Step() ? std::optional(RowOf(query)) : std::nullopt;
}

std::vector<ConsentRow> SqliteRecords::ConsentsOfLane(std::string_view app, std::string_view lane,
                                                      const std::optional<std::string>& user,
                                                      TimePoint alive_at, std::size_t limit) {
  std::string rest = "WHERE app = ?1 AND lane = ?2 AND expires_at > ?3";
  rest += user ? " AND user = ?5" : " AND ?5 = ''";
  rest += " ORDER BY created_at DESC, id DESC LIMIT ?4";
  Query query(connection_, Select(rest), app, lane, alive_at, limit, user);
  std::vector<ConsentRow> rows;
  while (query.Step()) rows.push_back(RowOf(query));
  return rows;
}

bool SqliteRecords::DeleteConsent(std::string_view id) {
  MustBeWritable();
  const bool is_gone = Query(connection_, "DELETE FROM consents WHERE id = ?1", id).Run() == 1;
  if (is_gone) connection_.MustForget();
  return is_gone;
}

void SqliteRecords::DeleteConsentsBefore(TimePoint expires_before, std::size_t limit) {
  MustBeWritable();
  Query(connection_,
        "DELETE FROM consents WHERE id IN (SELECT id FROM consents WHERE expires_at < ?1"
        " ORDER BY expires_at, id LIMIT ?2)",
        expires_before, limit)
      .Run();
}

}  // namespace writ::store
