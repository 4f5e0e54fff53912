#include "store/postgres/migrations.h"

#include <array>
#include <cstdint>

#include "router/base/failure.h"
#include "store/postgres/failures.h"

extern "C" {
extern const char writ_postgres_0001[];
extern const char writ_postgres_0001_end[];
extern const char writ_postgres_0002[];
extern const char writ_postgres_0002_end[];
extern const char writ_postgres_0003[];
extern const char writ_postgres_0003_end[];
extern const char writ_postgres_0004[];
extern const char writ_postgres_0004_end[];
extern const char writ_postgres_0005[];
extern const char writ_postgres_0005_end[];
}

namespace writ::store {

using router::Failure;

namespace {

Failure Refusal(const std::string& schema, const std::string& why) {
  return {Failure::Kind::kPermanent, "store postgres: schema " + schema + ": " + why};
}

void MakeSchema(PostgresConnection& connection, const std::string& schema) {
  const bool is_there =
      connection.Ask("SELECT 1 FROM pg_namespace WHERE nspname = convert_from($1, 'UTF8')", schema)
          .Step();
  if (is_there) return;
  try {
    connection.RunScript("CREATE SCHEMA \"" + schema + "\"");
  } catch (const PostgresError& error) {
    throw Refusal(schema, "it is not there and cannot be made (" + std::string(error.what()) +
                              "); have it made for this user: CREATE SCHEMA … AUTHORIZATION …");
  }
}

// How many steps the schema has been through.
std::size_t StepsOf(PostgresConnection& connection, const std::string& schema) {
  PostgresRows tables = connection.Ask(
      "SELECT count(*), count(*) FILTER (WHERE relname = 'writ_schema') FROM pg_class"
      " WHERE relnamespace = (SELECT oid FROM pg_namespace"
      " WHERE nspname = convert_from($1, 'UTF8')) AND relkind = 'r'",
      schema);
  tables.Step();
  if (tables.Int(1) == 0) {
    if (tables.Int(0) != 0) throw Refusal(schema, "it has another program's tables");
    connection.RunScript(
        "BEGIN; CREATE TABLE writ_schema (steps bigint NOT NULL, oldest bigint NOT NULL);"
        " INSERT INTO writ_schema VALUES (0, 0); COMMIT");
    return 0;
  }
  PostgresRows rows = connection.Ask("SELECT steps, oldest FROM writ_schema");
  rows.Step();
  const auto known = static_cast<std::int64_t>(PostgresMigrations().size());
  // `oldest` is written by the program that made the newest step: what it left behind it.
  if (rows.Int(1) > known) {
    throw Refusal(schema, "it is of a newer program, which took it to step " +
                              std::to_string(rows.Int(0)) + "; this one knows up to " +
                              std::to_string(known));
  }
  return static_cast<std::size_t>(rows.Int(0));
}

void TakeSteps(PostgresConnection& connection, const std::string& schema) {
  MakeSchema(connection, schema);
  const auto migrations = PostgresMigrations();
  for (std::size_t done = StepsOf(connection, schema); done < migrations.size(); ++done) {
    // The program before this one, which knows one step less, may go on for now.
    connection.RunScript("BEGIN; " + std::string(migrations[done]) +
                         "; UPDATE writ_schema SET steps = " + std::to_string(done + 1) +
                         ", oldest = " + std::to_string(done) + "; COMMIT");
  }
}

}  // namespace

std::span<const std::string_view> PostgresMigrations() {
  static const std::array kMigrations = {
      std::string_view(writ_postgres_0001, writ_postgres_0001_end),
      std::string_view(writ_postgres_0002, writ_postgres_0002_end),
      std::string_view(writ_postgres_0003, writ_postgres_0003_end),
      std::string_view(writ_postgres_0004, writ_postgres_0004_end),
      std::string_view(writ_postgres_0005, writ_postgres_0005_end),
  };
  return kMigrations;
}

void MigratePostgres(PostgresConnection& connection, const std::string& schema) {
  // A step on a large table takes its time, and so does waiting for another node's.
  connection.Ask(
      "SELECT set_config('statement_timeout', '0', false),"
      " set_config('idle_in_transaction_session_timeout', '0', false)");
  connection.RunScript(
      "SELECT pg_advisory_lock(('x' || left(encode(sha256(convert_to("
      "'writ steps ' || current_setting('search_path'), 'UTF8')), 'hex'), 16))"
      "::bit(64)::bigint)");
  TakeSteps(connection, schema);  // its end is the connection's
}

}  // namespace writ::store
