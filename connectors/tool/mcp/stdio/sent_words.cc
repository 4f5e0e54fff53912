#include "connectors/tool/mcp/stdio/sent_words.h"

#include <algorithm>
#include <utility>

#include "router/base/json.h"

namespace writ::connectors {
namespace {

using router::Json;

constexpr std::size_t kShortest = 3;  // what is shorter stands in any line
// Of the environment, whose values are there for as long as the program is: `info`, `true`.
constexpr std::size_t kShortestSecret = 6;
constexpr std::size_t kLongest = 48;  // a long value may be cut by whoever logs it
constexpr std::size_t kMost = 256;    // of one call

void AddWord(std::string_view text, std::vector<std::string>& words) {
  if (text.size() >= kShortest && words.size() < kMost)
    words.emplace_back(text.substr(0, kLongest));
}

// A text as it is, and as JSON writes it where that is another one.
void AddText(const Json& text, std::vector<std::string>& words) {
  AddWord(text.string(), words);
  const std::string written = text.Dump();
  const std::string_view inner = std::string_view(written).substr(1, written.size() - 2);
  if (inner != text.string()) AddWord(inner, words);
}

void Collect(const Json* value, std::vector<std::string>& words) {
  if (value == nullptr) return;
  switch (value->kind()) {
    case Json::Kind::kNull:
    case Json::Kind::kBool:
      break;
    case Json::Kind::kNumber:
      AddWord(value->number(), words);
      break;
    case Json::Kind::kString:
      AddText(*value, words);
      break;
    case Json::Kind::kArray:
      for (const Json& item : value->array()) Collect(&item, words);
      break;
    case Json::Kind::kObject:
      for (const auto& member : value->object()) Collect(&member.value, words);
      break;
  }
}

bool IsAnyIn(const std::vector<std::string>& words, std::string_view text) {
  return std::ranges::any_of(
      words, [&](const std::string& word) { return text.find(word) != std::string_view::npos; });
}

}  // namespace

SentWords::SentWords(const StdioCommand& command) {
  for (const auto& [name, value] : command.environment) {
    if (value.size() >= kShortestSecret) AddText(Json(value), environment_);
  }
}

void SentWords::Add(std::string_view message) {
  const router::JsonParsed parsed = router::ParseJson(message, {512});
  const Json* params = parsed.value ? parsed.value->Find("params") : nullptr;
  const Json* arguments = params == nullptr ? nullptr : params->Find("arguments");
  if (arguments == nullptr) return;
  std::vector<std::string> words;
  // First: there is room for so many.
  if (const Json* meta = params->Find("_meta")) Collect(meta->Find("writ/for"), words);
  Collect(arguments, words);
  Collect(params->Find("inputResponses"), words);
  calls_.push_back(std::move(words));
  if (calls_.size() > kCalls) calls_.pop_front();
}

bool SentWords::AreIn(std::string_view text) const {
  return IsAnyIn(environment_, text) ||
         std::ranges::any_of(calls_, [&](const auto& words) { return IsAnyIn(words, text); });
}

}  // namespace writ::connectors
