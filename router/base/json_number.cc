// The numbers of Json: their canonical text, and back.
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>

#include "router/base/json.h"

namespace writ::router {
namespace {

constexpr std::size_t kMaxIntegerDigits = 4300;

// A number cut into the parts of RFC 8259's grammar.
struct Parts {
  bool negative = false;
  std::string_view integer;
  std::string_view fraction;  // without its point
  std::string_view exponent;  // with its sign, without the `e`
  [[nodiscard]] bool IsInteger() const { return fraction.empty() && exponent.empty(); }
};

std::string_view TakeDigits(std::string_view& text) {
  const auto count = std::min(text.find_first_not_of("0123456789"), text.size());
  const auto digits = text.substr(0, count);
  text.remove_prefix(count);
  return digits;
}

std::optional<Parts> Split(std::string_view text) {
  Parts parts;
  if (text.starts_with('-')) {
    parts.negative = true;
    text.remove_prefix(1);
  }
  parts.integer = TakeDigits(text);
  if (parts.integer.empty()) return std::nullopt;
  if (parts.integer.size() > 1 && parts.integer.front() == '0') return std::nullopt;
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    parts.fraction = TakeDigits(text);
    if (parts.fraction.empty()) return std::nullopt;
  }
  if (text.starts_with('e') || text.starts_with('E')) {
    text.remove_prefix(1);
    const std::size_t sign = text.starts_with('+') || text.starts_with('-') ? 1 : 0;
    std::string_view digits = text.substr(sign);
    if (TakeDigits(digits).empty()) return std::nullopt;
    parts.exponent = text.substr(0, text.size() - digits.size());
    text = digits;
  }
  if (!text.empty()) return std::nullopt;
  return parts;
}

// Whether a number that std::from_chars calls out of range is too near to zero, not too far from
// it: it tells neither which, nor is strtod free of the locale.
bool IsTiny(const Parts& parts) {
  constexpr long kFar = 1'000'000'000;  // more digits than any text has
  long exponent = 0;
  if (!parts.exponent.empty()) {
    const bool plus = parts.exponent.front() == '+';
    const auto digits = parts.exponent.substr(plus ? 1 : 0);
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), exponent);
    if (read.ec != std::errc{}) exponent = digits.front() == '-' ? -kFar : kFar;
    exponent = std::clamp(exponent, -kFar, kFar);
  }
  if (parts.integer != "0") return exponent + static_cast<long>(parts.integer.size()) <= 0;
  const auto zeros = std::min(parts.fraction.find_first_not_of('0'), parts.fraction.size());
  return exponent - static_cast<long>(zeros) <= 0;
}

std::optional<double> ToFinite(std::string_view text, const Parts& parts) {
  double value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  if (read.ec == std::errc::result_out_of_range) {
    if (!IsTiny(parts)) return std::nullopt;
    return parts.negative ? -0.0 : 0.0;
  }
  return value;
}

// Python's repr: the shortest digits that read back as the same double, as a plain number where
// its point stands within -4 < point <= 16 of the first digit, else with an exponent of two digits
// or more.
std::string FloatText(double value) {
  std::array<char, 32> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), std::fabs(value),
                                 std::chars_format::scientific)
                       .ptr;  // d.ddde+dd, with two digits of exponent or more, as Python's
  const std::string_view text(buffer.data(), static_cast<std::size_t>(end - buffer.data()));
  const auto e = text.find('e');
  int point = 0;
  const auto exponent = text.substr(text[e + 1] == '+' ? e + 2 : e + 1);
  std::from_chars(exponent.data(), exponent.data() + exponent.size(), point);
  ++point;
  const std::string sign = std::signbit(value) ? "-" : "";
  if (point <= -4 || point > 16) return sign + std::string(text);

  std::string digits(text.substr(0, 1));
  if (e > 2) digits += text.substr(2, e - 2);
  if (point <= 0) return sign + "0." + std::string(static_cast<std::size_t>(-point), '0') + digits;
  const auto whole = static_cast<std::size_t>(point);
  if (digits.size() <= whole) return sign + digits + std::string(whole - digits.size(), '0') + ".0";
  return sign + digits.insert(whole, ".");
}

}  // namespace

Json::Json(double value) {
  if (!std::isfinite(value)) throw std::invalid_argument("a JSON number must be finite");
  value_ = NumberText{FloatText(value)};
}

bool Json::IsIntegerText() const {
  return IsNumber() && number().find_first_not_of("-0123456789") == std::string::npos;
}

std::optional<std::int64_t> Json::ToInt() const {
  if (!IsIntegerText()) return std::nullopt;
  const std::string& text = number();
  std::int64_t value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  if (read.ec != std::errc{} || read.ptr != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<double> Json::ToDouble() const {
  if (!IsNumber()) return std::nullopt;
  const auto parts = Split(number());
  return parts ? ToFinite(number(), *parts) : std::nullopt;
}

std::optional<std::string> CanonicalNumber(std::string_view text) {
  const auto parts = Split(text);
  if (!parts) return std::nullopt;
  if (parts->IsInteger()) {
    if (parts->integer.size() > kMaxIntegerDigits) return std::nullopt;
    return std::string(parts->integer == "0" ? parts->integer : text);
  }
  const auto value = ToFinite(text, *parts);
  if (!value) return std::nullopt;
  return FloatText(*value);
}

}  // namespace writ::router
