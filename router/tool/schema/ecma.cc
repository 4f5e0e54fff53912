#include "router/tool/schema/ecma.h"

#include <array>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace writ::router::schema {
namespace {

// RE2's \s has neither \v nor the spaces beyond ASCII.
constexpr std::string_view kSpace =
    R"(\t-\r \x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff})";
constexpr std::string_view kNotSpace =
    R"(\x{0}-\x{8}\x{e}-\x{1f}!-\x{9f}\x{a1}-\x{167f}\x{1681}-\x{1fff}\x{200b}-\x{2027})"
    R"(\x{202a}-\x{202e}\x{2030}-\x{205e}\x{2060}-\x{2fff}\x{3001}-\x{fefe}\x{ff00}-\x{10ffff})";
// RE2's dot leaves out \n alone.
constexpr std::string_view kDot = R"([^\n\r\x{2028}\x{2029}])";

// ECMA's long names of general categories; RE2 knows the short ones.
constexpr std::array<std::pair<std::string_view, std::string_view>, 14> kCategories{
    {{"Letter", "L"},
     {"Uppercase_Letter", "Lu"},
     {"Lowercase_Letter", "Ll"},
     {"Mark", "M"},
     {"Number", "N"},
     {"Decimal_Number", "Nd"},
     {"digit", "Nd"},
     {"Punctuation", "P"},
     {"punct", "P"},
     {"Symbol", "S"},
     {"Currency_Symbol", "Sc"},
     {"Separator", "Z"},
     {"Space_Separator", "Zs"},
     {"Control", "Cc"}}};

bool IsAlnum(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

bool IsOneOf(char c, std::string_view set) { return set.find(c) != std::string_view::npos; }

class Translator {
 public:
  explicit Translator(std::string_view pattern) : text_(pattern) {}

  std::optional<std::string> Run() {
    while (good_ && at_ < text_.size()) {
      const char c = text_[at_++];
      switch (c) {
        case '\\':
          Escape(/*in_class=*/false);
          break;
        case '[':
          Class();
          break;
        case '(':
          Group();
          break;
        case '.':
          out_ += kDot;
          break;
        default:
          out_ += c;
      }
    }
    return good_ ? std::optional<std::string>(std::move(out_)) : std::nullopt;
  }

 private:
  [[nodiscard]] bool At(std::string_view what) const {
    return text_.substr(at_, what.size()) == what;
  }

  void Group() {
    out_ += '(';
    if (!At("?")) {
      return;
    }
    if (At("?:")) {
      return;
    }
    const std::size_t end = text_.find('>', at_);
    if (!At("?<") || At("?<=") || At("?<!") || end == std::string_view::npos) {
      good_ = false;  // look-around, or flags that only RE2 has
      return;
    }
    out_ += "?:";
    at_ = end + 1;
  }

  void Class() {
    out_ += '[';
    if (At("^")) {
      out_ += text_[at_++];
    }
    if (At("]")) {
      good_ = false;  // empty in ECMA, a literal bracket in RE2
      return;
    }
    while (good_ && at_ < text_.size()) {
      const char c = text_[at_++];
      if (c == ']') {
        out_ += c;
        return;
      }
      if (c == '\\') {
        Escape(/*in_class=*/true);
      } else if (c == '[') {
        out_ += "\\[";  // RE2 would read [:alpha:]
      } else {
        out_ += c;
      }
    }
    good_ = false;
  }

  void Escape(bool in_class) {
    if (at_ == text_.size()) {
      good_ = false;
      return;
    }
    const char c = text_[at_++];
    if (c == 's' || c == 'S') {
      Space(c == 's', in_class);
    } else if (c == 'b' && in_class) {
      out_ += R"(\x08)";
    } else if (IsOneOf(c, "dDwWfnrtv") || (!in_class && IsOneOf(c, "bB"))) {
      (out_ += '\\') += c;
    } else if (c == 'p' || c == 'P') {
      Property(c);
    } else if (c == 'u') {
      Unicode();
    } else if (c == 'x') {
      if (const auto unit = Hex(2)) {
        CodePoint(*unit);
      }
    } else if (c == 'c' && at_ < text_.size() && IsAlnum(text_[at_]) && text_[at_] > '9') {
      CodePoint(static_cast<std::uint32_t>(text_[at_++]) % 32);
    } else if (c == '0' && (at_ == text_.size() || !IsAlnum(text_[at_]))) {
      CodePoint(0);
    } else if (c == '_') {
      out_ += c;
    } else if (IsAlnum(c) || static_cast<unsigned char>(c) >= 0x80) {
      good_ = false;  // a back reference, or RE2's own: \A \z \Q \C \a
    } else {
      (out_ += '\\') += c;
    }
  }

  void Space(bool wanted, bool in_class) {
    const std::string_view ranges = wanted ? kSpace : kNotSpace;
    if (!in_class) {
      ((out_ += '[') += ranges) += ']';
      return;
    }
    const bool ends_range = out_.back() == '-' && out_.size() >= 2 && out_[out_.size() - 2] != '[';
    const bool begins_range = At("-") && !At("-]");
    good_ = good_ && !ends_range && !begins_range;  // `[\s-x]` would join two ranges
    out_ += ranges;
  }

  void Property(char letter) {
    const std::size_t end = text_.find('}', at_);
    if (!At("{") || end == std::string_view::npos) {
      good_ = false;  // RE2 alone has \pN
      return;
    }
    std::string_view name = text_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    for (const std::string_view key : {"Script=", "sc=", "General_Category=", "gc="}) {
      if (name.starts_with(key)) {
        name.remove_prefix(key.size());
        break;
      }
    }
    for (const auto& [longer, shorter] : kCategories) {
      name = name == longer ? shorter : name;
    }
    good_ = good_ && !name.empty() && IsAlnum(name.front());  // RE2 alone has \p{^L}
    (((out_ += '\\') += letter) += '{') += name;
    out_ += '}';
  }

  // \uXXXX, a pair of surrogates, or \u{X...}.
  void Unicode() {
    if (At("{")) {
      const std::size_t end = text_.find('}', at_);
      const std::size_t digits = end == std::string_view::npos ? 0 : end - at_ - 1;
      ++at_;
      const auto point = digits >= 1 && digits <= 8 ? Hex(digits) : std::nullopt;
      ++at_;
      good_ = good_ && point.has_value();
      CodePoint(point.value_or(0));
      return;
    }
    const auto unit = Hex(4);
    std::uint32_t point = unit.value_or(0);
    if (point >= 0xD800 && point < 0xDC00 && At("\\u")) {
      at_ += 2;
      const std::uint32_t low = Hex(4).value_or(0);
      good_ = good_ && low >= 0xDC00 && low < 0xE000;
      point = 0x10000 + ((point - 0xD800) << 10U) + (low & 0x3FFU);
    }
    good_ = good_ && (point < 0xD800 || point >= 0xE000);
    CodePoint(point);
  }

  std::optional<std::uint32_t> Hex(std::size_t digits) {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < digits; ++i, ++at_) {
      if (at_ >= text_.size() || std::isxdigit(static_cast<unsigned char>(text_[at_])) == 0) {
        good_ = false;
        return std::nullopt;
      }
      const char c = text_[at_];
      const int digit = c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10;
      value = value * 16 + static_cast<std::uint32_t>(digit);
    }
    return value;
  }

  void CodePoint(std::uint32_t point) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string hex;
    for (; point > 0; point >>= 4U) {
      hex.insert(hex.begin(), kDigits[point & 15U]);
    }
    ((out_ += R"(\x{)") += hex.empty() ? "0" : hex) += '}';
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string out_;
  bool good_ = true;
};

}  // namespace

std::optional<std::string> EcmaToRe2(std::string_view pattern) { return Translator(pattern).Run(); }

}  // namespace writ::router::schema
