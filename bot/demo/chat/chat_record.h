#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "router/base/json.h"
#include "router/base/time.h"

namespace writ::bot {

// What the demo chat keeps, and how each thing looks on the wire (Stream's v1 shapes: text times,
// flat custom fields; source: connectors/chat/stream/README.md).

struct ChatMember {
  std::string user_id;
  router::Json row;  // as in a member's JSON, without `user`
};

struct ChatChannel {
  std::string cid, type, id;
  router::Json custom;  // an object
  std::vector<ChatMember> members;
  std::vector<std::string> message_ids;  // oldest first, replies too
  router::TimePoint created_at;

  [[nodiscard]] ChatMember* FindMember(std::string_view user_id);
};

struct ChatMessage {
  std::string id, cid, author, parent_id;
  std::string type;     // regular, reply, system, deleted
  router::Json fields;  // text, attachments, custom fields: what an update may set
  std::vector<std::string> mentioned;
  std::size_t reply_count = 0;
  bool shadowed = false;
  router::TimePoint created_at, updated_at;
  std::optional<router::TimePoint> text_updated_at, deleted_at;

  // For tests: every request that named it, and every face that was stored, as it was then.
  std::size_t posts = 0, updates = 0, ephemeral_updates = 0;
  std::vector<router::Json> faces;
  router::Json ephemeral;  // what viewers see over the stored one; null where nothing
};

// With its fraction's trailing zeros dropped, as the service writes it.
[[nodiscard]] std::string ChatTime(router::TimePoint time);

// `user` is the user's whole object; null where there is none any more.
[[nodiscard]] router::Json MemberJson(const ChatMember& member, const router::Json& user);
[[nodiscard]] router::Json ChannelJson(const ChatChannel& channel);
[[nodiscard]] router::Json MessageJson(const ChatMessage& message, const router::Json& author,
                                       const router::Json& member, router::Json::Array mentioned);

// A copy of an object without one of its members.
[[nodiscard]] router::Json Without(const router::Json& object, std::string_view key);

}  // namespace writ::bot
