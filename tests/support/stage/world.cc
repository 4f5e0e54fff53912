#include "tests/support/stage/world.h"

#include <fstream>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "router/base/digest.h"

namespace writ::tests {

using router::Json;

namespace {

constexpr const char* kAcmeKey = "k1";
constexpr const char* kAcmeSecret = "acme-secret-of-more-than-thirty-two-bytes";
constexpr const char* kBetaKey = "k2";
constexpr const char* kBetaSecret = "beta-secret-of-more-than-thirty-two-bytes";

Json Texts(std::initializer_list<const char*> texts) {
  Json array = Json::MakeArray();
  for (const char* text : texts) array.Push(text);
  return array;
}

Json CrmConfig(const std::string& url) {
  const Json above_100 = Json::MakeObject(
      {{"properties",
        Json::MakeObject({{"amount", Json::MakeObject({{"exclusiveMinimum", 100}})}})}});
  Json held = Texts({"echo"});
  held.Push(Json::MakeObject({{"tool", "refund"}, {"when", above_100}}));
  return Json::MakeObject({{"id", "crm"},
                           {"kind", "mcp"},
                           {"url", url},
                           {"require_approval", std::move(held)},
                           {"idempotent", Texts({"lookup"})},
                           {"timeout_s", 20}});
}

bool IsBots(const Json& message) {
  const Json* user = message.Find("user");
  return user != nullptr && user->TextAt("id") == "helper-bot";
}

std::string StateOf(const Json& message) {
  const Json* runtime = message.Find("support_runtime");
  return runtime == nullptr ? "" : runtime->TextAt("state");
}

bool HasEnded(const Json& message) {
  const std::string state = StateOf(message);
  return state == "completed" || state == "failed" || state == "cancelled";
}

// What a story waits for in vain ends its test: nothing after it would make sense.
void MustHold(bool holds, const std::string& otherwise) {
  if (holds) return;
  ADD_FAILURE() << otherwise;
  throw std::runtime_error(otherwise);
}

}  // namespace

World::World(const WorldOptions& options)
    : http_(environment_), program_environment_(options.environment) {
  chat_ = MakeChat(kAcmeKey, kAcmeSecret, options.packed_webhooks);
  if (options.with_beta) beta_chat_ = MakeChat(kBetaKey, kBetaSecret, options.packed_webhooks);
  Configure(options);
  if (options.start) Start();
}

World::~World() {
  crm_.Release();
  model_.Release();
  if (program_ && testing::Test::HasFailure()) {
    ADD_FAILURE() << "the program's log:\n" << Log();
  }
  program_.reset();
  others_.clear();
}

std::unique_ptr<bot::ChatServer> World::MakeChat(const std::string& key, const std::string& secret,
                                                 bool packed) {
  bot::ChatServerOptions options;
  options.keys = {key, secret};
  options.webhooks.gzip = packed;
  options.webhooks.pause = std::chrono::milliseconds(50);
  auto chat = std::make_unique<bot::ChatServer>(options, http_, clock_, log_);
  chat->world().AddUser("anya-1", "Anya");
  chat->world().AddUser("ben-2", "Ben");
  chat->world().AddUser("cleo-3", "Cleo");
  chat->world().AddUser("helper-bot", "Helper");
  chat->world().AddChannel(kTeam, {"anya-1", "ben-2", "helper-bot"});
  return chat;
}

Json World::AppOf(const std::string& id, const std::string& key, const bot::ChatServer& chat,
                  const WorldOptions& options) const {
  Json crm = CrmConfig(crm_.Url());
  if (options.crm) options.crm(crm);
  Json connectors = Json::MakeArray();
  connectors.Push(std::move(crm));
  Json agent = Json::MakeObject(
      {{"id", "helper"},
       {"user_id", "helper-bot"},
       {"instructions", "You help the shift team."},
       {"chat_channels", Texts({"callouts"})},
       {"agent_channels", Texts({"agent"})},
       {"model",
        Json::MakeObject(
            {{"kind", "openai"}, {"name", "stub"}, {"base_url", model_.Url()}, {"timeout_s", 60}})},
       {"connectors", std::move(connectors)},
       {"limits", Json::MakeObject()}});
  if (options.agent) options.agent(agent);
  Json agents = Json::MakeArray();
  agents.Push(std::move(agent));
  return Json::MakeObject({{"id", id},
                           {"platform", Json::MakeObject({{"kind", "stream"},
                                                          {"api_key", key},
                                                          {"api_secret", chat.keys().api_secret},
                                                          {"base_url", chat.url()}})},
                           {"agents", std::move(agents)}});
}

Json World::ConfigOf(const WorldOptions& options) const {
  Json apps = Json::MakeArray();
  apps.Push(AppOf("acme", kAcmeKey, *chat_, options));
  if (beta_chat_) apps.Push(AppOf("beta", kBetaKey, *beta_chat_, options));
  Json config = Json::MakeObject(
      {{"drain_s", 5},
       {"limits", Json::MakeObject({{"event_wait_s", 60}})},  // a slow machine is no overload
       {"store", Json::MakeObject({{"kind", "sqlite"}, {"path", folder_.File("writ.db")}})},
       {"apps", std::move(apps)}});
  if (options.config) options.config(config);
  return config;
}

bool World::Start(const Program::Environment& environment) {
  Program::Environment all = program_environment_;
  for (const auto& [name, value] : environment) all[name] = value;
  ++starts_;
  program_.reset();
  program_ = std::make_unique<Program>(
      std::vector<std::string>{PathOfWrit(), "serve", "--config", folder_.File("writ.json"),
                               "--listen", "127.0.0.1:0"},
      all, folder_.File("writ.log"));
  if (!program_->WaitUntilItListens()) return false;
  const std::string url = "http://127.0.0.1:" + std::to_string(program_->port()) + "/v1/hooks/";
  chat_->webhooks().SetUrls({url + "acme"});
  if (beta_chat_) beta_chat_->webhooks().SetUrls({url + "beta"});
  return true;
}

Program& World::StartAnother() {
  others_.push_back(std::make_unique<Program>(
      std::vector<std::string>{PathOfWrit(), "serve", "--config", folder_.File("writ.json"),
                               "--listen", "127.0.0.1:0"},
      program_environment_, folder_.File("writ.log")));
  MustHold(others_.back()->WaitUntilItListens(), "another node did not come up");
  return *others_.back();
}

void World::SendHooksTo(const std::vector<const Program*>& nodes) {
  std::vector<std::string> urls;
  urls.reserve(nodes.size());
  for (const Program* node : nodes) {
    urls.push_back("http://127.0.0.1:" + std::to_string(node->port()) + "/v1/hooks/acme");
  }
  chat_->webhooks().SetUrls(std::move(urls));
}

void World::Configure(const WorldOptions& options) {
  std::ofstream(folder_.File("writ.json")) << ConfigOf(options).Dump();
}

void World::Kill() { program_->Kill(); }

void World::Restart() {
  Kill();
  EXPECT_TRUE(Start()) << "it did not come up again";
}

std::string World::Log() const {
  std::ostringstream text;
  text << std::ifstream(folder_.File("writ.log")).rdbuf();
  return text.str();
}

void World::AddChannel(const std::string& cid, const std::vector<std::string>& members) {
  std::vector<std::string> all = members;
  all.emplace_back("helper-bot");
  chat_->world().AddChannel(cid, all);
}

std::string World::Say(const std::string& user, const std::string& text, const std::string& cid,
                       const std::string& thread) {
  return chat_->Send(user, cid, text, thread);
}

bool World::IsAcknowledged(const std::string& message) const {
  for (const bot::WebhookAttempt& attempt : chat_->webhooks().Attempts()) {
    if (attempt.message_id == message && attempt.status == 200) return true;
  }
  return false;
}

void World::WaitUntilTaken(const std::string& message, const Program& node) {
  const std::string url = "http://127.0.0.1:" + std::to_string(node.port()) + "/v1/hooks/acme";
  const bool taken = Eventually([&] {
    if (!chat_->webhooks().IsIdle()) return false;
    if (IsAcknowledged(message)) return true;
    chat_->Redeliver(message, url);
    return false;
  });
  MustHold(taken, "no hook took " + message);
}

std::vector<Json> World::BotMessages(const std::string& cid) const {
  std::vector<Json> messages;
  for (Json& message : chat_->world().Messages(cid)) {
    if (IsBots(message)) messages.push_back(std::move(message));
  }
  return messages;
}

std::vector<HeldCall> World::HeldCalls(const std::string& cid) const {
  std::vector<HeldCall> held;
  for (const Json& message : BotMessages(cid)) {
    const Json* steps = message.Find("attachments");
    if (steps == nullptr) continue;
    for (const Json& step : steps->array()) {
      if (step.TextAt("status") != "awaiting_approval") continue;
      held.push_back(
          {cid, message.TextAt("id"), step.TextAt("id"), step.TextAt("request_id"), step});
    }
  }
  return held;
}

std::vector<HeldCall> World::WaitForHeldCalls(std::size_t count, const std::string& cid) {
  MustHold(chat_->WaitFor([&] { return HeldCalls(cid).size() >= count; }, kLongEnough),
           "not so many calls are held in " + cid);
  std::vector<HeldCall> held = HeldCalls(cid);
  held.resize(count);
  return held;
}

HeldCall World::WaitForHeld(const std::string& cid) { return WaitForHeldCalls(1, cid).front(); }

Json World::WaitForEnds(std::size_t count, const std::string& cid) {
  Json last;
  const bool ended = chat_->WaitFor(
      [&] {
        std::size_t seen = 0;
        for (const Json& message : BotMessages(cid)) {
          if (!HasEnded(message)) continue;
          last = message;
          if (++seen == count) return true;
        }
        return false;
      },
      kLongEnough);
  MustHold(ended, "not so many turns ended in " + cid);
  return last;
}

Json World::WaitForReply(const std::string& text, const std::string& cid) {
  Json found;
  const bool replied = chat_->WaitFor(
      [&] {
        for (const Json& message : BotMessages(cid)) {
          if (!HasEnded(message) || message.TextAt("text").find(text) == std::string::npos) {
            continue;
          }
          found = message;
          return true;
        }
        return false;
      },
      kLongEnough);
  MustHold(replied, "no reply with: " + text);
  return found;
}

Json World::StepOf(const HeldCall& held) const {
  const auto message = chat_->world().Message(held.message);
  const Json* steps = message ? message->Find("attachments") : nullptr;
  if (steps == nullptr) return {};
  for (const Json& step : steps->array()) {
    if (step.TextAt("id") == held.call) return step;
  }
  return {};
}

std::string World::WaitForOutcome(const HeldCall& held) {
  MustHold(chat_->WaitFor([&] { return !StepOf(held).TextAt("outcome").empty(); }, kLongEnough),
           "the call has no outcome");
  return StepOf(held).TextAt("outcome");
}

bool World::IsHeld(const HeldCall& held) const {
  const ApiReply reply = api().Get(Backend(), "/v1/approvals/" + held.request);
  return reply.json().TextAt("status") == "pending";
}

Caller World::As(const std::string& user) const {
  return WithToken(kAcmeKey, kAcmeSecret, Json::MakeObject({{"user_id", user}}));
}

Caller World::Backend() const {
  return WithToken(kAcmeKey, kAcmeSecret, Json::MakeObject({{"server", true}}));
}

Caller World::Anonymous() const {
  return {{{"X-Api-Key", kAcmeKey}, {"Stream-Auth-Type", "anonymous"}}};
}

Caller World::AsInBeta(const std::string& user) const {
  return WithToken(kBetaKey, kBetaSecret, Json::MakeObject({{"user_id", user}}));
}

Caller World::BetaBackend() const {
  return WithToken(kBetaKey, kBetaSecret, Json::MakeObject({{"server", true}}));
}

ApiReply World::Answer(const Caller& caller, const HeldCall& held, bool allowed,
                       const Json& more) const {
  Json body = Json::MakeObject(
      {{"tool_call_id", held.call}, {"request_id", held.request}, {"allowed", allowed}});
  for (const auto& [key, value] : more.object()) body.Set(key, value);
  return PostAnswer(caller, held.cid, body);
}

ApiReply World::PostAnswer(const Caller& caller, const std::string& cid, const Json& body) const {
  return api().Post(caller, "/v1/agents/conversations/" + cid + "/tool_approvals", body);
}

ApiHeaders World::SignedHeaders(const std::string& body) const {
  return {{"Content-Type", "application/json"},
          {"X-Api-Key", kAcmeKey},
          {"X-Webhook-Id", "hook-1"},
          {"X-Webhook-Attempt", "1"},
          {"X-Signature", router::HmacSha256Hex(kAcmeSecret, body)}};
}

ApiReply World::Hook(const std::string& body, const ApiHeaders& headers) const {
  return Send(program_->port(), "POST", "/v1/hooks/acme", headers, body);
}

}  // namespace writ::tests
