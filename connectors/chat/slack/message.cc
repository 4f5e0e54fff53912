#include "connectors/chat/slack/message.h"

#include "connectors/chat/slack/mrkdwn.h"
#include "router/base/text.h"

namespace writ::connectors {
namespace {

using router::Json;

bool IsAPersons(const SlackReader& reader, const Json& message) {
  const std::string subtype = message.TextAt("subtype");
  if (!subtype.empty() && subtype != "file_share" && subtype != "thread_broadcast") return false;
  if (message.BoolAt("hidden").value_or(false) || !message.TextAt("bot_id").empty()) return false;
  const std::string user = message.TextAt("user");
  return !user.empty() && user != reader.bot_user;
}

// Of the message itself: its thread's root, where it stands in one.
std::string ThreadOf(const Json& message) { return message.TextAt("thread_ts"); }

std::string TsOf(const Json& message) {
  std::string ts = message.TextAt("ts");
  return ts.empty() ? message.TextAt("event_ts") : ts;
}

SlackChannel ChannelOf(const SlackReader& reader, std::string_view channel, const Json& message) {
  std::string thread = ThreadOf(message);
  if (thread.empty() && !IsDirect(channel)) thread = TsOf(message);
  return {reader.place.team, std::string(channel), std::move(thread)};
}

std::string NameOf(const Json& message) {
  for (const char* profile : {"user_profile", "bot_profile"}) {
    const Json* found = message.Find(profile);
    if (found == nullptr) continue;
    for (const char* name : {"display_name", "real_name", "name"}) {
      if (std::string text = found->TextAt(name); !text.empty()) return text;
    }
  }
  return message.TextAt("username");
}

}  // namespace

router::UserId SlackAuthorOf(const SlackReader& reader, const Json& message) {
  std::string home = message.TextAt("user_team");
  if (home.empty()) home = message.TextAt("team");
  if (home.empty()) home = message.TextAt("source_team");
  // All who are in a channel of the organisation's own are its people, whichever of its workspaces
  // they write from.
  if (!reader.shared_with_others && !reader.place.enterprise.empty()) home.clear();
  return SlackUserId(reader.place, home, message.TextAt("user"));
}

std::string SlackTextOf(const SlackReader& reader, const Json& message) {
  const std::string text = message.TextAt("text");
  return PlainTextOf(WithoutMentionOf(reader.bot_user, text));
}

std::optional<router::ChannelEvent> SlackMessageEvent(const SlackReader& reader,
                                                      std::string_view channel,
                                                      const Json& message) {
  if (channel.empty() || !IsAPersons(reader, message)) return std::nullopt;
  const std::string ts = TsOf(message);
  const auto time = SlackTime(ts);
  if (!time) return std::nullopt;
  const SlackChannel there = ChannelOf(reader, channel, message);
  router::ChannelEvent event;
  event.kind = router::ChannelEvent::Kind::kMessageNew;
  event.cid = SlackCid(there);
  event.message = SlackMessageId(there, ts);
  if (!there.thread.empty()) event.thread = router::MessageId(there.thread);
  event.author = SlackAuthorOf(reader, message);
  event.actor = event.author;
  event.author_name = NameOf(message);
  event.text = SlackTextOf(reader, message);
  if (router::Trim(event.text).empty()) return std::nullopt;
  event.created_at = *time;
  event.happened_at = *time;
  return event;
}

std::optional<router::HistoryMessage> SlackHistoryMessage(const SlackReader& reader,
                                                          std::string_view channel,
                                                          const Json& message) {
  const std::string subtype = message.TextAt("subtype");
  if (!subtype.empty() && subtype != "file_share" && subtype != "thread_broadcast" &&
      subtype != "bot_message") {
    return std::nullopt;
  }
  const std::string ts = TsOf(message);
  const auto time = SlackTime(ts);
  if (!time || message.BoolAt("hidden").value_or(false)) return std::nullopt;
  router::HistoryMessage read;
  read.id = SlackMessageId(ChannelOf(reader, channel, message), ts);
  read.author = SlackAuthorOf(reader, message);
  if (read.author.empty()) read.author = router::UserId(message.TextAt("bot_id"));
  read.author_name = NameOf(message);
  read.text = SlackTextOf(reader, message);
  read.created_at = *time;
  read.from_agent = !reader.bot_user.empty() && message.TextAt("user") == reader.bot_user;
  if (read.author.empty() || router::Trim(read.text).empty()) return std::nullopt;
  return read;
}

}  // namespace writ::connectors
