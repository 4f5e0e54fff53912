#include "bot/demo/chat/chat_record.h"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace writ::bot {

using router::Json;

namespace {

Json CountJson(std::size_t count) { return Json(static_cast<std::int64_t>(count)); }

std::string HtmlOf(std::string_view text) {
  if (text.empty()) return {};
  std::string html = "<p>";
  for (const char character : text) {
    switch (character) {
      case '<':
        html += "&lt;";
        break;
      case '>':
        html += "&gt;";
        break;
      case '&':
        html += "&amp;";
        break;
      default:
        html += character;
    }
  }
  return html + "</p>\n";
}

}  // namespace

ChatMember* ChatChannel::FindMember(std::string_view user_id) {
  const auto found = std::ranges::find(members, user_id, &ChatMember::user_id);
  return found == members.end() ? nullptr : &*found;
}

std::string ChatTime(router::TimePoint time) {
  std::string text = router::FormatTime(time);
  if (text.find('.') == std::string::npos) return text;
  text.pop_back();  // the Z
  while (text.ends_with('0')) text.pop_back();
  if (text.ends_with('.')) text.pop_back();
  return text + "Z";
}

Json MemberJson(const ChatMember& member, const Json& user) {
  Json json = member.row;
  json.Set("user_id", member.user_id);
  if (user.IsObject()) json.Set("user", user);
  return json;
}

Json ChannelJson(const ChatChannel& channel) {
  Json json = channel.custom;
  json.Set("id", channel.id);
  json.Set("type", channel.type);
  json.Set("cid", channel.cid);
  json.Set("created_at", ChatTime(channel.created_at));
  json.Set("updated_at", ChatTime(channel.created_at));
  json.Set("frozen", false);
  json.Set("disabled", false);
  json.Set("member_count", CountJson(channel.members.size()));
  return json;
}

Json MessageJson(const ChatMessage& message, const Json& author, const Json& member,
                 Json::Array mentioned) {
  Json json = Json::MakeObject({{"id", message.id}, {"text", ""}});
  for (const auto& field : message.fields.object()) json.Set(field.key, field.value);
  json.Set("html", HtmlOf(json.TextAt("text")));
  json.Set("type", message.type);
  json.Set("user", author);
  if (member.IsObject()) {
    json.Set("member", Json::MakeObject({{"channel_role", member.TextAt("channel_role")},
                                         {"notifications_muted", false}}));
  }
  if (json.Find("attachments") == nullptr) json.Set("attachments", Json::MakeArray());
  json.Set("latest_reactions", Json::MakeArray());
  json.Set("own_reactions", Json::MakeArray());
  json.Set("reaction_counts", Json::MakeObject());
  json.Set("reaction_scores", Json::MakeObject());
  json.Set("reply_count", CountJson(message.reply_count));
  json.Set("deleted_reply_count", 0);
  json.Set("cid", message.cid);
  if (!message.parent_id.empty()) json.Set("parent_id", message.parent_id);
  json.Set("created_at", ChatTime(message.created_at));
  json.Set("updated_at", ChatTime(message.updated_at));
  if (message.text_updated_at) {
    json.Set("message_text_updated_at", ChatTime(*message.text_updated_at));
  }
  if (message.deleted_at) json.Set("deleted_at", ChatTime(*message.deleted_at));
  json.Set("shadowed", message.shadowed);
  json.Set("mentioned_users", Json(std::move(mentioned)));
  json.Set("mentioned_channel", false);
  json.Set("mentioned_here", false);
  if (json.Find("silent") == nullptr) json.Set("silent", false);
  json.Set("pinned", false);
  json.Set("pinned_at", nullptr);
  json.Set("pinned_by", nullptr);
  json.Set("pin_expires", nullptr);
  if (json.Find("restricted_visibility") == nullptr) {
    json.Set("restricted_visibility", Json::MakeArray());
  }
  return json;
}

Json Without(const Json& object, std::string_view key) {
  Json rest = Json::MakeObject();
  for (const auto& member : object.object()) {
    if (member.key != key) rest.Set(member.key, member.value);
  }
  return rest;
}

}  // namespace writ::bot
