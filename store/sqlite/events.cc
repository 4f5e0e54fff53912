#include <string>

#include "store/event_states.h"
#include "store/sqlite/sqlite_records.h"

namespace writ::store {

namespace {

std::string Select(std::string_view rest) {
  return "SELECT app, key, message, state, received_at, doc, channel FROM events " +
         std::string(rest);
}

EventRow RowOf(Query& query) {
  return {query.Text(0), query.Text(1), query.Text(2), StateOf(query.Int(3)),
          query.Time(4), query.Text(5), query.Text(6)};
}

std::vector<EventRow> AllOf(Query& query) {
  std::vector<EventRow> rows;
  while (query.Step()) rows.push_back(RowOf(query));
  return rows;
}

}  // namespace

bool SqliteRecords::InsertEvent(const EventRow& row) {
  MustBeWritable();
  return Query(connection_,
               "INSERT INTO events (app, key, message, state, received_at, doc, channel)"
               " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT (app, key) DO NOTHING",
               row.app, row.key, row.message, Stored(row.state), row.received_at, row.doc,
               row.channel)
             .Run() == 1;
}

std::optional<EventRow> SqliteRecords::FindEvent(std::string_view app, std::string_view key) {
  Query query(connection_, Select("WHERE app = ?1 AND key = ?2"), app, key);
  return query.Step() ? std::optional(RowOf(query)) : std::nullopt;
}

void SqliteRecords::SetEventState(std::string_view app, std::string_view key,
                                  EventRow::State state) {
  MustBeWritable();
  Query(connection_,
        "UPDATE events SET state = ?3, doc = CASE WHEN ?4 THEN '' ELSE doc END"
        " WHERE app = ?1 AND key = ?2",
        app, key, Stored(state), state == EventRow::State::kDone)
      .Run();
}

std::vector<EventRow> SqliteRecords::WaitingEvents(std::size_t limit) {
  Query query(connection_, Select("WHERE state = 0 ORDER BY received_at, place LIMIT ?1"), limit);
  return AllOf(query);
}

std::optional<EventRow> SqliteRecords::FirstWaitingEvent(std::string_view app,
                                                         std::string_view channel) {
  Query query(connection_,
              Select("WHERE app = ?1 AND channel = ?2 AND state = 0 ORDER BY place LIMIT 1"), app,
              channel);
  return query.Step() ? std::optional(RowOf(query)) : std::nullopt;
}

std::vector<EventRow> SqliteRecords::ParkedEvents(std::string_view app, std::string_view message) {
  Query query(connection_,
              Select("WHERE app = ?1 AND message = ?2 AND state = 1 ORDER BY received_at, place"),
              app, message);
  return AllOf(query);
}

std::vector<EventRow> SqliteRecords::ParkedEventsSince(std::string_view app,
                                                       TimePoint received_from, std::size_t limit) {
  Query query(connection_,
              Select("INDEXED BY events_over WHERE state <> 0 AND received_at >= ?2 AND app = ?1"
                     " AND state = 1 ORDER BY received_at, place LIMIT ?3"),
              app, received_from, limit);
  return AllOf(query);
}

void SqliteRecords::DeleteEventsBefore(TimePoint received_before, std::size_t limit) {
  MustBeWritable();
  Query(connection_,
        "DELETE FROM events WHERE place IN (SELECT place FROM events"
        " WHERE state <> 0 AND received_at < ?1 ORDER BY received_at, place LIMIT ?2)",
        received_before, limit)
      .Run();
}

}  // namespace writ::store
