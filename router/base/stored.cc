#include "router/base/stored.h"

#include <utility>

#include "router/base/failure.h"

namespace writ::router::stored {

void Unreadable(std::string_view key) {
  throw Failure(Failure::Kind::kPermanent, "stored record: bad member " + std::string(key));
}

Json Parsed(std::string_view text) {
  // What came from outside has 256 levels at most and stands a few levels down.
  JsonParsed parsed = ParseJson(text, {.max_depth = 300});
  if (!parsed.value || !parsed.value->IsObject()) Unreadable("(document)");
  return *std::move(parsed.value);
}

const Json& At(const Json& json, std::string_view key) {
  const Json* found = json.Find(key);
  if (found == nullptr) Unreadable(key);
  return *found;
}

std::string Text(const Json& json, std::string_view key) {
  const Json& value = At(json, key);
  if (!value.IsString()) Unreadable(key);
  return value.string();
}

bool Flag(const Json& json, std::string_view key) {
  const Json& value = At(json, key);
  if (!value.IsBool()) Unreadable(key);
  return value.boolean();
}

std::int64_t Number(const Json& json, std::string_view key) {
  const auto value = At(json, key).ToInt();
  if (!value) Unreadable(key);
  return *value;
}

int SmallNumber(const Json& json, std::string_view key) {
  return static_cast<int>(Number(json, key));
}

std::string TextOr(const Json& json, std::string_view key, std::string_view absent) {
  return json.Find(key) == nullptr ? std::string(absent) : Text(json, key);
}

bool FlagOr(const Json& json, std::string_view key, bool absent) {
  return json.Find(key) == nullptr ? absent : Flag(json, key);
}

int NumberOr(const Json& json, std::string_view key, int absent) {
  return json.Find(key) == nullptr ? absent : SmallNumber(json, key);
}

TimePoint Time(const Json& json, std::string_view key) {
  return TimePoint(Duration(Number(json, key)));
}

std::optional<TimePoint> MaybeTime(const Json& json, std::string_view key) {
  if (At(json, key).IsNull()) return std::nullopt;
  return Time(json, key);
}

Json TimeJson(TimePoint time) { return {std::int64_t{time.time_since_epoch().count()}}; }

Json TimeJson(const std::optional<TimePoint>& time) { return time ? TimeJson(*time) : Json(); }

}  // namespace writ::router::stored
