#include "router/base/json_string.h"

#include <array>
#include <cstdint>

namespace writ::router {
namespace {

constexpr std::uint32_t kHighSurrogates = 0xD800;
constexpr std::uint32_t kLowSurrogates = 0xDC00;
constexpr std::uint32_t kBehindSurrogates = 0xE000;

// Which bytes stand for themselves: all of ASCII but quotes, backslashes and control characters.
constexpr std::array<bool, 256> kIsPlain = [] {
  std::array<bool, 256> plain{};
  for (std::size_t byte = 0x20; byte < 0x80; ++byte) plain.at(byte) = byte != '"' && byte != '\\';
  return plain;
}();

std::uint8_t ByteAt(std::string_view text, std::size_t at) {
  return at < text.size() ? static_cast<std::uint8_t>(text[at]) : std::uint8_t{0};
}

bool IsContinuation(std::uint8_t byte) { return (byte & 0xC0) == 0x80; }

// The length of the character of several bytes that begins there; 0 where none does.
// source: RFC 3629, section 4
std::size_t LengthOfCharacter(std::string_view text, std::size_t at) {
  const std::uint8_t first = ByteAt(text, at);
  const std::uint8_t second = ByteAt(text, at + 1);
  if (!IsContinuation(second)) return 0;
  if (first >= 0xC2 && first <= 0xDF) return 2;
  if (!IsContinuation(ByteAt(text, at + 2))) return 0;
  if (first == 0xE0) return second >= 0xA0 ? 3 : 0;  // below it is overlong
  if (first == 0xED) return second <= 0x9F ? 3 : 0;  // above it is a surrogate
  if (first >= 0xE1 && first <= 0xEF) return 3;
  if (!IsContinuation(ByteAt(text, at + 3))) return 0;
  if (first == 0xF0) return second >= 0x90 ? 4 : 0;  // below it is overlong
  if (first == 0xF4) return second <= 0x8F ? 4 : 0;  // above is nothing
  return first >= 0xF1 && first <= 0xF3 ? 4 : 0;
}

void AppendUtf8(std::string& to, std::uint32_t point) {
  const auto append = [&](std::uint32_t byte) { to += static_cast<char>(byte); };
  if (point < 0x80) {
    append(point);
    return;
  }
  if (point < 0x800) {
    append(0xC0 | (point >> 6));
  } else if (point < 0x10000) {
    append(0xE0 | (point >> 12));
    append(0x80 | ((point >> 6) & 0x3F));
  } else {
    append(0xF0 | (point >> 18));
    append(0x80 | ((point >> 12) & 0x3F));
    append(0x80 | ((point >> 6) & 0x3F));
  }
  append(0x80 | (point & 0x3F));
}

// The four digits behind `\u`.
std::optional<std::uint32_t> ReadUnit(std::string_view text, std::size_t& at) {
  std::uint32_t unit = 0;
  for (int digit = 0; digit < 4; ++digit) {
    const std::uint8_t c = ByteAt(text, at);
    std::uint32_t value = 0;
    if (c >= '0' && c <= '9') {
      value = static_cast<std::uint32_t>(c - '0');
    } else if (c >= 'a' && c <= 'f') {
      value = static_cast<std::uint32_t>(c - 'a' + 10);
    } else if (c >= 'A' && c <= 'F') {
      value = static_cast<std::uint32_t>(c - 'A' + 10);
    } else {
      return std::nullopt;
    }
    unit = unit << 4 | value;
    ++at;
  }
  return unit;
}

// What stands behind `\u`, and where it is the first half of a pair, the second one.
std::optional<std::uint32_t> ReadPoint(std::string_view text, std::size_t& at) {
  const auto unit = ReadUnit(text, at);
  if (!unit || *unit < kHighSurrogates || *unit >= kBehindSurrogates) return unit;
  if (*unit >= kLowSurrogates || !text.substr(at).starts_with("\\u")) return std::nullopt;
  at += 2;
  const auto low = ReadUnit(text, at);
  if (!low || *low < kLowSurrogates || *low >= kBehindSurrogates) return std::nullopt;
  return 0x10000 + ((*unit - kHighSurrogates) << 10) + (*low - kLowSurrogates);
}

// What stands behind a backslash.
bool ReadEscape(std::string_view text, std::size_t& at, std::string& to) {
  constexpr std::string_view kEscapes = "\"\\/bfnrt";
  constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
  if (at >= text.size()) return false;
  if (text[at] == 'u') {
    ++at;
    const auto point = ReadPoint(text, at);
    if (point) AppendUtf8(to, *point);
    return point.has_value();
  }
  const std::size_t which = kEscapes.find(text[at]);
  if (which == std::string_view::npos) return false;
  to += kMeanings[which];
  ++at;
  return true;
}

}  // namespace

std::optional<std::string> ReadJsonString(std::string_view text, std::size_t& at) {
  std::string read;
  std::size_t taken = at;  // up to there it stands in `read`
  while (at < text.size()) {
    const std::uint8_t byte = ByteAt(text, at);
    if (kIsPlain[byte]) {
      ++at;
    } else if (byte == '"') {
      const std::string_view last = text.substr(taken, at - taken);
      ++at;
      if (read.empty()) return std::string(last);  // as mostly: one place of the right size
      return read.append(last);
    } else if (byte == '\\') {
      read.append(text, taken, at - taken);
      ++at;
      if (!ReadEscape(text, at, read)) return std::nullopt;
      taken = at;
    } else if (const std::size_t length = LengthOfCharacter(text, at); length > 0) {
      at += length;
    } else {
      return std::nullopt;
    }
  }
  return std::nullopt;
}

}  // namespace writ::router
