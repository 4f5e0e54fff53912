#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bot/demo/chat/chat_api.h"
#include "bot/demo/chat/chat_faults.h"
#include "bot/demo/chat/chat_limits.h"
#include "bot/demo/chat/chat_world.h"
#include "bot/demo/chat/parked_sockets.h"
#include "bot/demo/chat/webhooks.h"
#include "bot/http/server.h"
#include "router/base/http.h"
#include "router/base/json.h"
#include "router/base/log.h"
#include "router/base/time.h"

namespace writ::bot {

struct ChatServerOptions {
  ChatKeys keys{"demo-key", "demo-secret"};
  std::string host = "127.0.0.1";
  int port = 0;  // 0 picks one
  int workers = 4;
  bool enforce_limits = false;
  WebhookRules webhooks;
};

// An embedded chat that speaks Stream Chat's REST and webhook formats, for `writ demo` and for the
// tests of the whole program. Nothing of Stream's is in it or used by it.
//
//   ChatServer chat({}, http, clock, log);
//   chat.world().AddUser("anya-1", "Anya");
//   chat.world().AddUser("helper-bot", "Helper");
//   chat.world().AddChannel("callouts:team-1", {"anya-1", "ben-2", "helper-bot"});
//   chat.webhooks().SetUrls({writ_url + "/v1/hooks/acme"});
//   const std::string id = chat.Send("anya-1", "callouts:team-1", "Who works on Monday?");
//   EXPECT_TRUE(chat.WaitFor([&] { return … chat.world().Messages("callouts:team-1") …; }, 10s));
class ChatServer {
 public:
  // Listens when it returns. All must outlive it.
  // throws  Failure{kPermanent} where the port is in use
  ChatServer(ChatServerOptions options, router::HttpClient& http, const router::Clock& clock,
             router::Log& log);
  ~ChatServer();
  ChatServer(const ChatServer&) = delete;
  ChatServer& operator=(const ChatServer&) = delete;

  [[nodiscard]] std::string url() const;  // `platform.base_url`
  [[nodiscard]] const ChatKeys& keys() const { return options_.keys; }
  [[nodiscard]] ChatWorld& world() { return world_; }
  [[nodiscard]] ChatFaults& faults() { return faults_; }
  [[nodiscard]] Webhooks& webhooks() { return webhooks_; }

  // A user writes; the hooks are told. The message's id. A refusal (no member, no such channel, too
  // long) is a Failure{kPermanent}.
  //
  // parent  the message whose thread it stands in, or ""
  // extra   further fields of the message: attachments, custom ones
  std::string Send(const std::string& user_id, const std::string& cid, const std::string& text,
                   const std::string& parent = "",
                   const router::Json& extra = router::Json::MakeObject());
  // `editor` may be another than the author: a moderator, through the app's backend.
  void Edit(const std::string& message_id, const std::string& editor, const std::string& text);
  // By its author, by the backend in somebody's name where `user_id` is another; "" names nobody.
  void Delete(const std::string& message_id, const std::string& user_id);
  // The message's last event once more, to one URL.
  void Redeliver(const std::string& message_id, const std::string& url);

  [[nodiscard]] bool WaitFor(const std::function<bool()>& holds, std::chrono::milliseconds within) {
    return world_.WaitFor(holds, within);
  }

 private:
  [[nodiscard]] Response Answer(const Request& request);
  router::Json Publish(ChatResult result);

  const ChatServerOptions options_;
  ChatWorld world_;
  ChatFaults faults_;
  ChatLimits limits_;
  Webhooks webhooks_;
  ChatApi api_;
  ParkedSockets parked_;
  Server server_;  // the last: it stops before the rest goes
};

}  // namespace writ::bot
