#include "connectors/chat/stream/message.h"

#include <algorithm>
#include <string_view>

#include "connectors/chat/stream/wire.h"
#include "router/base/text.h"

namespace writ::connectors {
namespace {

using router::ChannelEvent;
using router::Json;

// Any field but an event's `type` may be missing: a message without a type is a regular one.
std::string TypeOf(const Json& message) {
  std::string type = message.TextAt("type");
  return type.empty() ? "regular" : type;
}

bool IsOrdinary(std::string_view type) { return type == "regular" || type == "reply"; }

bool HasWords(const Json& message) { return !router::Trim(message.TextAt("text")).empty(); }

// Users may write it themselves: what is no language's tag is none.
std::string LanguageOf(const Json& user) {
  constexpr std::size_t kLongest = 35;  // source: RFC 5646, section 4.4.1
  std::string language = user.TextAt("language");
  const bool is_tag = language.size() <= kLongest && std::ranges::all_of(language, [](char c) {
                        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                               (c >= '0' && c <= '9') || c == '-' || c == '_';
                      });
  return is_tag ? language : "";
}

}  // namespace

std::string IgnoredBecause(const Json& message, const std::vector<router::UserId>& agent_users) {
  const auto author = ReadUserId(message, "user");
  if (std::ranges::find(agent_users, author) != agent_users.end()) return "own";
  if (IsSet(FindCustom(message, "ai_generated"))) return "ai_generated";
  if (std::string type = TypeOf(message); !IsOrdinary(type)) return type;
  if (IsSet(message.Find("deleted_at"))) return "deleted";
  if (IsSet(message.Find("silent"))) return "silent";
  if (IsSet(message.Find("shadowed"))) return "shadowed";
  if (const Json* user = message.Find("user")) {
    if (IsSet(user->Find("shadow_banned"))) return "shadowed";
    if (IsSet(user->Find("banned"))) return "banned";
    if (user->TextAt("role") == "anonymous") return "anonymous";
  }
  if (IsSet(message.Find("command"))) return "command";
  // An open reply would tell the channel what only some were meant to read.
  if (IsSet(message.Find("restricted_visibility"))) return "restricted";
  return HasWords(message) ? "" : "no_text";
}

std::optional<ChannelEvent> NewMessageEvent(const Json& message,
                                            const std::vector<router::UserId>& agent_users) {
  ChannelEvent event;
  event.kind = ChannelEvent::Kind::kMessageNew;
  event.message = router::MessageId(message.TextAt("id"));
  event.author = ReadUserId(message, "user");
  if (event.message.empty() || event.author.empty()) return std::nullopt;
  event.author_name = message.Find("user")->TextAt("name");
  event.language = LanguageOf(*message.Find("user"));
  if (std::string parent = message.TextAt("parent_id"); !parent.empty()) {
    event.thread = router::MessageId(std::move(parent));
  }
  event.text = message.TextAt("text");
  event.created_at = ReadStreamTime(message.Find("created_at")).value_or(router::TimePoint{});
  event.happened_at = event.created_at;
  event.ignored_because = IgnoredBecause(message, agent_users);
  return event;
}

std::optional<router::HistoryMessage> ReadHistoryMessage(const Json& message,
                                                         const router::UserId& agent_user) {
  if (!IsOrdinary(TypeOf(message)) || IsSet(message.Find("deleted_at")) ||
      IsSet(message.Find("shadowed")) || IsSet(message.Find("restricted_visibility")) ||
      !HasWords(message)) {
    return std::nullopt;
  }
  router::HistoryMessage read;
  read.id = router::MessageId(message.TextAt("id"));
  read.author = ReadUserId(message, "user");
  if (read.id.empty() || read.author.empty()) return std::nullopt;
  read.author_name = message.Find("user")->TextAt("name");
  read.text = message.TextAt("text");
  read.created_at = ReadStreamTime(message.Find("created_at")).value_or(router::TimePoint{});
  read.from_agent = read.author == agent_user;
  return read;
}

}  // namespace writ::connectors
