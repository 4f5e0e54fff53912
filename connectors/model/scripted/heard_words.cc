#include "connectors/model/scripted/heard_words.h"

#include <algorithm>
#include <cstddef>

#include "router/base/json.h"

namespace writ::connectors {
namespace {

enum class Letter { kDigit, kWord, kOther };

Letter LetterOf(char letter) {
  if (letter >= '0' && letter <= '9') return Letter::kDigit;
  const bool is_ascii_letter = (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z');
  // What is beyond ASCII counts as letters: the bytes of one character stay together.
  const bool is_beyond = (static_cast<unsigned char>(letter) & 0x80U) != 0;
  return is_ascii_letter || is_beyond ? Letter::kWord : Letter::kOther;
}

std::string InLowerCase(std::string_view word) {
  std::string lower(word);
  for (char& letter : lower) {
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  }
  return lower;
}

std::size_t EndOfRun(std::string_view text, std::size_t at) {
  const Letter kind = LetterOf(text[at]);
  while (at < text.size() && LetterOf(text[at]) == kind) ++at;
  return at;
}

// `42`, `42.50`: a point between digits belongs to the number.
std::size_t EndOfNumber(std::string_view text, std::size_t at) {
  const std::size_t end = EndOfRun(text, at);
  const bool has_fraction =
      end + 1 < text.size() && text[end] == '.' && LetterOf(text[end + 1]) == Letter::kDigit;
  return has_fraction ? EndOfRun(text, end + 1) : end;
}

std::vector<std::string> WordsOf(std::string_view text) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at < text.size();) {
    const Letter kind = LetterOf(text[at]);
    const std::size_t end = kind == Letter::kDigit ? EndOfNumber(text, at) : EndOfRun(text, at);
    if (kind != Letter::kOther) words.push_back(InLowerCase(text.substr(at, end - at)));
    at = end;
  }
  return words;
}

std::vector<std::string_view> PartsOf(std::string_view pattern) {
  std::vector<std::string_view> parts;
  for (std::size_t at = 0; at < pattern.size();) {
    const std::size_t end = std::min(pattern.find(' ', at), pattern.size());
    if (end > at) parts.push_back(pattern.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

}  // namespace

std::optional<HeardNumbers> HearWords(std::string_view pattern, std::string_view text) {
  const std::vector<std::string> words = WordsOf(text);
  HeardNumbers heard;
  auto word = words.begin();
  for (const std::string_view part : PartsOf(pattern)) {
    const bool is_number = part.starts_with('{') && part.ends_with('}');
    std::optional<std::string> number;
    for (; word != words.end(); ++word) {
      if (is_number) number = router::CanonicalNumber(*word);
      if (is_number ? number.has_value() : *word == part) break;
    }
    if (word == words.end()) return std::nullopt;
    ++word;
    if (number) heard.emplace_back(part.substr(1, part.size() - 2), *std::move(number));
  }
  return heard;
}

}  // namespace writ::connectors
