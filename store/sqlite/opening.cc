#include "store/sqlite/opening.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <system_error>
#include <vector>

#include "router/base/failure.h"
#include "store/sqlite/migrations.h"

namespace writ::store {

using router::Failure;

namespace {

// Before SQLite has it open: to close it later would drop SQLite's own locks on it.
void MakeWritableFile(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (fd < 0) {
    const int error = errno;
    throw Failure(Failure::Kind::kPermanent, "store " + path + ": it cannot be written: " +
                                                 std::generic_category().message(error));
  }
  ::close(fd);
}

void UseWriteAheadLog(Connection& connection, const std::string& path) {
  SQLite::Statement statement(connection.database(), "PRAGMA journal_mode = WAL");
  if (statement.executeStep() && statement.getColumn(0).getString() == "wal") return;
  throw Failure(Failure::Kind::kPermanent,
                "store " + path + ": no write-ahead log is possible there; use a local disk");
}

void LookForDamage(Connection& connection, const std::string& path) {
  const std::int64_t pages = connection.Number("PRAGMA page_count");
  const std::int64_t page_size = connection.Number("PRAGMA page_size");
  // What a killed process left in the log goes into the file first; 1 is "not all of it".
  const bool is_whole = connection.Number("PRAGMA wal_checkpoint(TRUNCATE)") == 0;
  struct stat file = {};
  if (is_whole && ::stat(path.c_str(), &file) == 0 && file.st_size < pages * page_size) {
    throw Failure(Failure::Kind::kPermanent,
                  "store " + path +
                      ": the file is damaged (its end is missing); restore it from"
                      " a backup");
  }
  std::vector<std::string> tables;
  {
    SQLite::Statement names(connection.database(),
                            "SELECT name FROM sqlite_schema WHERE type = 'table'"
                            " AND name NOT LIKE 'sqlite%'");
    while (names.executeStep()) tables.push_back(names.getColumn(0).getString());
  }
  for (const std::string& table : tables) {
    connection.Number("SELECT 1 FROM \"" + table + "\" LIMIT 1");
  }
}

}  // namespace

std::unique_ptr<Connection> OpenForWriting(const std::string& path) {
  MakeWritableFile(path);
  auto connection = std::make_unique<Connection>(path, Connection::Use::kWrite);
  MustBeKnown(*connection, path);
  UseWriteAheadLog(*connection, path);
  LookForDamage(*connection, path);
  Migrate(*connection);
  return connection;
}

}  // namespace writ::store
