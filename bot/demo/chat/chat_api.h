#pragma once

#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "bot/demo/chat/chat_error.h"
#include "bot/demo/chat/chat_faults.h"
#include "bot/demo/chat/chat_limits.h"
#include "bot/demo/chat/chat_world.h"
#include "bot/http/request.h"
#include "bot/http/target.h"
#include "router/base/json.h"
#include "router/base/time.h"

namespace writ::bot {

struct ChatKeys {
  std::string api_key;
  std::string api_secret;
};

// The demo chat's REST API: who calls, what they want, and the answer in the service's own shapes.
// Shared by all threads.
class ChatApi {
 public:
  // Is told of every event that hooks hear of, in the order of one caller's calls.
  using OnEvent = std::function<void(const router::Json& event)>;

  // All must outlive the API.
  ChatApi(ChatKeys keys, ChatWorld& world, ChatFaults& faults, ChatLimits& limits,
          const router::Clock& clock, OnEvent on_event);

  struct Answer {
    Response response;
    // The peer shall get no whole answer: it waits for ever, or its connection breaks.
    std::optional<ChatFault::Kind> broken;
  };
  [[nodiscard]] Answer Handle(const Request& request);

 private:
  struct Call {
    ChatEndpoint endpoint;
    std::vector<std::string> ids;  // of the path, in its order
  };

  [[nodiscard]] static std::optional<Call> FindCall(const std::string& method,
                                                    const Target& target);
  [[nodiscard]] std::variant<ChatCaller, ChatError> Identify(const Request& request,
                                                             const Target& target) const;
  [[nodiscard]] ChatResult Run(const Call& call, const ChatCaller& caller, const Target& target,
                               const router::Json& body);
  [[nodiscard]] Answer Work(const Call& call, const Request& request, const Target& target);

  const ChatKeys keys_;
  ChatWorld& world_;
  ChatFaults& faults_;
  ChatLimits& limits_;
  const router::Clock& clock_;
  const OnEvent on_event_;
};

}  // namespace writ::bot
