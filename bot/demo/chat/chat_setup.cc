#include <algorithm>
#include <utility>

#include "bot/demo/chat/chat_world.h"

namespace writ::bot {

using router::Json;

namespace {

// How often a wait looks again by itself, for what changes outside of the world.
constexpr std::chrono::milliseconds kLookAgain{20};

}  // namespace

// A full replacement, as the service's: custom fields that are not sent are gone.
ChatResult ChatWorld::UpsertUsers(const Json& body) {
  const Json* users = body.Find("users");
  if (users == nullptr || !users->IsObject()) {
    return ChatError{ChatErrorCode::kInput, "users is a required field"};
  }
  for (const auto& member : users->object()) {
    if (member.key.empty() || member.value.TextAt("id") != member.key) {
      return ChatError{ChatErrorCode::kInput, "users." + member.key + ".id must be its key"};
    }
  }
  const std::lock_guard lock(mutex_);
  Json::Object answered;
  for (const auto& member : users->object()) {
    Json user = member.value;
    const Json* created = UserLocked(member.key).Find("created_at");
    const Json now = ChatTime(TickLocked());
    user.Set("created_at", created == nullptr ? now : *created);
    user.Set("updated_at", now);
    for (const auto& [key, value] : {std::pair<const char*, Json>{"role", "user"},
                                     {"teams", Json::MakeArray()},
                                     {"banned", false},
                                     {"online", false}}) {
      if (user.Find(key) == nullptr) user.Set(key, value);
    }
    users_[member.key] = user;
    answered.Set(member.key, std::move(user));
  }
  ChangedNowLocked();
  return ChatDone{201, Json::MakeObject({{"users", Json(std::move(answered))}})};
}

void ChatWorld::AddUser(const std::string& id, const std::string& name) {
  const Json user = Json::MakeObject({{"id", id}, {"name", name}});
  static_cast<void>(UpsertUsers(Json::MakeObject({{"users", Json::MakeObject({{id, user}})}})));
}

void ChatWorld::AddChannel(const std::string& cid, const std::vector<std::string>& members) {
  {
    const std::lock_guard lock(mutex_);
    MakeChannelLocked(cid);
    ChangedNowLocked();
  }
  for (const std::string& user_id : members) AddMember(cid, user_id);
}

void ChatWorld::AddMember(const std::string& cid, const std::string& user_id) {
  if (!HasUser(user_id)) AddUser(user_id, user_id);
  const std::lock_guard lock(mutex_);
  ChatChannel& channel = MakeChannelLocked(cid);
  if (channel.FindMember(user_id) != nullptr) return;
  const Json now = ChatTime(TickLocked());
  channel.members.push_back({user_id, Json::MakeObject({{"created_at", now},
                                                        {"updated_at", now},
                                                        {"banned", false},
                                                        {"shadow_banned", false},
                                                        {"role", "member"},
                                                        {"channel_role", "channel_member"},
                                                        {"notifications_muted", false}})});
  ChangedNowLocked();
}

void ChatWorld::RemoveMember(const std::string& cid, const std::string& user_id) {
  const std::lock_guard lock(mutex_);
  const auto channel = channels_.find(cid);
  if (channel == channels_.end()) return;
  std::erase_if(channel->second.members,
                [&](const ChatMember& member) { return member.user_id == user_id; });
  ChangedNowLocked();
}

void ChatWorld::SetUserField(const std::string& user_id, const std::string& key, Json value) {
  const std::lock_guard lock(mutex_);
  const auto user = users_.find(user_id);
  if (user != users_.end()) user->second.Set(key, std::move(value));
}

void ChatWorld::SetMemberField(const std::string& cid, const std::string& user_id,
                               const std::string& key, Json value) {
  const std::lock_guard lock(mutex_);
  const auto channel = channels_.find(cid);
  if (channel == channels_.end()) return;
  if (ChatMember* member = channel->second.FindMember(user_id)) {
    member->row.Set(key, std::move(value));
  }
}

std::vector<Json> ChatWorld::Messages(const std::string& cid) const {
  const std::lock_guard lock(mutex_);
  std::vector<Json> shown;
  const auto channel = channels_.find(cid);
  if (channel == channels_.end()) return shown;
  for (const std::string& id : channel->second.message_ids) {
    shown.push_back(ShowLocked(messages_.find(id)->second));
  }
  return shown;
}

std::optional<Json> ChatWorld::Message(const std::string& message_id) const {
  const std::lock_guard lock(mutex_);
  const auto found = messages_.find(message_id);
  if (found == messages_.end()) return std::nullopt;
  return ShowLocked(found->second);
}

std::optional<Json> ChatWorld::Seen(const std::string& message_id) const {
  const std::lock_guard lock(mutex_);
  const auto found = messages_.find(message_id);
  if (found == messages_.end()) return std::nullopt;
  const ChatMessage& message = found->second;
  return message.ephemeral.IsNull() ? ShowLocked(message) : message.ephemeral;
}

std::vector<Json> ChatWorld::Faces(const std::string& message_id) const {
  const std::lock_guard lock(mutex_);
  const auto found = messages_.find(message_id);
  return found == messages_.end() ? std::vector<Json>{} : found->second.faces;
}

ChatCounts ChatWorld::Counts(const std::string& message_id) const {
  const std::lock_guard lock(mutex_);
  const auto found = messages_.find(message_id);
  if (found == messages_.end()) return {};
  return {found->second.posts, found->second.updates, found->second.ephemeral_updates};
}

std::vector<Json> ChatWorld::Events(const std::string& cid) const {
  const std::lock_guard lock(mutex_);
  const auto found = events_.find(cid);
  return found == events_.end() ? std::vector<Json>{} : found->second;
}

bool ChatWorld::HasUser(const std::string& user_id) const {
  const std::lock_guard lock(mutex_);
  return users_.find(user_id) != users_.end();
}

bool ChatWorld::WaitFor(const std::function<bool()>& holds,
                        std::chrono::milliseconds within) const {
  const auto deadline = std::chrono::steady_clock::now() + within;
  std::unique_lock lock(mutex_);
  while (true) {
    const std::uint64_t seen = changes_;
    lock.unlock();
    if (holds()) return true;
    if (std::chrono::steady_clock::now() >= deadline) return false;
    lock.lock();
    changed_.wait_for(lock, kLookAgain, [&] { return changes_ != seen; });
  }
}

void ChatWorld::Touch() {
  const std::lock_guard lock(mutex_);
  ChangedNowLocked();
}

// Two things never happen at the same time here, so that their order is the order of their times.
router::TimePoint ChatWorld::TickLocked() {
  last_tick_ = std::max(clock_.Now(), last_tick_ + router::Duration{1});
  return last_tick_;
}

ChatChannel& ChatWorld::MakeChannelLocked(const std::string& cid) {
  const auto found = channels_.find(cid);
  if (found != channels_.end()) return found->second;
  ChatChannel& channel = channels_[cid];
  const auto colon = cid.find(':');
  channel.cid = cid;
  channel.type = cid.substr(0, colon);
  channel.id = colon == std::string::npos ? std::string() : cid.substr(colon + 1);
  channel.custom = Json::MakeObject();
  channel.created_at = TickLocked();
  return channel;
}

void ChatWorld::ChangedNowLocked() {
  ++changes_;
  changed_.notify_all();
}

}  // namespace writ::bot
