#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace writ::router::schema {

// A JSON number by its value, with every digit: 2^53 + 1 is not 2^53, and 1.0 is 1. A double would
// let an amount pass that is over its limit.
class Decimal {
 public:
  // The value of a JSON number's text; nullopt where it is none, or where its exponent is beyond
  // a thousand million.
  [[nodiscard]] static std::optional<Decimal> Parse(std::string_view text);

  [[nodiscard]] bool IsInteger() const { return exponent_ >= 0; }
  [[nodiscard]] bool IsPositive() const { return !negative_ && !digits_.empty(); }
  [[nodiscard]] bool IsNegative() const { return negative_; }

  // Whether this is a whole number of `divisor`s. nullopt where the divisor is zero or has more
  // than kMaxDivisorDigits significant digits.
  [[nodiscard]] std::optional<bool> IsMultipleOf(const Decimal& divisor) const;
  static constexpr std::size_t kMaxDivisorDigits = 18;  // so that remainders fit 64 bits

  // The value as a count: at most the largest size_t; 0 where it is negative or no integer.
  [[nodiscard]] std::size_t ToCount() const;

  // One text for one value.
  [[nodiscard]] std::string Key() const;

  friend std::strong_ordering operator<=>(const Decimal& left, const Decimal& right);
  friend bool operator==(const Decimal& left, const Decimal& right) = default;

 private:
  // digits_ × 10^exponent_; no zero at either end of digits_, which is empty for zero.
  bool negative_ = false;
  std::string digits_;
  std::int64_t exponent_ = 0;
};

}  // namespace writ::router::schema
