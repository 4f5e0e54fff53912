#include "tests/fuzz/slow_canonical.h"

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>

namespace writ::fuzz {
namespace {

constexpr int kLevels = 256;
constexpr std::size_t kIntegerDigits = 4300;

void AppendUtf8(std::string& text, unsigned code) {
  const auto byte = [&](unsigned value) { text += static_cast<char>(value); };
  if (code < 0x80) {
    byte(code);
  } else if (code < 0x800) {
    byte(0xC0 | (code >> 6U));
    byte(0x80 | (code & 0x3FU));
  } else if (code < 0x10000) {
    byte(0xE0 | (code >> 12U));
    byte(0x80 | ((code >> 6U) & 0x3FU));
    byte(0x80 | (code & 0x3FU));
  } else {
    byte(0xF0 | (code >> 18U));
    byte(0x80 | ((code >> 12U) & 0x3FU));
    byte(0x80 | ((code >> 6U) & 0x3FU));
    byte(0x80 | (code & 0x3FU));
  }
}

std::string Quoted(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) {
    switch (c) {
      case '"':
        quoted += "\\\"";
        break;
      case '\\':
        quoted += "\\\\";
        break;
      case '\b':
        quoted += "\\b";
        break;
      case '\f':
        quoted += "\\f";
        break;
      case '\n':
        quoted += "\\n";
        break;
      case '\r':
        quoted += "\\r";
        break;
      case '\t':
        quoted += "\\t";
        break;
      default:
        if (static_cast<unsigned char>(c) < 0x20) {
          std::array<char, 8> escape{};
          std::snprintf(escape.data(), escape.size(), "\\u%04x", static_cast<unsigned>(c));
          quoted += escape.data();
        } else {
          quoted += c;
        }
    }
  }
  return quoted + '"';
}

// A decimal with its point behind the first digit: `digits` e `exponent`.
struct Scientific {
  std::string digits;
  int exponent = 0;
  [[nodiscard]] double Value() const {
    const std::string text =
        digits.substr(0, 1) + '.' + digits.substr(1) + "0e" + std::to_string(exponent);
    return std::strtod(text.c_str(), nullptr);
  }
};

Scientific WithDigits(double value, int count) {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%.*e", count - 1, value);
  const std::string_view all(text.data());
  const auto e = all.find('e');
  Scientific made;
  for (const char c : all.substr(0, e)) {
    if (c != '.') made.digits += c;
  }
  made.exponent = static_cast<int>(std::strtol(text.data() + e + 1, nullptr, 10));
  return made;
}

Scientific NextAbove(Scientific number) {
  std::size_t at = number.digits.size();
  while (at > 0 && number.digits[at - 1] == '9') number.digits[--at] = '0';
  if (at > 0) {
    ++number.digits[at - 1];
  } else {
    number.digits.insert(0, "1").pop_back();
    ++number.exponent;
  }
  return number;
}

// The shortest that reads back as `value`; at a power of two it may be the farther neighbour.
Scientific Shortest(double value) {
  for (int count = 1; count < 17; ++count) {
    Scientific nearest = WithDigits(value, count);
    if (nearest.Value() == value) return nearest;
    Scientific above = NextAbove(nearest);
    if (above.Value() == value) return above;
  }
  return WithDigits(value, 17);
}

// Python's repr().
std::string FloatText(double value) {
  const std::string sign = std::signbit(value) ? "-" : "";
  value = std::fabs(value);
  if (value == 0) return sign + "0.0";
  auto [digits, exponent] = Shortest(value);
  while (digits.size() > 1 && digits.back() == '0') digits.pop_back();
  if (exponent < -4 || exponent >= 16) {
    std::string text = sign + digits.substr(0, 1);
    if (digits.size() > 1) text += '.' + digits.substr(1);
    std::array<char, 16> power{};
    std::snprintf(power.data(), power.size(), "e%+03d", exponent);
    return text + power.data();
  }
  if (exponent < 0) {
    return sign + "0." + std::string(static_cast<std::size_t>(-exponent - 1), '0') + digits;
  }
  const auto whole = static_cast<std::size_t>(exponent) + 1;
  if (digits.size() <= whole) digits.append(whole + 1 - digits.size(), '0');
  return sign + digits.insert(whole, ".");
}

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  std::optional<std::string> All() {
    auto value = Value(0);
    SkipBlanks();
    if (!at_end() || !value) return std::nullopt;
    return value;
  }

 private:
  [[nodiscard]] bool at_end() const { return at_ == text_.size(); }
  [[nodiscard]] char Peek() const { return at_end() ? '\0' : text_[at_]; }
  [[nodiscard]] bool IsDigit() const { return Peek() >= '0' && Peek() <= '9'; }
  bool Take(std::string_view word) {
    if (text_.substr(at_, word.size()) != word) return false;
    at_ += word.size();
    return true;
  }
  void SkipBlanks() {
    while (Peek() == ' ' || Peek() == '\t' || Peek() == '\n' || Peek() == '\r') ++at_;
  }

  std::optional<std::string> Value(int level) {
    SkipBlanks();
    if (Take("null")) return "null";
    if (Take("true")) return "true";
    if (Take("false")) return "false";
    if (Peek() == '"') {
      const auto text = String();
      return text ? std::optional(Quoted(*text)) : std::nullopt;
    }
    if (Peek() == '[' || Peek() == '{') {
      if (level == kLevels) return std::nullopt;
      return Take("[") ? Array(level + 1) : Object(level + 1);
    }
    return Number();
  }

