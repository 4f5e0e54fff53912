#include "connectors/chat/stream/wire.h"

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace writ::connectors {
namespace {

using router::Json;

bool CanBeCid(std::string_view text) {
  const auto colon = text.find(':');  // the first one alone: an id may have more
  return colon != std::string_view::npos && colon > 0 && colon + 1 < text.size();
}

}  // namespace

std::optional<router::TimePoint> ReadStreamTime(const Json* value) {
  if (value == nullptr) return std::nullopt;
  if (value->IsString()) return router::ParseTime(value->string());
  const std::optional<std::int64_t> nanoseconds = value->ToInt();
  if (!nanoseconds) return std::nullopt;
  return router::TimePoint(
      std::chrono::floor<router::Duration>(std::chrono::nanoseconds(*nanoseconds)));
}

const Json* FindCustom(const Json& object, std::string_view key) {
  const Json* member = object.Find(key);
  if (member != nullptr && !member->IsNull()) return member;
  const Json* custom = object.Find("custom");
  if (custom == nullptr) return nullptr;
  member = custom->Find(key);
  return member != nullptr && !member->IsNull() ? member : nullptr;
}

bool IsSet(const Json* value) {
  if (value == nullptr) return false;
  switch (value->kind()) {
    case Json::Kind::kNull:
      return false;
    case Json::Kind::kBool:
      return value->boolean();
    case Json::Kind::kString:
      return !value->string().empty();
    case Json::Kind::kArray:
      return !value->array().empty();
    case Json::Kind::kNumber:
    case Json::Kind::kObject:
      return true;
  }
  return true;
}

router::Cid ReadCid(const Json& object) {
  std::string cid = object.TextAt("cid");
  if (!CanBeCid(cid)) cid = object.TextAt("channel_type") + ":" + object.TextAt("channel_id");
  return CanBeCid(cid) ? router::Cid(std::move(cid)) : router::Cid();
}

router::UserId ReadUserId(const Json& object, std::string_view key) {
  const Json* user = object.Find(key);
  return router::UserId(user == nullptr ? std::string() : user->TextAt("id"));
}

bool IsSharedChannel(const Json& object) {
  constexpr std::string_view kKey = "support_access";
  const Json* custom = object.Find("channel_custom");
  const Json* access = custom != nullptr ? custom->Find(kKey) : nullptr;
  if (access == nullptr) {
    const Json* channel = object.Find("channel");
    access = channel != nullptr ? FindCustom(*channel, kKey) : nullptr;
  }
  return access != nullptr && access->IsString() && access->string() == "members";
}

}  // namespace writ::connectors
