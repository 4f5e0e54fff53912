#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "bot/demo/chat/chat_server.h"
#include "connectors/http/curl_environment.h"
#include "connectors/http/curl_loop.h"
#include "router/base/json.h"
#include "tests/support/recording_log.h"
#include "tests/support/stage/api_client.h"
#include "tests/support/stage/eventually.h"
#include "tests/support/stage/program.h"
#include "tests/support/stage/stub_crm.h"
#include "tests/support/stage/stub_model.h"
#include "tests/support/stage/system_clock.h"
#include "tests/support/temporary_folder.h"

namespace writ::tests {

inline const std::string kTeam = "callouts:team-1";

// A call as its step in the channel shows it.
struct HeldCall {
  std::string cid;
  std::string message;  // in which its step stands
  std::string call;     // `tool_call_id` of an answer
  std::string request;  // `request_id` of an answer
  router::Json step;    // the attachment, as it was found

  [[nodiscard]] std::string asked() const { return step.TextAt("target_user_id"); }
};

struct WorldOptions {
  // Changes to the configuration before it is written: of the agent `helper`, its connector `crm`,
  // the whole file.
  std::function<void(router::Json& agent)> agent = {};
  std::function<void(router::Json& crm)> crm = {};
  std::function<void(router::Json& config)> config = {};
  // A second tenant, `beta` (key `k2`), with a chat of its own and the same connector and model.
  bool with_beta = false;
  bool packed_webhooks = false;  // with gzip
  Program::Environment environment = {};
  bool start = true;
};

// The program with everything around it, on loopback: a chat with Anya and Ben in
// `callouts:team-1` (Cleo is a user and no member), the app `acme` with the agent `helper` (user
// `helper-bot`, named channels `callouts`, own ones `agent`), a CRM of which `echo` is held, and
// `refund` above 100, and a model that does what messages say (stub_model.h).
class World {
 public:
  explicit World(const WorldOptions& options = {});
  ~World();
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  // The program; it must not run. False where it did not come up.
  bool Start(const Program::Environment& environment = {});
  void Kill();  // SIGKILL
  // Kill and start on the same store, on another port.
  void Restart();
  // One more node on the same configuration, for a store that nodes share: nobody's hooks go there.
  // It lives as long as this.
  Program& StartAnother();
  // Where the chat's hooks go from now on: each event to each of them.
  void SendHooksTo(const std::vector<const Program*>& nodes);
  // Writes the configuration anew, for the next start.
  void Configure(const WorldOptions& options);
  [[nodiscard]] int starts() const { return starts_; }
  [[nodiscard]] Program& program() { return *program_; }
  [[nodiscard]] std::string Log() const;  // all that the program's runs wrote

  [[nodiscard]] bot::ChatServer& chat() { return *chat_; }
  [[nodiscard]] bot::ChatServer& beta_chat() { return *beta_chat_; }
  [[nodiscard]] StubCrm& crm() { return crm_; }
  [[nodiscard]] StubModel& model() { return model_; }
  [[nodiscard]] ApiClient api() const { return ApiClient(program_->port()); }
  [[nodiscard]] std::string File(const std::string& name) const { return folder_.File(name); }

  // A channel of its own, with these members and the agent.
  void AddChannel(const std::string& cid,
                  const std::vector<std::string>& members = {"anya-1", "ben-2"});
  // Somebody writes; the message's id.
  std::string Say(const std::string& user, const std::string& text, const std::string& cid = kTeam,
                  const std::string& thread = "");

  // Whether a hook took the message.
  [[nodiscard]] bool IsAcknowledged(const std::string& message) const;
  // Sends what told of the message to the node again until one took it: the platform itself tries
  // a few times only, maybe before a node can.
  void WaitUntilTaken(const std::string& message, const Program& node);

  // What the agent has in the channel, oldest first.
  [[nodiscard]] std::vector<router::Json> BotMessages(const std::string& cid = kTeam) const;
  [[nodiscard]] std::vector<HeldCall> HeldCalls(const std::string& cid = kTeam) const;
  // The Wait… of this class end the test, by a throw, where what they wait for does not come.

  // Waits until so many calls are held there.
  std::vector<HeldCall> WaitForHeldCalls(std::size_t count, const std::string& cid = kTeam);
  HeldCall WaitForHeld(const std::string& cid = kTeam);
  // Waits until so many turns have ended there; the last one's message.
  router::Json WaitForEnds(std::size_t count, const std::string& cid = kTeam);
  // Waits for a turn of the channel that ended, and for `text` in its message.
  router::Json WaitForReply(const std::string& text, const std::string& cid = kTeam);
  // The call's step as it stands now; null where there is none.
  [[nodiscard]] router::Json StepOf(const HeldCall& held) const;
  // Waits until the call's step has an outcome.
  std::string WaitForOutcome(const HeldCall& held);
  [[nodiscard]] bool IsHeld(const HeldCall& held) const;

  // Who calls the API.
  [[nodiscard]] Caller As(const std::string& user) const;
  [[nodiscard]] Caller Backend() const;
  [[nodiscard]] Caller Anonymous() const;
  [[nodiscard]] Caller AsInBeta(const std::string& user) const;
  [[nodiscard]] Caller BetaBackend() const;

  // The answer to a held call over the conversation's endpoint; `more` adds fields.
  ApiReply Answer(const Caller& caller, const HeldCall& held, bool allowed,
                  const router::Json& more = router::Json::MakeObject()) const;
  ApiReply PostAnswer(const Caller& caller, const std::string& cid, const router::Json& body) const;
  // A webhook's body with its signature, as the platform sends it; `more` replaces headers.
  ApiReply Hook(const std::string& body, const ApiHeaders& headers) const;
  [[nodiscard]] ApiHeaders SignedHeaders(const std::string& body) const;

 private:
  [[nodiscard]] router::Json ConfigOf(const WorldOptions& options) const;
  [[nodiscard]] router::Json AppOf(const std::string& id, const std::string& key,
                                   const bot::ChatServer& chat, const WorldOptions& options) const;
  [[nodiscard]] std::unique_ptr<bot::ChatServer> MakeChat(const std::string& key,
                                                          const std::string& secret, bool packed);

  TemporaryFolder folder_;
  SystemClock clock_;
  RecordingLog log_;
  connectors::CurlEnvironment environment_;
  connectors::CurlLoop http_;  // the chats' webhooks
  StubCrm crm_;
  StubModel model_;
  std::unique_ptr<bot::ChatServer> chat_;
  std::unique_ptr<bot::ChatServer> beta_chat_;
  Program::Environment program_environment_;
  std::unique_ptr<Program> program_;
  std::vector<std::unique_ptr<Program>> others_;
  int starts_ = 0;
};

}  // namespace writ::tests
