#include "store/sqlite/migrations.h"

#include <array>
#include <cstdint>

#include "router/base/failure.h"

extern "C" {
extern const char writ_sqlite_0001[];
extern const char writ_sqlite_0001_end[];
extern const char writ_sqlite_0002[];
extern const char writ_sqlite_0002_end[];
extern const char writ_sqlite_0003[];
extern const char writ_sqlite_0003_end[];
extern const char writ_sqlite_0004[];
extern const char writ_sqlite_0004_end[];
extern const char writ_sqlite_0005[];
extern const char writ_sqlite_0005_end[];
extern const char writ_sqlite_0006[];
extern const char writ_sqlite_0006_end[];
extern const char writ_sqlite_0007[];
extern const char writ_sqlite_0007_end[];
extern const char writ_sqlite_0008[];
extern const char writ_sqlite_0008_end[];
}

namespace writ::store {

using router::Failure;

namespace {

constexpr std::int64_t kApplicationId = 0x57726974;  // `Writ`, at byte 68 of the file

}  // namespace

std::span<const std::string_view> Migrations() {
  static const std::array kMigrations = {
      std::string_view(writ_sqlite_0001, writ_sqlite_0001_end),
      std::string_view(writ_sqlite_0002, writ_sqlite_0002_end),
      std::string_view(writ_sqlite_0003, writ_sqlite_0003_end),
      std::string_view(writ_sqlite_0004, writ_sqlite_0004_end),
      std::string_view(writ_sqlite_0005, writ_sqlite_0005_end),
      std::string_view(writ_sqlite_0006, writ_sqlite_0006_end),
      std::string_view(writ_sqlite_0007, writ_sqlite_0007_end),
      std::string_view(writ_sqlite_0008, writ_sqlite_0008_end),
  };
  return kMigrations;
}

void MustBeKnown(Connection& connection, const std::string& path) {
  const std::int64_t application = connection.Number("PRAGMA application_id");
  const bool has_tables = connection.Number("SELECT count(*) FROM sqlite_schema") > 0;
  if (application != kApplicationId && (application != 0 || has_tables)) {
    throw Failure(Failure::Kind::kPermanent,
                  "store " + path + ": it is another program's database");
  }
  const std::int64_t version = connection.Number("PRAGMA user_version");
  const std::size_t known = Migrations().size();
  if (version < 0 || static_cast<std::uint64_t>(version) > known) {
    throw Failure(Failure::Kind::kPermanent,
                  "store " + path + ": its schema is version " + std::to_string(version) +
                      ", this program knows up to " + std::to_string(known) +
                      "; run the newer program, or restore a backup of before it");
  }
}

void Migrate(Connection& connection) {
  const auto migrations = Migrations();
  const auto version = static_cast<std::size_t>(connection.Number("PRAGMA user_version"));
  SQLite::Database& database = connection.database();
  for (std::size_t done = version; done < migrations.size(); ++done) {
    database.exec("BEGIN IMMEDIATE");
    try {
      database.exec(std::string(migrations[done]));
      database.exec("PRAGMA application_id = " + std::to_string(kApplicationId));
      database.exec("PRAGMA user_version = " + std::to_string(done + 1));
      database.exec("COMMIT");
    } catch (...) {
      database.tryExec("ROLLBACK");
      throw;
    }
  }
}

}  // namespace writ::store
