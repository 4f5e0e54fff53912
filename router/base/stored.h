#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "router/base/json.h"
#include "router/base/time.h"

// Readers of the documents that writ itself stored. Each throws Failure{kPermanent}, naming the
// member, where the document is not what was written.
namespace writ::router::stored {

[[noreturn]] void Unreadable(std::string_view key);
[[nodiscard]] Json Parsed(std::string_view text);  // an object
[[nodiscard]] const Json& At(const Json& json, std::string_view key);
[[nodiscard]] std::string Text(const Json& json, std::string_view key);
[[nodiscard]] bool Flag(const Json& json, std::string_view key);
[[nodiscard]] std::int64_t Number(const Json& json, std::string_view key);
[[nodiscard]] int SmallNumber(const Json& json, std::string_view key);
[[nodiscard]] TimePoint Time(const Json& json, std::string_view key);
[[nodiscard]] std::optional<TimePoint> MaybeTime(const Json& json, std::string_view key);
[[nodiscard]] Json TimeJson(TimePoint time);  // microseconds since 1970
[[nodiscard]] Json TimeJson(const std::optional<TimePoint>& time);

// Members that documents of an earlier version do not have.
[[nodiscard]] std::string TextOr(const Json& json, std::string_view key, std::string_view absent);
[[nodiscard]] bool FlagOr(const Json& json, std::string_view key, bool absent);
[[nodiscard]] int NumberOr(const Json& json, std::string_view key, int absent);

template <class Enum>
[[nodiscard]] Enum EnumAt(const Json& json, std::string_view key, Enum last) {
  const std::int64_t value = Number(json, key);
  if (value < 0 || value > static_cast<std::int64_t>(last)) Unreadable(key);
  return static_cast<Enum>(value);
}

}  // namespace writ::router::stored
