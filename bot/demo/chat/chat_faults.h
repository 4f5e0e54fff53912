#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace writ::bot {

// The calls of the demo chat, each with its own limit and its own faults.
enum class ChatEndpoint {
  kSendMessage,
  kUpdateMessage,
  kUpdateEphemeral,
  kGetMessage,
  kDeleteMessage,
  kReplies,
  kQueryChannel,
  kQueryMembers,
  kQueryUsers,
  kUpsertUsers,
  kSendEvent,
};

// The name in errors: `SendMessage`.
[[nodiscard]] std::string_view NameOf(ChatEndpoint endpoint);
// The service's calls a minute, by default.  source: connectors/chat/stream/README.md
[[nodiscard]] int LimitPerMinute(ChatEndpoint endpoint);

// Something that goes wrong with one request.
struct ChatFault {
  enum class Kind {
    kStatus,       // answers `status`, nothing is done
    kHang,         // nothing is done, no answer ever comes
    kDoThenHang,   // it is done, no answer ever comes
    kClose,        // nothing is done, the connection breaks in the middle of the answer
    kDoThenClose,  // it is done, the connection breaks in the middle of the answer
  };
  Kind kind = Kind::kStatus;
  int status = 500;                             // kStatus
  std::optional<std::string> retry_after = {};  // kStatus: as the header shall say it
  bool is_json = true;                          // kStatus: else a proxy's page
};

// The faults that a test has ordered, and how often each call came. Shared by all threads.
class ChatFaults {
 public:
  // The next `times` requests of `endpoint` go wrong so, after those ordered before.
  void Order(ChatEndpoint endpoint, const ChatFault& fault, std::size_t times = 1);
  void Clear();

  // What goes wrong with the request that has just come; counts it.
  [[nodiscard]] std::optional<ChatFault> Take(ChatEndpoint endpoint);
  // How many requests of that kind came, those that went wrong among them.
  [[nodiscard]] std::size_t Requests(ChatEndpoint endpoint) const;

 private:
  mutable std::mutex mutex_;  // guards both
  std::map<ChatEndpoint, std::deque<ChatFault>> ordered_;
  std::map<ChatEndpoint, std::size_t> requests_;
};

}  // namespace writ::bot
