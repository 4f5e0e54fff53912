#pragma once

#include <atomic>
#include <chrono>
#include <mutex>
#include <optional>
#include <set>
#include <string>

#include "bot/auth/token.h"
#include "bot/client/writ_api.h"
#include "bot/demo/chat/chat_server.h"
#include "bot/demo/crm/crm_server.h"
#include "bot/demo/demo_config.h"
#include "bot/demo/demo_node.h"
#include "bot/demo/temporary_folder.h"
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

  // The node's process, for whoever wants to know of it.
  [[nodiscard]] const DemoNode& node() const { return node_; }
  // Whether KillNode() was its end, and nobody started it since.
  [[nodiscard]] bool WasKilled() const { return killed_; }
  // Kills the node's process, as the machine's end would; starts it again on the same store. Doing
  // again what is done already is nothing.
  //
  // throws  Failure{kPermanent} where it does not come up
  void KillNode();
  void StartNode();
  // How long calls that are held from now on stay answerable. Starts the node anew.
  void SetApprovalWait(std::chrono::seconds wait);
  [[nodiscard]] std::chrono::seconds approval_wait() const;
  // Takes one of the demo's people out of the channel, and in again.
  void SetMember(const std::string& user_id, bool is_member);
  [[nodiscard]] bool IsMember(const std::string& user_id) const;

  // When it began: no two runs of the demo began together.
  [[nodiscard]] router::TimePoint began_at() const { return began_at_; }
  // A token of one of the demo's people, good for a day.
  [[nodiscard]] std::string TokenOf(const std::string& user_id) const;
  [[nodiscard]] std::string OperatorToken() const;
  // Answers a held call as that person, through the API.
  [[nodiscard]] WritAnswer AnswerAs(const std::string& user_id, const router::Json& step,
                                    bool allowed);
  // Where an answer is posted to.
  [[nodiscard]] static std::string AnswersTarget();

  void Drain();

 private:
  [[nodiscard]] std::string Sign(router::Json claims) const;

  const router::Clock& clock_;
  const router::TimePoint began_at_ = clock_.Now();
  const TemporaryFolder folder_;
  connectors::CurlLoop http_;
  ChatServer chat_;
  CrmServer crm_;
  mutable std::mutex mutex_;    // guards places_, away_, and the node's starts and ends
  std::set<std::string> away_;  // who left the channel
  DemoPlaces places_;
  std::atomic<bool> killed_{false};
  DemoNode node_;
  std::optional<WritApi> api_;
};

}  // namespace writ::bot
