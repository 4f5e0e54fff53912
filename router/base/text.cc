#include "router/base/text.h"

#include <utf8proc.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <optional>

namespace writ::router {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD
constexpr std::size_t kMaxLabelCharacters = 256;

struct Character {
  char32_t code = 0;
  std::size_t bytes = 0;
};

// The character that `text`, which is not empty, begins with; nullopt where it is not UTF-8.
std::optional<Character> FirstOf(std::string_view text) {
  const auto byte = static_cast<unsigned char>(text.front());
  if (byte < 0x80) return Character{byte, 1};
  utf8proc_int32_t code = 0;
  const auto bytes = utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                                      static_cast<utf8proc_ssize_t>(text.size()), &code);
  if (bytes <= 0) return std::nullopt;
  return Character{static_cast<char32_t>(code), static_cast<std::size_t>(bytes)};
}

bool IsContinuation(char character) {
  return (static_cast<unsigned char>(character) & 0xC0U) == 0x80U;
}

// Unicode's White_Space: the separators and six control characters.
bool IsWhiteSpace(char32_t code) {
  if (code == 0x85 || (code >= 0x09 && code <= 0x0D)) return true;
  const auto category = utf8proc_category(static_cast<utf8proc_int32_t>(code));
  return category == UTF8PROC_CATEGORY_ZS || category == UTF8PROC_CATEGORY_ZL ||
         category == UTF8PROC_CATEGORY_ZP;
}

// What draws nothing though utf8proc doesn't call it ignorable: it leaves out the ignorable
// characters that are not assigned yet, and Unicode a few blanks.
bool IsBlank(char32_t code) {
  if (code == 0x2065 || (code >= 0xFFF0 && code <= 0xFFF8)) return true;
  if (code >= 0xE0000 && code <= 0xE0FFF) return true;
  constexpr std::array<char32_t, 5> kBlanks{
      0x2800,   // Braille pattern without a dot
      0x13441,  // Egyptian full blank, half blank
      0x13442,
      0x16FE4,  // Khitan filler
      0x1D159,  // musical null notehead
  };
  return std::find(kBlanks.begin(), kBlanks.end(), code) != kBlanks.end();
}

// Whether a reader would not see that the character is there, or would take it for a plain space.
// "Ignorable" are the format characters' kin: tags, variation selectors, Hangul fillers.
bool IsInvisible(char32_t code) {
  if (code >= 0x20 && code < 0x7F) return false;
  const auto* property = utf8proc_get_property(static_cast<utf8proc_int32_t>(code));
  const auto category = property->category;
  return IsWhiteSpace(code) || category == UTF8PROC_CATEGORY_CC ||
         category == UTF8PROC_CATEGORY_CF || property->ignorable != 0 || IsBlank(code);
}

// `␊` and its like: drawn as some programs draw the control character itself.
bool IsControlPicture(char32_t code) { return code >= 0x2400 && code <= 0x2426; }

std::string EscapeOf(char32_t code) {
  if (code == '\n') return "\\n";
  if (code == '\t') return "\\t";
  std::array<char, 16> buffer{};
  std::snprintf(buffer.data(), buffer.size(), code > 0xFFFF ? "\\U%08x" : "\\u%04x",
                static_cast<unsigned>(code));
  return buffer.data();
}

// Calls `take` with each character and its bytes; a byte that is not UTF-8 comes as U+FFFD. `take`
// returns false to end.
template <class Take>
void ForEachCharacter(std::string_view text, const Take& take) {
  while (!text.empty()) {
    const auto character = FirstOf(text);
    const auto bytes = character ? character->bytes : 1;
    const bool more = character ? take(character->code, text.substr(0, bytes))
                                : take(char32_t{0xFFFD}, kReplacement);
    if (!more) return;
    text.remove_prefix(bytes);
  }
}

}  // namespace

bool IsUtf8(std::string_view text) {
  while (!text.empty()) {
    const auto character = FirstOf(text);
    if (!character) return false;
    text.remove_prefix(character->bytes);
  }
  return true;
}

std::string ToUtf8(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  ForEachCharacter(text, [&out](char32_t /*code*/, std::string_view bytes) {
    out += bytes;
    return true;
  });
  return out;
}

std::string_view CutAtCharacter(std::string_view text, std::size_t max_bytes) {
  if (text.size() <= max_bytes) return text;
  std::size_t end = max_bytes;
  while (end > 0 && IsContinuation(text[end])) --end;
  return text.substr(0, end);
}

std::size_t CountCharacters(std::string_view text) {
  std::size_t count = 0;
  ForEachCharacter(text, [&count](char32_t /*code*/, std::string_view /*bytes*/) {
    ++count;
    return true;
  });
  return count;
}

std::string_view FirstCharacters(std::string_view text, std::size_t count) {
  std::size_t end = 0;
  while (end < text.size() && count > 0) {
    const auto character = FirstOf(text.substr(end));
    end += character ? character->bytes : 1;
    --count;
  }
  return text.substr(0, end);
}

std::string_view Trim(std::string_view text) {
  while (!text.empty()) {
    const auto first = FirstOf(text);
    if (!first || !IsWhiteSpace(first->code)) break;
    text.remove_prefix(first->bytes);
  }
  while (!text.empty()) {
    std::size_t start = text.size() - 1;
    while (start > 0 && IsContinuation(text[start])) --start;
    const auto last = FirstOf(text.substr(start));
    if (!last || start + last->bytes != text.size() || !IsWhiteSpace(last->code)) break;
    text.remove_suffix(last->bytes);
  }
  return text;
}

std::string ShowInvisible(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  ForEachCharacter(text, [&out](char32_t code, std::string_view bytes) {
    if (IsInvisible(code) || IsControlPicture(code)) {
      out += EscapeOf(code);
    } else {
      out += bytes;
    }
    return true;
  });
  return out;
}

std::string CleanName(std::string_view name) {
  std::string clean;
  std::size_t count = 0;
  bool space = false;  // one is due before the next character
  ForEachCharacter(name, [&](char32_t code, std::string_view bytes) {
    constexpr std::string_view kForbidden = " :()[]{}<>";
    if (IsInvisible(code) ||
        (code < 0x80 && kForbidden.find(static_cast<char>(code)) != std::string_view::npos)) {
      space = !clean.empty();
      return true;
    }
    count += space ? 2 : 1;
    if (count > kMaxLabelCharacters) return false;
    if (space) clean += ' ';
    space = false;
    clean += bytes;
    return true;
  });
  return clean;
}

std::string LabelOf(std::string_view name, std::string_view user_id) {
  const std::string id = CleanName(user_id);
  const std::string clean = CleanName(name);
  return (clean.empty() ? id : clean) + " (user " + id + ")";
}

}  // namespace writ::router
