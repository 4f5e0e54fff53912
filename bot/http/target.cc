#include "bot/http/target.h"

#include <algorithm>
#include <utility>

#include "router/base/text.h"

namespace writ::bot {
namespace {

int HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

enum class Plus { kIsPlus, kIsSpace };

std::optional<std::string> Decode(std::string_view text, Plus plus) {
  std::string decoded;
  decoded.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%') {
      if (i + 2 >= text.size()) return std::nullopt;
      const int high = HexDigit(text[i + 1]);
      const int low = HexDigit(text[i + 2]);
      if (high < 0 || low < 0) return std::nullopt;
      decoded.push_back(static_cast<char>(high * 16 + low));
      i += 2;
    } else {
      decoded.push_back(text[i] == '+' && plus == Plus::kIsSpace ? ' ' : text[i]);
    }
  }
  // A NUL ends a string for whoever reads it in C, and no id has one.
  if (decoded.find('\0') != std::string::npos || !router::IsUtf8(decoded)) return std::nullopt;
  return decoded;
}

// The path of an absolute-form target (`http://host/path`, RFC 9112 3.2.2), or the target itself.
std::string_view WithoutAuthority(std::string_view target) {
  if (!target.starts_with("http://") && !target.starts_with("https://")) return target;
  const auto slash = target.find('/', target.find("//") + 2);
  return slash == std::string_view::npos ? std::string_view("/") : target.substr(slash);
}

std::optional<std::vector<std::string>> ParsePath(std::string_view path) {
  if (!path.starts_with('/')) return std::nullopt;
  std::vector<std::string> segments;
  for (std::size_t begin = 1; begin <= path.size();) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    auto segment = Decode(path.substr(begin, end - begin), Plus::kIsPlus);
    if (!segment) return std::nullopt;
    segments.push_back(std::move(*segment));
    begin = end + 1;
  }
  return segments;
}

}  // namespace

std::optional<NamedValues> ParseForm(std::string_view text) {
  NamedValues values;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('&', begin), text.size());
    const std::string_view pair = text.substr(begin, end - begin);
    begin = end + 1;
    if (pair.empty()) continue;
    const std::size_t equals = std::min(pair.find('='), pair.size());
    auto name = Decode(pair.substr(0, equals), Plus::kIsSpace);
    auto value = Decode(pair.substr(std::min(equals + 1, pair.size())), Plus::kIsSpace);
    if (!name || !value) return std::nullopt;
    values.emplace_back(std::move(*name), std::move(*value));
  }
  return values;
}

std::optional<Target> ParseTarget(std::string_view target) {
  target = WithoutAuthority(target);
  target = target.substr(0, target.find('#'));
  const std::size_t mark = std::min(target.find('?'), target.size());
  auto segments = ParsePath(target.substr(0, mark));
  auto query = ParseForm(target.substr(std::min(mark + 1, target.size())));
  if (!segments || !query) return std::nullopt;
  return Target{std::move(*segments), std::move(*query)};
}

}  // namespace writ::bot
