#include "connectors/tool/mcp/stdio/sent_words.h"

#include <algorithm>
#include <utility>

#include "router/base/json.h"

namespace writ::connectors {
namespace {

using router::Json;

constexpr std::size_t kShortest = 3;  // what is shorter stands in any line
constexpr std::size_t kLongest = 48;  // a long value may be cut by whoever logs it
constexpr std::size_t kMost = 256;    // of one call

void Collect(const Json& value, std::vector<std::string>& words) {
  const auto add = [&](std::string_view text) {
    if (text.size() >= kShortest && words.size() < kMost)
      words.emplace_back(text.substr(0, kLongest));
  };
  switch (value.kind()) {
    case Json::Kind::kNull:
    case Json::Kind::kBool:
      break;
    case Json::Kind::kNumber:
      add(value.number());
      break;
    case Json::Kind::kString: {
      add(value.string());
      const std::string written = value.Dump();
      const std::string_view inner = std::string_view(written).substr(1, written.size() - 2);
      if (inner != value.string()) add(inner);
      break;
    }
    case Json::Kind::kArray:
      for (const Json& item : value.array()) Collect(item, words);
      break;
    case Json::Kind::kObject:
      for (const auto& member : value.object()) Collect(member.value, words);
      break;
  }
}

}  // namespace

void SentWords::Add(std::string_view message) {
  const router::JsonParsed parsed = router::ParseJson(message, {512});
  const Json* params = parsed.value ? parsed.value->Find("params") : nullptr;
  const Json* arguments = params == nullptr ? nullptr : params->Find("arguments");
  if (arguments == nullptr) return;
  std::vector<std::string> words;
  Collect(*arguments, words);
  calls_.push_back(std::move(words));
  if (calls_.size() > kCalls) calls_.pop_front();
}

bool SentWords::AreIn(std::string_view text) const {
  return std::any_of(calls_.begin(), calls_.end(), [&](const auto& words) {
    return std::any_of(words.begin(), words.end(), [&](const std::string& word) {
      return text.find(word) != std::string_view::npos;
    });
  });
}

}  // namespace writ::connectors
