#include <string>

#include "store/postgres/postgres_records.h"

namespace writ::store {

namespace {

std::vector<AuditRow> AllOf(PostgresRows rows) {
  std::vector<AuditRow> all;
  while (rows.Step()) {
    all.push_back(
        {rows.Text(0), rows.Int(1), rows.Text(2), rows.Int(3), rows.Text(4), rows.Text(5)});
  }
  return all;
}

std::string Select(std::string_view rest) {
  return "SELECT app, place, doc, seal, mac, aside FROM audit " + std::string(rest);
}

}  // namespace

std::int64_t PostgresRecords::NextAuditNumber(std::string_view session) {
  Writes();
  PostgresRows rows = connection_.Ask(
      "INSERT INTO audit_numbers (session, number) VALUES ($1, 1)"
      " ON CONFLICT (session) DO UPDATE SET number = audit_numbers.number + 1 RETURNING number",
      session);
  rows.Step();
  return rows.Int(0);
}

void PostgresRecords::InsertAudit(const AuditRow& row) {
  Writes();
  connection_.Tell("INSERT INTO audit (app, doc, seal, mac, aside) VALUES ($1, $2, 0, '', $3)",
                   row.app, row.doc, row.aside);
}

// Of two transactions side by side the one with the lower place may be seen last: the order is that
// of the places among those that are there to be seen, and the seal's from then on.
std::vector<AuditRow> PostgresRecords::UnsealedAudit(std::string_view app, std::size_t limit) {
  LockAudit(app);
  return AllOf(
      connection_.Ask(Select("WHERE app = $1 AND seal = 0 ORDER BY place LIMIT $2"), app, limit));
}

void PostgresRecords::SealAudit(std::int64_t place, std::int64_t seal, std::string_view mac) {
  Writes();
  connection_.Tell("UPDATE audit SET seal = $2, mac = $3 WHERE place = $1", place, seal, mac);
}

std::vector<AuditRow> PostgresRecords::SealedAudit(std::string_view app, std::int64_t after_seal,
                                                   std::size_t limit) {
  LockAudit(app);
  return AllOf(
      connection_.Ask(Select("WHERE app = $1 AND seal > 0 AND seal > $2 ORDER BY seal LIMIT $3"),
                      app, after_seal, limit));
}

void PostgresRecords::SetAuditAside(std::int64_t place, std::string_view aside) {
  Writes();
  connection_.Tell("UPDATE audit SET aside = $2 WHERE place = $1", place, aside);
}

void PostgresRecords::DeleteAuditThrough(std::string_view app, std::int64_t seal) {
  Writes();
  LockAudit(app);
  connection_.Tell("DELETE FROM audit WHERE app = $1 AND seal > 0 AND seal <= $2", app, seal);
}

AuditChainRow PostgresRecords::FindAuditChain(std::string_view app) {
  LockAudit(app);
  AuditChainRow row;
  row.app = app;
  PostgresRows rows =
      connection_.Ask("SELECT seal, mac, checkpoint FROM audit_chains WHERE app = $1", app);
  if (rows.Step()) {
    row.seal = rows.Int(0);
    row.mac = rows.Text(1);
    row.checkpoint = rows.Text(2);
  }
  return row;
}

bool PostgresRecords::SaveAuditChain(const AuditChainRow& row, std::int64_t if_seal) {
  Writes();
  if (FindAuditChain(row.app).seal != if_seal) return false;
  connection_.Tell(
      "INSERT INTO audit_chains (app, seal, mac, checkpoint) VALUES ($1, $2, $3, $4)"
      " ON CONFLICT (app) DO UPDATE SET seal = excluded.seal, mac = excluded.mac,"
      " checkpoint = excluded.checkpoint",
      row.app, row.seal, row.mac, row.checkpoint);
  return true;
}

}  // namespace writ::store
