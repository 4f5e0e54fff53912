#include "router/tool/schema/decimal.h"

#include <algorithm>
#include <cstddef>
#include <limits>

namespace writ::router::schema {
namespace {

__extension__ using Wide = unsigned __int128;

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// Takes the digits at the front of `text` away and returns them.
std::string_view TakeDigits(std::string_view& text) {
  std::size_t count = 0;
  while (count < text.size() && IsDigit(text[count])) {
    ++count;
  }
  const std::string_view digits = text.substr(0, count);
  text.remove_prefix(count);
  return digits;
}

bool TakeOne(std::string_view& text, char wanted) {
  if (text.empty() || text.front() != wanted) {
    return false;
  }
  text.remove_prefix(1);
  return true;
}

// The exponent behind `e`; nullopt where it is none or too large to reckon with.
std::optional<std::int64_t> TakeExponent(std::string_view& text) {
  const bool negative = TakeOne(text, '-');
  if (!negative) {
    (void)TakeOne(text, '+');
  }
  std::string_view digits = TakeDigits(text);
  if (digits.empty()) {
    return std::nullopt;
  }
  digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size()));
  if (digits.size() > 9) {
    return std::nullopt;
  }
  std::int64_t value = 0;
  for (const char c : digits) {
    value = value * 10 + (c - '0');
  }
  return negative ? -value : value;
}

std::uint64_t MultiplyModulo(std::uint64_t a, std::uint64_t b, std::uint64_t modulus) {
  return static_cast<std::uint64_t>(Wide{a} * Wide{b} % Wide{modulus});
}

std::uint64_t PowerOfTenModulo(std::uint64_t exponent, std::uint64_t modulus) {
  std::uint64_t result = 1 % modulus;
  for (std::uint64_t base = 10 % modulus; exponent > 0; exponent >>= 1U) {
    if ((exponent & 1U) != 0) {
      result = MultiplyModulo(result, base, modulus);
    }
    base = MultiplyModulo(base, base, modulus);
  }
  return result;
}

}  // namespace

std::optional<Decimal> Decimal::Parse(std::string_view text) {
  Decimal value;
  value.negative_ = TakeOne(text, '-');
  const std::string_view whole = TakeDigits(text);
  if (whole.empty()) {
    return std::nullopt;
  }
  value.digits_ = whole;
  if (TakeOne(text, '.')) {
    const std::string_view fraction = TakeDigits(text);
    if (fraction.empty()) {
      return std::nullopt;
    }
    value.digits_ += fraction;
    value.exponent_ = -static_cast<std::int64_t>(fraction.size());
  }
  if (TakeOne(text, 'e') || TakeOne(text, 'E')) {
    const std::optional<std::int64_t> exponent = TakeExponent(text);
    if (!exponent) {
      return std::nullopt;
    }
    value.exponent_ += *exponent;
  }
  if (!text.empty()) {
    return std::nullopt;
  }
  const std::size_t last = value.digits_.find_last_not_of('0');
  if (last == std::string::npos) {
    return Decimal();
  }
  value.exponent_ += static_cast<std::int64_t>(value.digits_.size() - last - 1);
  value.digits_.resize(last + 1);
  value.digits_.erase(0, value.digits_.find_first_not_of('0'));
  return value;
}

std::optional<bool> Decimal::IsMultipleOf(const Decimal& divisor) const {
  if (divisor.digits_.empty() || divisor.digits_.size() > kMaxDivisorDigits) {
    return std::nullopt;
  }
  if (digits_.empty()) {
    return true;
  }
  if (exponent_ < divisor.exponent_) {
    return false;  // digits_ does not end in 0, a multiple of a power of ten would
  }
  std::uint64_t modulus = 0;
  for (const char c : divisor.digits_) {
    modulus = modulus * 10 + static_cast<std::uint64_t>(c - '0');
  }
  std::uint64_t rest = 0;
  for (const char c : digits_) {
    rest = MultiplyModulo(rest, 10, modulus);
    rest = (rest + static_cast<std::uint64_t>(c - '0')) % modulus;
  }
  const auto shift = static_cast<std::uint64_t>(exponent_ - divisor.exponent_);
  return MultiplyModulo(rest, PowerOfTenModulo(shift, modulus), modulus) == 0;
}

std::size_t Decimal::ToCount() const {
  if (negative_ || !IsInteger()) {
    return 0;
  }
  constexpr std::size_t kLargest = std::numeric_limits<std::size_t>::max();
  if (digits_.size() + static_cast<std::size_t>(exponent_) > 18) {
    return digits_.empty() ? 0 : kLargest;
  }
  std::size_t count = 0;
  for (const char c : digits_) {
    count = count * 10 + static_cast<std::size_t>(c - '0');
  }
  for (std::int64_t i = 0; i < exponent_; ++i) {
    count *= 10;
  }
  return count;
}

std::string Decimal::Key() const {
  if (digits_.empty()) {
    return "0";
  }
  return (negative_ ? "-" : "") + digits_ + "e" + std::to_string(exponent_);
}

std::strong_ordering operator<=>(const Decimal& left, const Decimal& right) {
  const auto sign = [](const Decimal& value) {
    return value.digits_.empty() ? 0 : (value.negative_ ? -1 : 1);
  };
  if (sign(left) != sign(right)) {
    return sign(left) <=> sign(right);
  }
  if (sign(left) == 0) {
    return std::strong_ordering::equal;
  }
  const Decimal& small = left.negative_ ? right : left;  // by size, not by sign
  const Decimal& large = left.negative_ ? left : right;
  const auto magnitude = [](const Decimal& value) {
    return static_cast<std::int64_t>(value.digits_.size()) + value.exponent_;
  };
  if (magnitude(small) != magnitude(large)) {
    return magnitude(small) <=> magnitude(large);
  }
  // The same number of digits before the point, so digit for digit from the left.
  return small.digits_ <=> large.digits_;
}

}  // namespace writ::router::schema
