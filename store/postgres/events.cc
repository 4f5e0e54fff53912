#include <string>

#include "store/event_states.h"
#include "store/postgres/postgres_records.h"

namespace writ::store {

namespace {

std::string Select(std::string_view rest) {
  return "SELECT app, key, message, state, received_at, doc, channel FROM events " +
         std::string(rest);
}

EventRow RowOf(const PostgresRows& rows) {
  return {rows.Text(0), rows.Text(1), rows.Text(2), StateOf(rows.Int(3)),
          rows.Time(4), rows.Text(5), rows.Text(6)};
}

std::vector<EventRow> AllOf(PostgresRows rows) {
  std::vector<EventRow> all;
  while (rows.Step()) all.push_back(RowOf(rows));
  return all;
}

}  // namespace

bool PostgresRecords::InsertEvent(const EventRow& row) {
  Writes();
  LockMessage(row.app, row.message);
  return connection_
             .Ask(
                 "INSERT INTO events (app, key, message, state, received_at, doc, channel)"
                 " VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (app, key) DO NOTHING",
                 row.app, row.key, row.message, Stored(row.state), row.received_at, row.doc,
                 row.channel)
             .changed() == 1;
}

std::optional<EventRow> PostgresRecords::FindEvent(std::string_view app, std::string_view key) {
  if (IsToLock("event", std::string(app) + '\0' + std::string(key))) {
    connection_.Tell(
        "SELECT pg_advisory_xact_lock(unit_of('message', app, message)) FROM events"
        " WHERE app = $1 AND key = $2",
        app, key);
  }
  PostgresRows rows = connection_.Ask(Select("WHERE app = $1 AND key = $2"), app, key);
  return rows.Step() ? std::optional(RowOf(rows)) : std::nullopt;
}

void PostgresRecords::SetEventState(std::string_view app, std::string_view key,
                                    EventRow::State state) {
  Writes();
  connection_.Tell(
      "UPDATE events SET state = $3, doc = CASE WHEN $4 THEN '' ELSE doc END"
      " WHERE app = $1 AND key = $2",
      app, key, Stored(state), state == EventRow::State::kDone);
}

std::vector<EventRow> PostgresRecords::WaitingEvents(std::size_t limit) {
  return AllOf(
      connection_.Ask(Select("WHERE state = 0 ORDER BY received_at, place LIMIT $1"), limit));
}

std::optional<EventRow> PostgresRecords::FirstWaitingEvent(std::string_view app,
                                                           std::string_view channel) {
  // A channel is a lane: whoever opens one of its events has the lock until that is done.
  LockLane(app, channel);
  PostgresRows rows = connection_.Ask(
      Select("WHERE app = $1 AND channel = $2 AND state = 0 ORDER BY place LIMIT 1"), app, channel);
  return rows.Step() ? std::optional(RowOf(rows)) : std::nullopt;
}

std::vector<EventRow> PostgresRecords::ParkedEvents(std::string_view app,
                                                    std::string_view message) {
  LockMessage(app, message);
  return AllOf(connection_.Ask(
      Select("WHERE app = $1 AND message = $2 AND state = 1 ORDER BY received_at, place"), app,
      message));
}

std::vector<EventRow> PostgresRecords::ParkedEventsSince(std::string_view app,
                                                         TimePoint received_from,
                                                         std::size_t limit) {
  return AllOf(
      connection_.Ask(Select("WHERE state <> 0 AND received_at >= $2 AND app = $1 AND state = 1"
                             " ORDER BY received_at, place LIMIT $3"),
                      app, received_from, limit));
}

void PostgresRecords::DeleteEventsBefore(TimePoint received_before, std::size_t limit) {
  Writes();
  // Several nodes forget at the same time: each takes rows of its own.
  connection_.Tell(
      "DELETE FROM events WHERE ctid = ANY (ARRAY(SELECT ctid FROM events"
      " WHERE state <> 0 AND received_at < $1 ORDER BY received_at, place LIMIT $2"
      " FOR UPDATE SKIP LOCKED))",
      received_before, limit);
}

}  // namespace writ::store
