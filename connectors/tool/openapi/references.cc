#include "connectors/tool/openapi/references.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "router/tool/schema/pointer.h"

namespace writ::connectors {
namespace {

using router::Json;

constexpr int kMostSteps = 32;

std::string PercentDecoded(std::string_view text) {
  std::string decoded;
  for (std::size_t at = 0; at < text.size(); ++at) {
    unsigned byte = 0;
    const char* digits = text.data() + at + 1;
    if (text[at] == '%' && at + 2 < text.size() &&
        std::from_chars(digits, digits + 2, byte, 16).ptr == digits + 2) {
      decoded += static_cast<char>(byte);
      at += 2;
    } else {
      decoded += text[at];
    }
  }
  return decoded;
}

std::string Unescaped(std::string_view token) {
  std::string key;
  for (std::size_t at = 0; at < token.size(); ++at) {
    if (token[at] == '~' && at + 1 < token.size()) {
      key += token[++at] == '1' ? '/' : '~';
    } else {
      key += token[at];
    }
  }
  return key;
}

const Json* Step(const Json& value, const std::string& key) {
  if (!value.IsArray()) return value.Find(key);
  std::size_t index = 0;
  const char* end = key.data() + key.size();
  const auto read = std::from_chars(key.data(), end, index);
  const bool good = read.ec == std::errc() && read.ptr == end && index < value.array().size();
  return good ? &value.array()[index] : nullptr;
}

}  // namespace

Place Place::At(std::string_view key) const {
  return {value == nullptr ? nullptr : value->Find(key),
          pointer + '/' + router::schema::EscapeToken(key)};
}

Place Place::At(std::size_t index) const {
  const bool there = value != nullptr && value->IsArray() && index < value->array().size();
  return {there ? &value->array()[index] : nullptr, pointer + '/' + std::to_string(index)};
}

std::optional<Place> Resolve(const Json& document, std::string_view ref) {
  if (!ref.starts_with('#')) return std::nullopt;
  const std::string pointer = PercentDecoded(ref.substr(1));
  if (!pointer.empty() && pointer.front() != '/') return std::nullopt;  // an anchor
  const Json* value = &document;
  for (std::size_t at = 1; at <= pointer.size();) {
    const std::size_t end = std::min(pointer.find('/', at), pointer.size());
    value = Step(*value, Unescaped(std::string_view(pointer).substr(at, end - at)));
    if (value == nullptr) return std::nullopt;
    at = end + 1;
  }
  return Place{value, pointer};
}

std::optional<Place> Follow(const Json& document, Place place) {
  for (int step = 0; step < kMostSteps; ++step) {
    const Json* ref = place.value == nullptr ? nullptr : place.value->Find("$ref");
    if (ref == nullptr || !ref->IsString()) return place;
    std::optional<Place> next = Resolve(document, ref->string());
    if (!next) return std::nullopt;
    place = *std::move(next);
  }
  return std::nullopt;
}

}  // namespace writ::connectors
