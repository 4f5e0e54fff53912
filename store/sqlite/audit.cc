#include <string>

#include "store/sqlite/sqlite_records.h"

namespace writ::store {

namespace {

std::string Select(std::string_view rest) {
  return "SELECT app, place, doc, seal, mac, aside FROM audit " + std::string(rest);
}

std::vector<AuditRow> RowsOf(Query& query) {
  std::vector<AuditRow> rows;
  while (query.Step()) {
    rows.push_back(
        {query.Text(0), query.Int(1), query.Text(2), query.Int(3), query.Text(4), query.Text(5)});
  }
  return rows;
}

}  // namespace

std::int64_t SqliteRecords::NextAuditNumber(std::string_view session) {
  MustBeWritable();
  Query query(connection_,
              "INSERT INTO audit_numbers (session, number) VALUES (?1, 1)"
              " ON CONFLICT (session) DO UPDATE SET number = number + 1 RETURNING number",
              session);
  query.Step();
  const std::int64_t number = query.Int(0);
  query.Step();  // to its end: before that the row isn't written
  return number;
}

void SqliteRecords::InsertAudit(const AuditRow& row) {
  MustBeWritable();
  Query(connection_, "INSERT INTO audit (app, doc, seal, mac, aside) VALUES (?1, ?2, 0, '', ?3)",
        row.app, row.doc, row.aside)
      .Run();
}

std::vector<AuditRow> SqliteRecords::UnsealedAudit(std::string_view app, std::size_t limit) {
  Query query(connection_,
              Select("INDEXED BY audit_unsealed WHERE app = ?1 AND seal = 0"
                     " ORDER BY place LIMIT ?2"),
              app, limit);
  return RowsOf(query);
}

void SqliteRecords::SealAudit(std::int64_t place, std::int64_t seal, std::string_view mac) {
  MustBeWritable();
  Query(connection_, "UPDATE audit SET seal = ?2, mac = ?3 WHERE place = ?1", place, seal, mac)
      .Run();
}

std::vector<AuditRow> SqliteRecords::SealedAudit(std::string_view app, std::int64_t after_seal,
                                                 std::size_t limit) {
  Query query(connection_,
              Select("INDEXED BY audit_sealed WHERE app = ?1 AND seal > 0 AND seal > ?2"
                     " ORDER BY seal LIMIT ?3"),
              app, after_seal, limit);
  return RowsOf(query);
}

void SqliteRecords::SetAuditAside(std::int64_t place, std::string_view aside) {
  MustBeWritable();
  Query(connection_, "UPDATE audit SET aside = ?2 WHERE place = ?1", place, aside).Run();
  connection_.MustForget();
}

void SqliteRecords::DeleteAuditThrough(std::string_view app, std::int64_t seal) {
  MustBeWritable();
  Query gone(connection_,
             "DELETE FROM audit INDEXED BY audit_sealed WHERE app = ?1 AND seal > 0 AND seal <= ?2",
             app, seal);
  if (gone.Run() > 0) connection_.MustForget();
}

AuditChainRow SqliteRecords::FindAuditChain(std::string_view app) {
  AuditChainRow row;
  row.app = app;
  Query query(connection_, "SELECT seal, mac, checkpoint FROM audit_chains WHERE app = ?1", app);
  if (query.Step()) {
    row.seal = query.Int(0);
    row.mac = query.Text(1);
    row.checkpoint = query.Text(2);
  }
  return row;
}

bool SqliteRecords::SaveAuditChain(const AuditChainRow& row, std::int64_t if_seal) {
  MustBeWritable();
  if (FindAuditChain(row.app).seal != if_seal) return false;
  Query(connection_,
        "INSERT INTO audit_chains (app, seal, mac, checkpoint) VALUES (?1, ?2, ?3, ?4)"
        " ON CONFLICT (app) DO UPDATE SET seal = excluded.seal, mac = excluded.mac,"
        " checkpoint = excluded.checkpoint",
        row.app, row.seal, row.mac, row.checkpoint)
      .Run();
  return true;
}

}  // namespace writ::store