  std::optional<std::string> Array(int level) {
    std::string out = "[";
    SkipBlanks();
    if (Take("]")) return "[]";
    while (true) {
      const auto element = Value(level);
      if (!element) return std::nullopt;
      out += *element;
      SkipBlanks();
      if (Take("]")) return out + ']';
      if (!Take(",")) return std::nullopt;
      out += ',';
    }
  }

  // A std::map sorts by bytes, which in UTF-8 is the order of code points.
  std::optional<std::string> Object(int level) {
    std::map<std::string, std::string> members;
    if (!Take("{")) return std::nullopt;
    SkipBlanks();
    if (Take("}")) return "{}";
    while (true) {
      SkipBlanks();
      const auto key = String();
      SkipBlanks();
      if (!key || !Take(":")) return std::nullopt;
      auto value = Value(level);
      if (!value || !members.emplace(*key, *std::move(value)).second) return std::nullopt;
      SkipBlanks();
      if (Take("}")) break;
      if (!Take(",")) return std::nullopt;
    }
    std::string out = "{";
    for (const auto& [key, value] : members) {
      if (out.size() > 1) out += ',';
      out += Quoted(key) + ':' + value;
    }
    return out + '}';
  }

  std::optional<std::string> Number() {
    const std::size_t begin = at_;
    Take("-");
    const std::size_t first = at_;
    while (IsDigit()) ++at_;
    const std::size_t digits = at_ - first;
    if (digits == 0 || (digits > 1 && text_[first] == '0')) return std::nullopt;
    bool is_integer = true;
    if (Take(".")) {
      is_integer = false;
      if (!IsDigit()) return std::nullopt;
      while (IsDigit()) ++at_;
    }
    if (Take("e") || Take("E")) {
      is_integer = false;
      if (!Take("+")) Take("-");
      if (!IsDigit()) return std::nullopt;
      while (IsDigit()) ++at_;
    }
    const std::string text(text_.substr(begin, at_ - begin));
    if (is_integer) {
      if (digits > kIntegerDigits) return std::nullopt;
      return text == "-0" ? "0" : text;
    }
    const double value = std::strtod(text.c_str(), nullptr);
    if (!std::isfinite(value)) return std::nullopt;
    return FloatText(value);
  }

  std::optional<unsigned> Hex4() {
    unsigned code = 0;
    for (int i = 0; i < 4; ++i) {
      const char c = Peek();
      if (c >= '0' && c <= '9') {
        code = code * 16 + static_cast<unsigned>(c - '0');
      } else if (c >= 'a' && c <= 'f') {
        code = code * 16 + static_cast<unsigned>(c - 'a') + 10;
      } else if (c >= 'A' && c <= 'F') {
        code = code * 16 + static_cast<unsigned>(c - 'A') + 10;
      } else {
        return std::nullopt;
      }
      ++at_;
    }
    return code;
  }

  bool Escape(std::string& out) {
    constexpr std::string_view kNamed = "\"\\/bfnrt";
    constexpr std::string_view kMeant = "\"\\/\b\f\n\r\t";
    if (at_end()) return false;
    if (!Take("u")) {
      const auto which = kNamed.find(Peek());
      if (which == std::string_view::npos) return false;
      out += kMeant[which];
      ++at_;
      return true;
    }
    auto code = Hex4();
    if (!code || (*code >= 0xDC00 && *code <= 0xDFFF)) return false;
    if (*code >= 0xD800 && *code <= 0xDBFF) {
      if (!Take("\\u")) return false;
      const auto low = Hex4();
      if (!low || *low < 0xDC00 || *low > 0xDFFF) return false;
      code = 0x10000 + ((*code - 0xD800) << 10U) + (*low - 0xDC00);
    }
    AppendUtf8(out, *code);
    return true;
  }

  // One character of several bytes: the bytes that its code point would be written with.
  bool Character(std::string& out) {
    const auto lead = static_cast<unsigned char>(Peek());
    const unsigned count = lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : 1;
    if (lead < 0xC0 || lead > 0xF7) return false;
    unsigned code = lead & (0x3FU >> count);
    for (unsigned i = 1; i <= count; ++i) {
      if (at_ + i >= text_.size()) return false;
      const auto next = static_cast<unsigned char>(text_[at_ + i]);
      if ((next & 0xC0U) != 0x80U) return false;
      code = (code << 6U) | (next & 0x3FU);
    }
    if (code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF)) return false;
    std::string shortest;
    AppendUtf8(shortest, code);
    if (shortest.size() != count + 1) return false;
    out += shortest;
    at_ += shortest.size();
    return true;
  }

  std::optional<std::string> String() {
    std::string out;
    if (!Take("\"")) return std::nullopt;
    while (!at_end()) {
      if (Take("\"")) return out;
      const auto byte = static_cast<unsigned char>(Peek());
      if (byte < 0x20) return std::nullopt;
      if (Take("\\")) {
        if (!Escape(out)) return std::nullopt;
      } else if (byte >= 0x80) {
        if (!Character(out)) return std::nullopt;
      } else {
        out += Peek();
        ++at_;
      }
    }
    return std::nullopt;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

std::optional<std::string> SlowCanonical(std::string_view text) { return Reader(text).All(); }

}  // namespace writ::fuzz
