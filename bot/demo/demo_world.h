#pragma once

#include <optional>
#include <string>

#include "bot/auth/token.h"
#include "bot/client/writ_api.h"
#include "bot/config/config.h"
#include "bot/demo/chat/chat_server.h"
#include "bot/demo/crm/crm_server.h"
#include "bot/demo/temporary_folder.h"
#include "bot/wiring.h"
#include "connectors/http/curl_environment.h"
#include "connectors/http/curl_loop.h"
#include "router/base/json.h"
#include "router/base/log.h"
#include "router/base/time.h"

namespace writ::bot {

// Everything of the demo but its page: a chat, a CRM, and a node of Writ between them, each on a
// port of its own on loopback.
class DemoWorld {
 public:
  // All must outlive it. The node answers when it returns.
  // throws  Failure{kPermanent} where a port or a folder can't be had
  DemoWorld(const connectors::CurlEnvironment& curl, const router::Clock& clock, router::Log& log);
  ~DemoWorld() = default;  // stops all of it at once, the node first
  DemoWorld(const DemoWorld&) = delete;
  DemoWorld& operator=(const DemoWorld&) = delete;

  [[nodiscard]] ChatServer& chat() { return chat_; }
  [[nodiscard]] CrmDesk& crm() { return crm_.desk(); }
  [[nodiscard]] WritApi& api() { return *api_; }

  // When it began: no two runs of the demo began together.
  [[nodiscard]] router::TimePoint began_at() const { return began_at_; }
  // A token of one of the demo's people, good for a day.
  [[nodiscard]] std::string TokenOf(const std::string& user_id) const;
  // Answers a held call as that person, through the API.
  [[nodiscard]] WritAnswer AnswerAs(const std::string& user_id, const router::Json& step,
                                    bool allowed);
  // Where an answer is posted to.
  [[nodiscard]] static std::string AnswersTarget();

  void Drain() { node_->Drain(); }

 private:
  const router::Clock& clock_;
  const router::TimePoint began_at_ = clock_.Now();
  const TemporaryFolder folder_;
  connectors::CurlLoop http_;
  ChatServer chat_;
  CrmServer crm_;
  std::optional<NodeProcess> node_;
  std::optional<WritApi> api_;
};

}  // namespace writ::bot
