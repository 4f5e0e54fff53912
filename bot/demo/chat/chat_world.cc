#include "bot/demo/chat/chat_world.h"

#include <algorithm>
#include <utility>

#include "bot/demo/chat/chat_rules.h"
#include "router/base/digest.h"

namespace writ::bot {

using router::Json;

namespace {

ChatError NoMessage(const std::string& id) {
  return {ChatErrorCode::kDoesNotExist, "Message with id " + id + " doesn't exist"};
}

std::string NewMessageId() { return router::HexOf(router::RandomBytes(16)); }

}  // namespace

ChatResult ChatWorld::SendMessage(const ChatCaller& caller, const std::string& cid,
                                  const Json& body) {
  const Json* sent = body.Find("message");
  if (sent == nullptr || !sent->IsObject()) {
    return ChatError{ChatErrorCode::kInput, "message is a required field"};
  }
  const std::lock_guard lock(mutex_);
  auto author = ActorLocked(caller, *sent);
  if (auto* error = std::get_if<ChatError>(&author)) return std::move(*error);
  if (auto error = WhyNotMemberLocked(caller, cid)) return *std::move(error);
  if (auto error = FaultOfRequest(*sent)) return *std::move(error);
  std::string id = sent->TextAt("id");
  if (id.empty()) id = NewMessageId();
  if (ChatMessage* known = FindMessageLocked(id)) {
    ++known->posts;
    ChangedNowLocked();
    return ChatError{ChatErrorCode::kInput, "a message with ID " + id + " already exists"};
  }
  const std::string parent = sent->TextAt("parent_id");
  if (auto error = ParentFaultLocked(cid, parent)) return *std::move(error);
  Json fields = FieldsOf(*sent);
  if (const Json* mentioned = sent->Find("mentioned_users")) {
    fields.Set("mentioned_users", *mentioned);
  }
  if (auto error = FaultOfFields(fields)) return *std::move(error);

  ChatMessage& message = messages_[id];
  message.id = id;
  message.cid = cid;
  message.author = std::get<std::string>(author);
  message.parent_id = parent;
  message.type = sent->TextAt("type") == "system" ? "system" : parent.empty() ? "regular" : "reply";
  message.mentioned = MentionsOf(*sent);
  message.created_at = message.updated_at = TickLocked();
  message.posts = 1;
  if (ChatMember* member = channels_.find(cid)->second.FindMember(message.author)) {
    message.shadowed = member->row.BoolAt("shadow_banned").value_or(false);
  }
  channels_.find(cid)->second.message_ids.push_back(id);
  if (!parent.empty()) ++FindMessageLocked(parent)->reply_count;
  TakeFaceLocked(message, fields);
  ChangedNowLocked();
  Json shown = ShowLocked(message);
  return ChatDone{201,
                  Json::MakeObject({{"message", shown}}),
                  {EventLocked("message.new", caller, message, message.author)}};
}

ChatResult ChatWorld::UpdateMessage(const ChatCaller& caller, const std::string& message_id,
                                    const Json& body) {
  const std::lock_guard lock(mutex_);
  ChatMessage* message = FindMessageLocked(message_id);
  if (message == nullptr || message->deleted_at) return NoMessage(message_id);
  auto editor = ActorLocked(caller, body);
  if (auto* error = std::get_if<ChatError>(&editor)) return std::move(*error);
  auto changed = ChangedLocked(caller, *message, body);
  if (auto* error = std::get_if<ChatError>(&changed)) return std::move(*error);
  Json& fields = std::get<Json>(changed);

  message->updated_at = TickLocked();
  ++message->updates;
  message->ephemeral = Json();
  if (fields.TextAt("text") != message->fields.TextAt("text")) {
    message->text_updated_at = message->updated_at;
  }
  if (fields.Find("mentioned_users") != nullptr) message->mentioned = MentionsOf(fields);
  TakeFaceLocked(*message, fields);
  ChangedNowLocked();
  return ChatDone{
      200,
      Json::MakeObject({{"message", ShowLocked(*message)}}),
      {EventLocked("message.updated", caller, *message, std::get<std::string>(editor))}};
}

// Viewers see it, nothing is stored and no hook is told.
ChatResult ChatWorld::UpdateEphemeral(const ChatCaller& caller, const std::string& message_id,
                                      const Json& body) {
  const std::lock_guard lock(mutex_);
  ChatMessage* message = FindMessageLocked(message_id);
  if (message == nullptr || message->deleted_at) return NoMessage(message_id);
  auto editor = ActorLocked(caller, body);
  if (auto* error = std::get_if<ChatError>(&editor)) return std::move(*error);
  auto changed = ChangedLocked(caller, *message, body);
  if (auto* error = std::get_if<ChatError>(&changed)) return std::move(*error);
  ++message->ephemeral_updates;
  ChatMessage seen = *message;
  seen.fields = Without(std::get<Json>(changed), "mentioned_users");
  message->ephemeral = ShowLocked(seen);
  ChangedNowLocked();
  return ChatDone{200, Json::MakeObject({{"message", message->ephemeral}})};
}

ChatResult ChatWorld::DeleteMessage(const ChatCaller& caller, const std::string& message_id,
                                    bool hard) {
  const std::lock_guard lock(mutex_);
  ChatMessage* message = FindMessageLocked(message_id);
  if (message == nullptr || (message->deleted_at && !hard)) return NoMessage(message_id);
  if (!caller.is_server && caller.user_id != message->author) {
    return ChatError{ChatErrorCode::kNotAllowed, "this message is another user's"};
  }
  message->type = "deleted";
  message->deleted_at = message->updated_at = TickLocked();
  message->ephemeral = Json();
  Json shown = ShowLocked(*message);  // the text as it was: hooks and the answer still have it
  Json event = EventLocked("message.deleted", caller, *message, caller.user_id);
  event.Set("hard_delete", hard);
  message->fields = Json::MakeObject({{"text", ""}});
  if (hard) {
    std::erase(channels_.find(message->cid)->second.message_ids, message_id);
    messages_.erase(message_id);
  }
  ChangedNowLocked();
  return ChatDone{200, Json::MakeObject({{"message", std::move(shown)}}), {std::move(event)}};
}

ChatResult ChatWorld::SendEvent(const ChatCaller& caller, const std::string& cid,
                                const Json& body) {
  const Json* sent = body.Find("event");
  if (sent == nullptr || sent->TextAt("type").empty()) {
    return ChatError{ChatErrorCode::kInput, "event.type is a required field"};
  }
  const std::lock_guard lock(mutex_);
  auto user_id = ActorLocked(caller, *sent);
  if (auto* error = std::get_if<ChatError>(&user_id)) return std::move(*error);
  if (auto error = WhyNotMemberLocked(caller, cid)) return *std::move(error);
  const ChatChannel& channel = channels_.find(cid)->second;
  Json event = Without(*sent, "user_id");
  event.Set("cid", cid);
  event.Set("channel_type", channel.type);
  event.Set("channel_id", channel.id);
  event.Set("user", UserLocked(std::get<std::string>(user_id)));
  event.Set("created_at", ChatTime(TickLocked()));
  events_[cid].push_back(event);
  ChangedNowLocked();
  return ChatDone{201, Json::MakeObject({{"event", std::move(event)}})};
}

// Who does it: a user is who their token says, whatever the body claims; the backend has to name
// one.
std::variant<std::string, ChatError> ChatWorld::ActorLocked(const ChatCaller& caller,
                                                            const Json& body) const {
  std::string id = caller.user_id;
  if (caller.is_server) {
    id = body.TextAt("user_id");
    if (const Json* user = body.Find("user"); id.empty() && user != nullptr) {
      id = user->TextAt("id");
    }
    if (id.empty()) {
      return ChatError{ChatErrorCode::kInput,
                       "either user or user_id must be provided when using server side auth."};
    }
  }
  if (users_.find(id) == users_.end()) {
    return ChatError{
        ChatErrorCode::kInput,
        "The following users are involved in this operation but don't exist: [" + id + "]"};
  }
  return id;
}

std::optional<ChatError> ChatWorld::WhyNotMemberLocked(const ChatCaller& caller,
                                                       const std::string& cid) {
  const auto channel = channels_.find(cid);
  if (channel == channels_.end()) {
    return ChatError{ChatErrorCode::kDoesNotExist, "Can't find channel with id " + cid};
  }
  if (caller.is_server) return std::nullopt;
  const ChatMember* member = channel->second.FindMember(caller.user_id);
  if (member == nullptr || member->row.BoolAt("banned").value_or(false)) {
    return ChatError{ChatErrorCode::kNotAllowed, "the user is not allowed in channel " + cid};
  }
  return std::nullopt;
}

std::optional<ChatError> ChatWorld::ParentFaultLocked(const std::string& cid,
                                                      const std::string& parent_id) {
  if (parent_id.empty()) return std::nullopt;
  const ChatMessage* parent = FindMessageLocked(parent_id);
  if (parent == nullptr || parent->cid != cid) {
    return ChatError{ChatErrorCode::kDoesNotExist,
                     "parent message " + parent_id + " doesn't exist in the channel"};
  }
  if (!parent->parent_id.empty()) {
    return ChatError{ChatErrorCode::kReplyToReply, "a reply has no thread of its own"};
  }
  return std::nullopt;
}

std::variant<Json, ChatError> ChatWorld::ChangedLocked(const ChatCaller& caller,
                                                       const ChatMessage& message,
                                                       const Json& body) const {
  if (!caller.is_server && caller.user_id != message.author) {
    return ChatError{ChatErrorCode::kNotAllowed, "this message is another user's"};
  }
  auto changed = ApplyPartial(message.fields, body);
  if (auto* fields = std::get_if<Json>(&changed)) {
    if (auto error = FaultOfFields(*fields)) return *std::move(error);
  }
  return changed;
}

void ChatWorld::TakeFaceLocked(ChatMessage& message, const Json& fields) {
  message.fields = Without(fields, "mentioned_users");  // kept apart: they are shown as users
  message.faces.push_back(ShowLocked(message));
}

}  // namespace writ::bot
