#include "connectors/tool/result_text.h"

#include "router/base/text.h"
#include "router/tool/result_limit.h"

namespace writ::connectors {
namespace {

constexpr std::size_t kRoomForNotes = 200;

}  // namespace

std::string FitResult(std::string_view output) {
  std::string text = router::ToUtf8(output);
  if (router::Trim(text).empty()) return "(no output)";
  if (text.size() <= router::kLongestResult) return text;
  const std::size_t characters = router::CountCharacters(text);
  text.resize(router::CutAtCharacter(text, router::kLongestResult - kRoomForNotes).size());
  return text + "\n[cut, " + std::to_string(characters - router::CountCharacters(text)) + " of " +
         std::to_string(characters) + " characters left out]";
}

}  // namespace writ::connectors
