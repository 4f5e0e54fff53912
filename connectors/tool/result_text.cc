#include "connectors/tool/result_text.h"

#include "router/base/text.h"

namespace writ::connectors {
namespace {

// Where the character number `count` begins; `text` is UTF-8 and has more of them.
std::size_t StartOf(std::string_view text, std::size_t count) {
  std::size_t at = 0;
  for (std::size_t seen = 0; at < text.size(); ++at) {
    const bool begins = (static_cast<unsigned char>(text[at]) & 0xC0U) != 0x80U;
    if (begins && seen++ == count) break;
  }
  return at;
}

}  // namespace

std::string FitResult(std::string_view output) {
  std::string text = router::ToUtf8(output);
  if (router::Trim(text).empty()) return "(no output)";
  const std::size_t characters = router::CountCharacters(text);
  if (characters <= kMaxResultCharacters) return text;
  text.resize(StartOf(text, kMaxResultCharacters));
  return text + "\n[cut, " + std::to_string(characters - kMaxResultCharacters) + " of " +
         std::to_string(characters) + " characters left out]";
}

}  // namespace writ::connectors
