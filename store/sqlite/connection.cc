#include "store/sqlite/connection.h"

#include <sqlite3.h>

#include <limits>

namespace writ::store {

using router::TimePoint;

namespace {

// Nobody but our own connections can be in the way (FileLock): a checkpoint, a recovery.
constexpr int kBusyTimeoutMs = 5000;

// SQLite would count the memory of all connections, under one lock that they all wait for; nobody
// asks for the sum. To be said before the first connection is opened.
const std::string& WithoutMemoryCounts(const std::string& path) {
  static const int said = sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
  static_cast<void>(said);
  return path;
}

}  // namespace

Connection::Connection(const std::string& path, Use use)
    : database_(WithoutMemoryCounts(path), SQLite::OPEN_READWRITE | SQLite::OPEN_NOMUTEX,
                kBusyTimeoutMs) {
  // Each commit is synced before it returns: with NORMAL one that was acknowledged may be lost with
  // the power.
  database_.exec("PRAGMA synchronous = FULL");
  database_.exec("PRAGMA temp_store = MEMORY");
  // A page that cannot be right is an error at once instead of a wrong answer.
  database_.exec("PRAGMA cell_size_check = ON");
  // The checkpoint within a commit is the commit's p99; Checkpoints does it instead.
  database_.exec("PRAGMA wal_autocheckpoint = 0");
  switch (use) {
    case Use::kWrite:
      // What was deleted is overwritten, also in pages that become free: nothing is to be left of
      // incognito sessions. FAST leaves free pages as they were.
      database_.exec("PRAGMA secure_delete = ON");
      // Small on purpose: memory must not grow with what is held, and the system caches the file.
      database_.exec("PRAGMA cache_size = -6144");
      break;
    case Use::kRead:
      database_.exec("PRAGMA cache_size = -1024");
      database_.exec("PRAGMA query_only = ON");
      break;
    case Use::kCheckpoint:
      break;
  }
}

SQLite::Statement& Connection::Prepared(std::string_view sql) {
  if (const auto found = prepared_.find(sql); found != prepared_.end()) return found->second;
  const std::string text(sql);
  return prepared_.emplace(text, SQLite::Statement(database_, text)).first->second;
}

std::vector<std::string> Connection::PreparedTexts() const {
  std::vector<std::string> texts;
  for (const auto& [text, statement] : prepared_) texts.push_back(text);
  return texts;
}

void Connection::Run(std::string_view sql) { Query(*this, sql).Run(); }

std::int64_t Connection::Number(const std::string& sql) {
  SQLite::Statement statement(database_, sql);
  return statement.executeStep() ? statement.getColumn(0).getInt64() : 0;
}

std::string Query::Text(int column) { return statement_.getColumn(column).getString(); }

std::int64_t Query::Int(int column) { return statement_.getColumn(column).getInt64(); }

TimePoint Query::Time(int column) { return TimePoint(router::Duration(Int(column))); }

std::optional<TimePoint> Query::OptionalTime(int column) {
  if (statement_.getColumn(column).isNull()) return std::nullopt;
  return Time(column);
}

void Query::Bind(std::size_t value) {
  constexpr std::size_t kMost = std::numeric_limits<std::int64_t>::max();
  statement_.bind(++bound_, static_cast<std::int64_t>(value < kMost ? value : kMost));
}

void Query::Bind(TimePoint value) {
  statement_.bind(++bound_, static_cast<std::int64_t>(value.time_since_epoch().count()));
}

void Query::Bind(const std::optional<TimePoint>& value) {
  if (value) {
    Bind(*value);
  } else {
    statement_.bind(++bound_);
  }
}

}  // namespace writ::store
