#include "store/redis/packing.h"

#include <charconv>

#include "router/base/failure.h"

namespace writ::store {

namespace {

[[noreturn]] void Refuse() {
  throw router::Failure(router::Failure::Kind::kPermanent,
                        "store redis: a row can't be read: it is not what was written");
}

template <class Number>
std::string_view TakeNumber(std::string_view text, Number& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) Refuse();
  return text.substr(static_cast<std::size_t>(end - text.data()));
}

}  // namespace

PackedRow& PackedRow::Add(std::string_view text) {
  text_ += std::to_string(text.size());
  text_ += ':';
  text_ += text;
  return *this;
}

PackedRow& PackedRow::Add(const std::optional<router::TimePoint>& time) {
  return time ? Add(*time) : Add(std::string_view());
}

std::string UnpackedRow::Text() {
  if (rest_.empty()) return {};
  std::size_t size = 0;
  const std::string_view behind = TakeNumber(rest_, size);
  if (!behind.starts_with(':') || behind.size() - 1 < size) Refuse();
  std::string text(behind.substr(1, size));
  rest_ = behind.substr(1 + size);
  return text;
}

std::int64_t UnpackedRow::Int() {
  const std::string text = Text();
  if (text.empty()) return 0;
  std::int64_t number = 0;
  if (!TakeNumber(text, number).empty()) Refuse();
  return number;
}

std::optional<router::TimePoint> UnpackedRow::OptionalTime() {
  const std::string text = Text();
  if (text.empty()) return std::nullopt;
  std::int64_t number = 0;
  if (!TakeNumber(text, number).empty()) Refuse();
  return router::TimePoint(router::Duration(number));
}

}  // namespace writ::store
