#include "store/postgres/values.h"

#include <cstdlib>
#include <limits>

namespace writ::store {

using router::TimePoint;

namespace {

// pg_type.dat; they never change.
constexpr Oid kBoolean = 16;
constexpr Oid kBytes = 17;
constexpr Oid kBigint = 20;

constexpr int kBinary = 1;

}  // namespace

void PostgresValues::Push(Oid type, const char* text, std::size_t length) {
  types_.push_back(type);
  texts_.push_back(text);
  lengths_.push_back(static_cast<int>(length));
  formats_.push_back(kBinary);
}

void PostgresValues::Add(std::string_view text) {
  // A null pointer would be NULL.
  Push(kBytes, text.data() == nullptr ? "" : text.data(), text.size());
}

void PostgresValues::Add(std::int64_t number) {
  std::array<char, 8>& bytes = numbers_.emplace_back();
  auto left = static_cast<std::uint64_t>(number);
  for (std::size_t at = bytes.size(); at > 0; --at) {
    bytes.at(at - 1) = static_cast<char>(left & 0xffU);
    left >>= 8U;
  }
  Push(kBigint, bytes.data(), bytes.size());
}

void PostgresValues::Add(std::size_t number) {
  constexpr std::size_t kMost = std::numeric_limits<std::int64_t>::max();
  Add(static_cast<std::int64_t>(number < kMost ? number : kMost));
}

void PostgresValues::Add(bool flag) {
  std::array<char, 8>& bytes = numbers_.emplace_back();
  bytes[0] = flag ? '\1' : '\0';
  Push(kBoolean, bytes.data(), 1);
}

void PostgresValues::Add(TimePoint time) {
  Add(static_cast<std::int64_t>(time.time_since_epoch().count()));
}

void PostgresValues::Add(const std::optional<TimePoint>& time) {
  if (time) {
    Add(*time);
  } else {
    Push(kBigint, nullptr, 0);
  }
}

std::int64_t PostgresRows::changed() const {
  return std::strtoll(PQcmdTuples(result_), nullptr, 10);
}

std::string PostgresRows::Text(int column) const {
  return {PQgetvalue(result_, row_, column),
          static_cast<std::size_t>(PQgetlength(result_, row_, column))};
}

std::int64_t PostgresRows::Int(int column) const {
  std::uint64_t number = 0;
  for (const char byte : Text(column)) {
    number = (number << 8U) | static_cast<unsigned char>(byte);
  }
  return static_cast<std::int64_t>(number);
}

TimePoint PostgresRows::Time(int column) const { return TimePoint(router::Duration(Int(column))); }

std::optional<TimePoint> PostgresRows::OptionalTime(int column) const {
  if (PQgetisnull(result_, row_, column) != 0) return std::nullopt;
  return Time(column);
}

}  // namespace writ::store
