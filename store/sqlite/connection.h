#pragma once

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "router/base/time.h"

namespace writ::store {

// One connection to the file, used by one thread at a time, and the statements it has prepared:
// each is prepared once.
class Connection {
 public:
  enum class Use { kWrite, kRead, kCheckpoint };

  // throws  SQLite::Exception
  Connection(const std::string& path, Use use);

  [[nodiscard]] SQLite::Database& database() { return database_; }
  [[nodiscard]] SQLite::Statement& Prepared(std::string_view sql);
  // The texts of all that was prepared so far.
  [[nodiscard]] std::vector<std::string> PreparedTexts() const;

  // One statement that returns nothing, `BEGIN` and the like.
  void Run(std::string_view sql);
  // A statement outside of the cache, PRAGMAs above all, and the first number of its first row.
  std::int64_t Number(const std::string& sql);

  // Something was deleted of which the log must not keep a trace either.
  void MustForget() { must_forget_ = true; }
  [[nodiscard]] bool must_forget() const { return must_forget_; }
  void HasForgotten() { must_forget_ = false; }

 private:
  struct TextHash : std::hash<std::string_view> {
    using is_transparent = void;
  };

  SQLite::Database database_;
  std::unordered_map<std::string, SQLite::Statement, TextHash, std::equal_to<>> prepared_;
  bool must_forget_ = false;
};

// One run of a prepared statement. It is reset at the end, whatever happens: one that was not reset
// keeps its read transaction, and no checkpoint gets past that.
class Query {
 public:
  // Binds `values` to ?1, ?2, …: texts, integers, bools, instants. An instant that is not there is
  // NULL, a text that is not there is ''. A std::string is not copied: it must live as long as the
  // query.
  template <class... Values>
  Query(Connection& connection, std::string_view sql, const Values&... values)
      : statement_(connection.Prepared(sql)) {
    (Bind(values), ...);
  }
  ~Query() { statement_.tryReset(); }
  Query(const Query&) = delete;
  Query& operator=(const Query&) = delete;

  bool Step() { return statement_.executeStep(); }
  // Runs it to its end; the number of rows that it changed.
  int Run() { return statement_.exec(); }

  [[nodiscard]] std::string Text(int column);
  [[nodiscard]] std::int64_t Int(int column);
  [[nodiscard]] bool Bool(int column) { return Int(column) != 0; }
  [[nodiscard]] router::TimePoint Time(int column);
  [[nodiscard]] std::optional<router::TimePoint> OptionalTime(int column);

 private:
  void Bind(const std::string& value) { statement_.bindNoCopy(++bound_, value); }
  void Bind(std::string_view value) { statement_.bind(++bound_, std::string(value)); }
  void Bind(const std::optional<std::string>& value) {
    Bind(value ? std::string_view(*value) : std::string_view());
  }
  void Bind(std::int64_t value) { statement_.bind(++bound_, value); }
  void Bind(int value) { statement_.bind(++bound_, value); }
  void Bind(bool value) { statement_.bind(++bound_, value ? 1 : 0); }
  void Bind(std::size_t value);
  void Bind(router::TimePoint value);
  void Bind(const std::optional<router::TimePoint>& value);

  SQLite::Statement& statement_;
  int bound_ = 0;
};

}  // namespace writ::store
