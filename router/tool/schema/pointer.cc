#include "router/tool/schema/pointer.h"

#include <cstddef>
#include <vector>

#include "router/base/text.h"

namespace writ::router::schema {

std::string EscapeToken(std::string_view key) {
  std::string token;
  for (const char c : key) {
    if (c == '~') {
      token += "~0";
    } else if (c == '/') {
      token += "~1";
    } else {
      token += c;
    }
  }
  return token;
}

std::string UnescapeToken(std::string_view token) {
  std::string key;
  for (std::size_t i = 0; i < token.size(); ++i) {
    const bool escaped = token[i] == '~' && i + 1 < token.size();
    if (escaped && (token[i + 1] == '0' || token[i + 1] == '1')) {
      key += token[++i] == '0' ? '~' : '/';
    } else {
      key += token[i];
    }
  }
  return key;
}

std::string PointerTo(const Place& place) {
  constexpr std::size_t kMaxKey = 200;
  std::vector<const Place*> chain;
  for (const Place* at = &place; at->parent != nullptr; at = at->parent) {
    chain.push_back(at);
  }
  std::string pointer;
  for (auto at = chain.rbegin(); at != chain.rend(); ++at) {
    pointer += '/';
    if ((*at)->parent->value.IsArray()) {
      pointer += std::to_string((*at)->index);
      continue;
    }
    const std::string_view shown = CutAtCharacter((*at)->key, kMaxKey);
    (pointer += EscapeToken(shown)) += shown.size() < (*at)->key.size() ? "…" : "";
  }
  return pointer;
}

}  // namespace writ::router::schema
