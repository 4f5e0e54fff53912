#pragma once

#include <libpq-fe.h>

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "router/base/time.h"

namespace writ::store {

// What a statement's $1, $2, … stand for, in PostgreSQL's binary form: bytes, bigint, boolean.
// Texts are not copied: they must live until the statement was sent.
class PostgresValues {
 public:
  template <class... Values>
  explicit PostgresValues(const Values&... values) {
    (Add(values), ...);
  }

  void Add(std::string_view text);
  void Add(const std::string& text) { Add(std::string_view(text)); }
  void Add(const char* text) { Add(std::string_view(text)); }
  void Add(std::int64_t number);
  void Add(int number) { Add(std::int64_t{number}); }
  void Add(std::size_t number);  // the largest bigint where it is larger
  void Add(bool flag);
  void Add(router::TimePoint time);
  void Add(const std::optional<router::TimePoint>& time);  // NULL where there is none

  [[nodiscard]] int count() const { return static_cast<int>(types_.size()); }
  [[nodiscard]] const Oid* types() const { return types_.data(); }
  [[nodiscard]] const char* const* texts() const { return texts_.data(); }
  [[nodiscard]] const int* lengths() const { return lengths_.data(); }
  [[nodiscard]] const int* formats() const { return formats_.data(); }

 private:
  void Push(Oid type, const char* text, std::size_t length);

  std::vector<Oid> types_;
  std::vector<const char*> texts_;
  std::vector<int> lengths_;
  std::vector<int> formats_;
  std::deque<std::array<char, 8>> numbers_;  // a deque: what points there stays
};

// The rows that a statement gave back, read in order.
class PostgresRows {
 public:
  explicit PostgresRows(PGresult* result) : result_(result) {}
  ~PostgresRows() { PQclear(result_); }
  PostgresRows(PostgresRows&& other) noexcept : result_(other.result_), row_(other.row_) {
    other.result_ = nullptr;
  }
  PostgresRows& operator=(PostgresRows&&) = delete;
  PostgresRows(const PostgresRows&) = delete;
  PostgresRows& operator=(const PostgresRows&) = delete;

  bool Step() { return ++row_ < PQntuples(result_); }
  // How many rows it changed.
  [[nodiscard]] std::int64_t changed() const;
  [[nodiscard]] std::string command() const { return PQcmdStatus(result_); }

  [[nodiscard]] std::string Text(int column) const;
  [[nodiscard]] std::int64_t Int(int column) const;
  [[nodiscard]] bool Bool(int column) const { return Text(column) == std::string(1, '\1'); }
  [[nodiscard]] router::TimePoint Time(int column) const;
  [[nodiscard]] std::optional<router::TimePoint> OptionalTime(int column) const;

 private:
  PGresult* result_;
  int row_ = -1;
};

}  // namespace writ::store
