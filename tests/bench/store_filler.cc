#include "tests/bench/store_filler.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <set>
#include <system_error>
#include <vector>

#include "bot/http/socket.h"

namespace writ::bench {
namespace {

// What may be there of a channel, and the column that says of which.
struct Table {
  const char* name;
  const char* channel;
};
constexpr auto kTables = std::to_array<Table>({{"sessions", "cid"},
                                               {"turns", "lane"},
                                               {"approvals", "lane"},
                                               {"lanes", "lane"},
                                               {"outbox", "lane"},
                                               {"events", "channel"}});
constexpr std::size_t kInATransaction = 50000;
constexpr const char* kDay = "86400000000";  // µs

std::vector<std::string> TextsOf(SQLite::Database& database, const std::string& sql) {
  SQLite::Statement statement(database, sql);
  std::vector<std::string> texts;
  while (statement.executeStep()) texts.push_back(statement.getColumn(0).getString());
  return texts;
}

// The channel's rows, apart: nothing is to be looked for among a million again and again.
void TakeTemplates(SQLite::Database& database, const std::string& channel) {
  for (const Table& table : kTables) {
    SQLite::Statement take(database, std::string("CREATE TEMP TABLE the_") + table.name +
                                         " AS SELECT * FROM main." + table.name + " WHERE " +
                                         table.channel + " = '" + channel + "'");
    take.exec();
  }
}

// The ids that are the channel's own: they are to be others in each copy.
std::set<std::string> IdsOf(SQLite::Database& database, const std::string& channel) {
  std::set<std::string> ids = {channel.substr(channel.find(':') + 1)};
  for (const char* sql : {"SELECT id FROM the_sessions", "SELECT id FROM the_turns",
                          "SELECT id FROM the_approvals", "SELECT call FROM the_approvals"}) {
    for (std::string& id : TextsOf(database, sql)) ids.insert(std::move(id));
  }
  return ids;
}

std::string Quoted(const std::string& text) { return "'" + text + "'"; }

// A column's value in copy n.
std::string ValueOf(const std::string& column, const std::string& type,
                    const std::set<std::string>& ids) {
  if (column == "last_active_at") return "t." + column + " - " + kDay;
  if (type != "TEXT") return "t." + column;
  std::string value = "t." + column;
  for (const std::string& id : ids) {
    const std::string kept = id.substr(0, id.size() - StoreFiller::kPlaces);
    value.insert(0, "replace(");
    value.append(", ").append(Quoted(id)).append(", ").append(Quoted(kept)).append(" || n.text)");
  }
  return value;
}

std::string InsertInto(SQLite::Database& database, const Table& table,
                       const std::set<std::string>& ids) {
  std::string columns;
  std::string values;
  SQLite::Statement info(database, std::string("PRAGMA table_info(") + table.name + ")");
  while (info.executeStep()) {
    const std::string column = info.getColumn(1).getString();
    if (column == "place") continue;  // a row's own number
    columns += (columns.empty() ? "" : ", ") + column;
    values += (values.empty() ? "" : ", ") + ValueOf(column, info.getColumn(2).getString(), ids);
  }
  return std::string("INSERT INTO ") + table.name + " (" + columns + ")" +
         " WITH RECURSIVE numbers(i) AS (SELECT ?1 UNION ALL SELECT i + 1 FROM numbers"
         " WHERE i < ?2), n AS (SELECT printf('%07d', i) AS text FROM numbers)" +
         " SELECT " + values + " FROM n, the_" + table.name + " t";
}

// Else the kernel would write for as long as the next figures are taken.
void Sync(const std::string& path) {
  const bot::Socket file(open(path.c_str(), O_RDWR | O_CLOEXEC));
  if (fsync(file.fd()) != 0) {
    throw std::system_error(errno, std::generic_category(), "syncing the store");
  }
}

}  // namespace

std::size_t StoreFiller::Copy(const std::string& channel, std::size_t first,
                              std::size_t last) const {
  SQLite::Database database(path_, SQLite::OPEN_READWRITE);
  // Whatever becomes of the machine meanwhile, nobody needs this file.
  for (const char* pragma :
       {"PRAGMA locking_mode = EXCLUSIVE", "PRAGMA journal_mode = OFF", "PRAGMA synchronous = OFF",
        "PRAGMA cache_size = -400000", "PRAGMA temp_store = MEMORY"}) {
    TextsOf(database, pragma);
  }
  TakeTemplates(database, channel);
  const std::set<std::string> ids = IdsOf(database, channel);
  std::vector<std::string> inserts;
  inserts.reserve(kTables.size());
  for (const Table& table : kTables) inserts.push_back(InsertInto(database, table, ids));
  std::size_t rows = 0;
  for (std::size_t from = first; from <= last; from += kInATransaction) {
    SQLite::Transaction transaction(database);
    for (const std::string& sql : inserts) {
      SQLite::Statement insert(database, sql);
      insert.bind(1, static_cast<std::int64_t>(from));
      insert.bind(2, static_cast<std::int64_t>(std::min(last, from + kInATransaction - 1)));
      rows += static_cast<std::size_t>(insert.exec());
    }
    transaction.commit();
  }
  TextsOf(database, "PRAGMA journal_mode = WAL");
  Sync(path_);
  return rows;
}

double StoreFiller::Megabytes() const {
  return static_cast<double>(std::filesystem::file_size(path_)) / (1 << 20);
}

}  // namespace writ::bench
