#include "bot/demo/chat/chat_faults.h"

#include <utility>

namespace writ::bot {

std::string_view NameOf(ChatEndpoint endpoint) {
  switch (endpoint) {
    case ChatEndpoint::kSendMessage:
      return "SendMessage";
    case ChatEndpoint::kUpdateMessage:
      return "UpdateMessagePartial";
    case ChatEndpoint::kUpdateEphemeral:
      return "EphemeralMessageUpdate";
    case ChatEndpoint::kGetMessage:
      return "GetMessage";
    case ChatEndpoint::kDeleteMessage:
      return "DeleteMessage";
    case ChatEndpoint::kReplies:
      return "GetReplies";
    case ChatEndpoint::kQueryChannel:
      return "GetOrCreateChannel";
    case ChatEndpoint::kQueryMembers:
      return "QueryMembers";
    case ChatEndpoint::kQueryUsers:
      return "QueryUsers";
    case ChatEndpoint::kUpsertUsers:
      return "UpdateUsers";
    case ChatEndpoint::kSendEvent:
      return "SendEvent";
  }
  return "";
}

int LimitPerMinute(ChatEndpoint endpoint) {
  switch (endpoint) {
    case ChatEndpoint::kSendEvent:
    case ChatEndpoint::kQueryChannel:
      return 10000;
    case ChatEndpoint::kQueryMembers:
    case ChatEndpoint::kUpsertUsers:
    case ChatEndpoint::kQueryUsers:
      return 300;
    case ChatEndpoint::kSendMessage:
    case ChatEndpoint::kUpdateMessage:
    case ChatEndpoint::kUpdateEphemeral:
    case ChatEndpoint::kGetMessage:
    case ChatEndpoint::kDeleteMessage:
    case ChatEndpoint::kReplies:
      return 1000;
  }
  return 0;
}

void ChatFaults::Order(ChatEndpoint endpoint, const ChatFault& fault, std::size_t times) {
  const std::lock_guard lock(mutex_);
  ordered_[endpoint].insert(ordered_[endpoint].end(), times, fault);
}

void ChatFaults::Clear() {
  const std::lock_guard lock(mutex_);
  ordered_.clear();
}

std::optional<ChatFault> ChatFaults::Take(ChatEndpoint endpoint) {
  const std::lock_guard lock(mutex_);
  ++requests_[endpoint];
  std::deque<ChatFault>& ordered = ordered_[endpoint];
  if (ordered.empty()) return std::nullopt;
  ChatFault fault = std::move(ordered.front());
  ordered.pop_front();
  return fault;
}

std::size_t ChatFaults::Requests(ChatEndpoint endpoint) const {
  const std::lock_guard lock(mutex_);
  const auto found = requests_.find(endpoint);
  return found == requests_.end() ? 0 : found->second;
}

}  // namespace writ::bot
