#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "router/base/time.h"

namespace writ::store {

// A row as one text: each field's length, a colon, and its bytes. Fields are only ever added, at
// the end: what reads an older row gives them their default.
class PackedRow {
 public:
  PackedRow& Add(std::string_view text);
  PackedRow& Add(const std::string& text) { return Add(std::string_view(text)); }
  PackedRow& Add(std::int64_t number) { return Add(std::to_string(number)); }
  PackedRow& Add(int number) { return Add(std::int64_t{number}); }
  PackedRow& Add(bool flag) { return Add(flag ? 1 : 0); }
  PackedRow& Add(router::TimePoint time) { return Add(time.time_since_epoch().count()); }
  PackedRow& Add(const std::optional<router::TimePoint>& time);

  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_;
};

// Reads them in the same order. throws  Failure{kPermanent} where the text is no such row
class UnpackedRow {
 public:
  explicit UnpackedRow(std::string_view text) : rest_(text) {}

  [[nodiscard]] std::string Text();
  [[nodiscard]] std::int64_t Int();
  [[nodiscard]] bool Bool() { return Int() != 0; }
  [[nodiscard]] router::TimePoint Time() { return router::TimePoint(router::Duration(Int())); }
  [[nodiscard]] std::optional<router::TimePoint> OptionalTime();

 private:
  std::string_view rest_;
};

}  // namespace writ::store
