#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "bot/demo/chat/chat_error.h"
#include "bot/demo/chat/chat_record.h"
#include "router/base/json.h"
#include "router/base/time.h"

namespace writ::bot {

// Who calls the chat: its app's backend, or one of its users.
struct ChatCaller {
  bool is_server = false;
  std::string user_id;  // empty for the backend
};

// What a call came to: its answer without `duration`, and the events that hooks are told of.
struct ChatDone {
  int status = 200;
  router::Json body;
  std::vector<router::Json> events = {};
};
using ChatResult = std::variant<ChatDone, ChatError>;

struct ChatPaging {
  int limit = 0;  // 0: the call's own default
  std::string id_lt, id_lte, id_gt, id_gte;
};

struct ChatCounts {
  std::size_t posts = 0, updates = 0, ephemeral_updates = 0;
};

// The demo chat's channels, members and messages, in memory: what Stream Chat keeps, with the rules
// of the calls that Writ makes, its limits among them. Our own, from the documented wire format.
// Shared by all threads.
class ChatWorld {
 public:
  explicit ChatWorld(const router::Clock& clock) : clock_(clock) {}

  // The calls of the REST API. `body` is the request's, an object.
  ChatResult SendMessage(const ChatCaller& caller, const std::string& cid,
                         const router::Json& body);
  ChatResult UpdateMessage(const ChatCaller& caller, const std::string& message_id,
                           const router::Json& body);
  ChatResult UpdateEphemeral(const ChatCaller& caller, const std::string& message_id,
                             const router::Json& body);
  ChatResult DeleteMessage(const ChatCaller& caller, const std::string& message_id, bool hard);
  ChatResult GetMessage(const std::string& message_id);
  ChatResult Replies(const std::string& parent_id, const ChatPaging& paging);
  // Makes the channel where it is not there, as the service does.
  ChatResult QueryChannel(const ChatCaller& caller, const std::string& type, const std::string& id,
                          const router::Json& body);
  ChatResult QueryMembers(const router::Json& payload);
  ChatResult QueryUsers(const router::Json& payload);
  ChatResult SendEvent(const ChatCaller& caller, const std::string& cid, const router::Json& body);
  ChatResult UpsertUsers(const router::Json& body);

  // The world as a test or the demo sets it up. A channel, user or member that is not there yet is
  // made; a name of something that isn't there is ignored.
  void AddUser(const std::string& id, const std::string& name);
  void AddChannel(const std::string& cid, const std::vector<std::string>& members);
  void AddMember(const std::string& cid, const std::string& user_id);
  void RemoveMember(const std::string& cid, const std::string& user_id);
  // Any field of a user's or member's object: `banned`, `invited`, `deactivated_at`, …
  void SetUserField(const std::string& user_id, const std::string& key, router::Json value);
  void SetMemberField(const std::string& cid, const std::string& user_id, const std::string& key,
                      router::Json value);

  // What is there now. Messages are as the API shows them, oldest first, replies among them.
  [[nodiscard]] std::vector<router::Json> Messages(const std::string& cid) const;
  [[nodiscard]] std::optional<router::Json> Message(const std::string& message_id) const;
  // The same as whoever looks on sees it: with an ephemeral update over what is stored.
  [[nodiscard]] std::optional<router::Json> Seen(const std::string& message_id) const;
  // Every face of the message that was ever stored, first to last.
  [[nodiscard]] std::vector<router::Json> Faces(const std::string& message_id) const;
  [[nodiscard]] ChatCounts Counts(const std::string& message_id) const;
  [[nodiscard]] std::vector<router::Json> Events(const std::string& cid) const;  // as sent
  [[nodiscard]] bool HasUser(const std::string& user_id) const;

  // Waits until `holds`, which may call this world, says so; false where it did not in time.
  [[nodiscard]] bool WaitFor(const std::function<bool()>& holds,
                             std::chrono::milliseconds within) const;
  // Something that a waiting test may look at has changed.
  void Touch();

 private:
  // Each Locked method needs mutex_.
  router::TimePoint TickLocked();
  ChatChannel& MakeChannelLocked(const std::string& cid);
  [[nodiscard]] const router::Json& UserLocked(const std::string& user_id) const;
  [[nodiscard]] ChatMessage* FindMessageLocked(const std::string& message_id);
  [[nodiscard]] router::Json ShowLocked(const ChatMessage& message) const;
  [[nodiscard]] router::Json::Array MembersLocked(const ChatChannel& channel,
                                                  std::size_t limit) const;
  [[nodiscard]] router::Json EventLocked(const char* type, const ChatCaller& caller,
                                         const ChatMessage& message, const std::string& user_id);
  [[nodiscard]] std::variant<std::string, ChatError> ActorLocked(const ChatCaller& caller,
                                                                 const router::Json& body) const;
  [[nodiscard]] std::optional<ChatError> WhyNotMemberLocked(const ChatCaller& caller,
                                                            const std::string& cid);
  [[nodiscard]] std::optional<ChatError> ParentFaultLocked(const std::string& cid,
                                                           const std::string& parent_id);
  [[nodiscard]] std::variant<router::Json, ChatError> ChangedLocked(const ChatCaller& caller,
                                                                    const ChatMessage& message,
                                                                    const router::Json& body) const;
  [[nodiscard]] router::Json::Array PageLocked(const std::vector<std::string>& ids,
                                               const ChatPaging& paging, int otherwise) const;
  void TakeFaceLocked(ChatMessage& message, const router::Json& fields);
  void ChangedNowLocked();

  const router::Clock& clock_;  // outlives this
  mutable std::mutex mutex_;    // guards all below
  mutable std::condition_variable changed_;
  std::uint64_t changes_ = 0;
  router::TimePoint last_tick_;
  std::map<std::string, router::Json, std::less<>> users_;
  std::map<std::string, ChatChannel, std::less<>> channels_;
  std::map<std::string, ChatMessage, std::less<>> messages_;
  std::map<std::string, std::vector<router::Json>, std::less<>> events_;
};

}  // namespace writ::bot
