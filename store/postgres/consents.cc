// What people allowed beforehand, and what was used up.
#include <string>

#include "store/postgres/postgres_records.h"

namespace writ::store {

namespace {

std::string Select(std::string_view rest) {
  return "SELECT id, app, lane, person, created_at, expires_at, doc FROM consents " +
         std::string(rest);
}

ConsentRow RowOf(const PostgresRows& rows) {
  return {rows.Text(0), rows.Text(1), rows.Text(2), rows.Text(3),
          rows.Time(4), rows.Time(5), rows.Text(6)};
}

}  // namespace

void PostgresRecords::LockConsent(std::string_view id) {
  if (!IsToLock("consent", std::string(id))) return;
  connection_.Tell(
      "SELECT pg_advisory_xact_lock(unit_of('lane', app, lane)) FROM consents WHERE id = $1", id);
}

bool PostgresRecords::InsertConsent(const ConsentRow& row) {
  Writes();
  LockLane(row.app, row.lane);
  return connection_
             .Ask(
                 "INSERT INTO consents (id, app, lane, person, created_at, expires_at, doc)"
                 " VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (id) DO NOTHING",
                 row.id, row.app, row.lane, row.user, row.created_at, row.expires_at, row.doc)
             .changed() == 1;
}

std::optional<ConsentRow> PostgresRecords::FindConsent(std::string_view id) {
  LockConsent(id);
  PostgresRows rows = connection_.Ask(Select("WHERE id = $1"), id);
  return rows.Step() ? std::optional(RowOf(rows)) : std::nullopt;
}

std::vector<ConsentRow> PostgresRecords::ConsentsOfLane(std::string_view app, std::string_view lane,
                                                        const std::optional<std::string>& user,
                                                        TimePoint alive_at, std::size_t limit) {
  LockLane(app, lane);
  PostgresValues values(app, lane, alive_at, limit);
  std::string rest = "WHERE app = $1 AND lane = $2 AND expires_at > $3";
  if (user) {
    values.Add(*user);
    rest += " AND person = $5";
  }
  std::vector<ConsentRow> all;
  PostgresRows rows =
      connection_.Run(Select(rest + " ORDER BY created_at DESC, id DESC LIMIT $4"), values);
  while (rows.Step()) all.push_back(RowOf(rows));
  return all;
}

bool PostgresRecords::DeleteConsent(std::string_view id) {
  Writes();
  LockConsent(id);
  return connection_.Ask("DELETE FROM consents WHERE id = $1", id).changed() == 1;
}

void PostgresRecords::DeleteConsentsBefore(TimePoint expires_before, std::size_t limit) {
  Writes();
  // Several nodes do so at the same time: each takes rows of its own.
  connection_.Tell(
      "DELETE FROM consents WHERE ctid = ANY (ARRAY(SELECT ctid FROM consents"
      " WHERE expires_at < $1 ORDER BY expires_at, id LIMIT $2 FOR UPDATE SKIP LOCKED))",
      expires_before, limit);
}

void PostgresRecords::LockBudget(std::string_view app, std::string_view counter) {
  if (!IsToLock("budget", std::string(app) + '\0' + std::string(counter))) return;
  connection_.Tell("SELECT pg_advisory_xact_lock(unit_of('budget', $1, $2))", app, counter);
}

std::optional<BudgetRow> PostgresRecords::FindBudget(std::string_view app,
                                                     std::string_view counter) {
  LockBudget(app, counter);
  PostgresRows rows = connection_.Ask(
      "SELECT app, counter, since, used FROM budgets WHERE app = $1 AND counter = $2", app,
      counter);
  if (!rows.Step()) return std::nullopt;
  return BudgetRow{rows.Text(0), rows.Text(1), rows.Time(2), rows.Int(3)};
}

void PostgresRecords::SaveBudget(const BudgetRow& row) {
  Writes();
  LockBudget(row.app, row.counter);
  connection_.Tell(
      "INSERT INTO budgets (app, counter, since, used) VALUES ($1, $2, $3, $4)"
      " ON CONFLICT (app, counter) DO UPDATE SET since = excluded.since, used = excluded.used",
      row.app, row.counter, row.since, row.used);
}

void PostgresRecords::DeleteBudgetsBefore(TimePoint since_before, std::size_t limit) {
  Writes();
  connection_.Tell(
      "DELETE FROM budgets WHERE ctid = ANY (ARRAY(SELECT ctid FROM budgets"
      " WHERE since < $1 ORDER BY since LIMIT $2 FOR UPDATE SKIP LOCKED))",
      since_before, limit);
}

}  // namespace writ::store
