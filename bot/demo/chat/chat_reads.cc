#include <algorithm>
#include <utility>

#include "bot/demo/chat/chat_world.h"

namespace writ::bot {

using router::Json;

namespace {

constexpr std::size_t kMembersInState = 100;
constexpr std::size_t kMembersInEvent = 50;  // so that a hook's list proves nobody's absence

// One condition of a filter: a bare value is `$eq`. Other operators are refused by the caller.
bool IsKnownCondition(const Json& condition) {
  if (!condition.IsObject()) return true;
  return std::ranges::all_of(condition.object(), [](const auto& member) {
    return member.key == "$eq" || (member.key == "$in" && member.value.IsArray());
  });
}

bool Fits(const Json& condition, const Json& value) {
  if (!condition.IsObject()) return condition == value;
  return std::ranges::all_of(condition.object(), [&](const auto& member) {
    if (member.key == "$eq") return member.value == value;
    return std::ranges::find(member.value.array(), value) != member.value.array().end();
  });
}

// Whether an object has what `filter` asks for; `id` and `name` may stand for other members.
bool FitsAll(const Json& filter, const Json& object, const Json& user) {
  return std::ranges::all_of(filter.object(), [&](const auto& condition) {
    const Json& holder = condition.key == "id" || condition.key == "name" ? user : object;
    const Json* value = holder.Find(condition.key);
    return Fits(condition.value, value == nullptr ? Json() : *value);
  });
}

std::optional<ChatError> FaultOfFilter(const Json& payload) {
  const Json* filter = payload.Find("filter_conditions");
  if (filter == nullptr || !filter->IsObject()) {
    return ChatError{ChatErrorCode::kInput, "filter_conditions must be an object"};
  }
  for (const auto& condition : filter->object()) {
    if (!IsKnownCondition(condition.value)) {
      return ChatError{ChatErrorCode::kInput, "the filter's operator is not supported"};
    }
  }
  return std::nullopt;
}

std::size_t LimitOf(const Json& payload) {
  return static_cast<std::size_t>(
      std::clamp<std::int64_t>(payload.IntAt("limit").value_or(100), 0, 300));
}

}  // namespace

ChatResult ChatWorld::GetMessage(const std::string& message_id) {
  const std::lock_guard lock(mutex_);
  const ChatMessage* message = FindMessageLocked(message_id);
  if (message == nullptr) {
    return ChatError{ChatErrorCode::kDoesNotExist,
                     "Message with id " + message_id + " doesn't exist"};
  }
  return ChatDone{200, Json::MakeObject({{"message", ShowLocked(*message)}})};
}

ChatResult ChatWorld::Replies(const std::string& parent_id, const ChatPaging& paging) {
  const std::lock_guard lock(mutex_);
  const ChatMessage* parent = FindMessageLocked(parent_id);
  if (parent == nullptr) {
    return ChatError{ChatErrorCode::kDoesNotExist,
                     "Message with id " + parent_id + " doesn't exist"};
  }
  std::vector<std::string> ids;
  for (const std::string& id : channels_.find(parent->cid)->second.message_ids) {
    if (messages_.find(id)->second.parent_id == parent_id) ids.push_back(id);
  }
  return ChatDone{200, Json::MakeObject({{"messages", Json(PageLocked(ids, paging, 10))}})};
}

ChatResult ChatWorld::QueryChannel(const ChatCaller& caller, const std::string& type,
                                   const std::string& id, const Json& body) {
  const std::string cid = type + ":" + id;
  const std::lock_guard lock(mutex_);
  const auto found = channels_.find(cid);
  if (found == channels_.end()) {
    const Json* data = body.Find("data");
    std::string creator = caller.user_id;
    if (caller.is_server && data != nullptr) creator = data->TextAt("created_by_id");
    if (users_.find(creator) == users_.end()) {
      return ChatError{ChatErrorCode::kInput,
                       "either data.created_by or data.created_by_id must be provided when using "
                       "server side auth."};
    }
    MakeChannelLocked(cid);
    ChangedNowLocked();
  } else if (auto error = WhyNotMemberLocked(caller, cid)) {
    return *std::move(error);
  }
  const ChatChannel& channel = channels_.find(cid)->second;
  Json answer = Json::MakeObject({{"channel", ChannelJson(channel)},
                                  {"messages", Json::MakeArray()},
                                  {"members", Json::MakeArray()}});
  if (!body.BoolAt("state").value_or(false)) return ChatDone{201, std::move(answer)};

  ChatPaging paging;
  if (const Json* messages = body.Find("messages")) {
    paging.limit =
        static_cast<int>(std::clamp<std::int64_t>(messages->IntAt("limit").value_or(0), 0, 300));
    paging.id_lt = messages->TextAt("id_lt");
    paging.id_lte = messages->TextAt("id_lte");
    paging.id_gt = messages->TextAt("id_gt");
    paging.id_gte = messages->TextAt("id_gte");
  }
  std::vector<std::string> ids;  // replies are in their threads alone, unless shown here as well
  for (const std::string& message_id : channel.message_ids) {
    const ChatMessage& message = messages_.find(message_id)->second;
    if (message.parent_id.empty() || message.fields.BoolAt("show_in_channel").value_or(false)) {
      ids.push_back(message_id);
    }
  }
  answer.Set("messages", Json(PageLocked(ids, paging, 25)));
  answer.Set("members", Json(MembersLocked(channel, kMembersInState)));
  return ChatDone{201, std::move(answer)};
}

ChatResult ChatWorld::QueryMembers(const Json& payload) {
  const std::string cid = payload.TextAt("type") + ":" + payload.TextAt("id");
  if (auto error = FaultOfFilter(payload)) return *std::move(error);
  const std::lock_guard lock(mutex_);
  const auto channel = channels_.find(cid);
  if (channel == channels_.end()) {
    return ChatError{ChatErrorCode::kDoesNotExist, "Can't find channel with id " + cid};
  }
  Json::Array rows;
  for (const ChatMember& member : channel->second.members) {
    const Json& user = UserLocked(member.user_id);
    Json row = MemberJson(member, user);
    if (rows.size() < LimitOf(payload) && FitsAll(*payload.Find("filter_conditions"), row, user)) {
      rows.push_back(std::move(row));
    }
  }
  return ChatDone{200, Json::MakeObject({{"members", Json(std::move(rows))}})};
}

ChatResult ChatWorld::QueryUsers(const Json& payload) {
  if (auto error = FaultOfFilter(payload)) return *std::move(error);
  const std::lock_guard lock(mutex_);
  Json::Array found;
  for (const auto& [id, user] : users_) {
    if (found.size() < LimitOf(payload) &&
        FitsAll(*payload.Find("filter_conditions"), user, user)) {
      found.push_back(user);
    }
  }
  return ChatDone{200, Json::MakeObject({{"users", Json(std::move(found))}})};
}

ChatMessage* ChatWorld::FindMessageLocked(const std::string& message_id) {
  const auto found = messages_.find(message_id);
  return found == messages_.end() ? nullptr : &found->second;
}

const Json& ChatWorld::UserLocked(const std::string& user_id) const {
  static const Json kNobody;
  const auto found = users_.find(user_id);
  return found == users_.end() ? kNobody : found->second;
}

Json ChatWorld::ShowLocked(const ChatMessage& message) const {
  Json::Array mentioned;
  for (const std::string& id : message.mentioned) {
    if (const Json& user = UserLocked(id); user.IsObject()) mentioned.push_back(user);
  }
  Json member;
  for (const ChatMember& row : channels_.find(message.cid)->second.members) {
    if (row.user_id == message.author) member = row.row;
  }
  return MessageJson(message, UserLocked(message.author), member, std::move(mentioned));
}

Json::Array ChatWorld::MembersLocked(const ChatChannel& channel, std::size_t limit) const {
  Json::Array rows;
  for (const ChatMember& member : channel.members) {
    if (rows.size() == limit) break;
    rows.push_back(MemberJson(member, UserLocked(member.user_id)));
  }
  return rows;
}

Json ChatWorld::EventLocked(const char* type, const ChatCaller& caller, const ChatMessage& message,
                            const std::string& user_id) {
  const ChatChannel& channel = channels_.find(message.cid)->second;
  Json event =
      Json::MakeObject({{"type", type},
                        {"created_at", ChatTime(TickLocked())},
                        {"cid", message.cid},
                        {"channel_member_count", static_cast<std::int64_t>(channel.members.size())},
                        {"channel_custom", channel.custom},
                        {"channel_type", channel.type},
                        {"channel_id", channel.id},
                        {"message_id", message.id},
                        {"message", ShowLocked(message)}});
  if (const Json& user = UserLocked(user_id); user.IsObject()) event.Set("user", user);
  event.Set("watcher_count", 0);
  event.Set("members", Json(MembersLocked(channel, kMembersInEvent)));
  event.Set("request_info", Json::MakeObject({{"type", caller.is_server ? "server" : "client"},
                                              {"ip", "127.0.0.1"},
                                              {"user_agent", ""},
                                              {"sdk", ""}}));
  return event;
}

// The newest of those that the paging names, oldest first. Ids stand for their places.
Json::Array ChatWorld::PageLocked(const std::vector<std::string>& ids, const ChatPaging& paging,
                                  int otherwise) const {
  auto first = ids.begin();
  auto last = ids.end();
  const auto place = [&](const std::string& id) { return std::ranges::find(ids, id); };
  if (!paging.id_lt.empty()) last = std::min(last, place(paging.id_lt));
  if (!paging.id_lte.empty() && place(paging.id_lte) != ids.end()) {
    last = std::min(last, place(paging.id_lte) + 1);
  }
  if (!paging.id_gt.empty() && place(paging.id_gt) != ids.end()) first = place(paging.id_gt) + 1;
  if (!paging.id_gte.empty() && place(paging.id_gte) != ids.end()) first = place(paging.id_gte);
  const auto limit = static_cast<std::ptrdiff_t>(paging.limit > 0 ? paging.limit : otherwise);
  if (first > last) first = last;
  // Towards newer ones the page begins at the named message, else it ends at the newest.
  const bool upwards = !paging.id_gt.empty() || !paging.id_gte.empty();
  if (last - first > limit) {
    if (upwards) {
      last = first + limit;
    } else {
      first = last - limit;
    }
  }
  Json::Array page;
  for (auto id = first; id != last; ++id) page.push_back(ShowLocked(messages_.find(*id)->second));
  return page;
}

}  // namespace writ::bot
