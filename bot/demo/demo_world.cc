#include "bot/demo/demo_world.h"

#include <chrono>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "bot/demo/cast.h"
#include "bot/demo/demo_config.h"
#include "router/base/id_source.h"

namespace writ::bot {
namespace {

using router::Json;

constexpr std::chrono::hours kTokenLife{24};

// New with each run: a token of an old page is worth nothing.
ChatServerOptions ChatOptions(const router::Clock& clock) {
  router::RandomIdSource ids(clock);
  ChatServerOptions options;
  options.keys = {"demo-key", ids.Next("") + ids.Next("")};
  return options;
}

std::int64_t UnixSeconds(router::TimePoint time) {
  return std::chrono::duration_cast<std::chrono::seconds>(time.time_since_epoch()).count();
}

void SetUp(ChatWorld& world) {
  std::vector<std::string> members{kDemoAgent.id};
  world.AddUser(kDemoAgent.id, kDemoAgent.name);
  for (const DemoPerson& person : kDemoPeople) {
    world.AddUser(person.id, person.name);
    members.emplace_back(person.id);
  }
  world.AddChannel(std::string(kDemoCid), members);
}

}  // namespace

DemoWorld::DemoWorld(const connectors::CurlEnvironment& curl, const router::Clock& clock,
                     router::Log& log)
    : clock_(clock),
      http_(curl),
      chat_(ChatOptions(clock), http_, clock, log),
      crm_(clock, log),
      places_{chat_.keys(), chat_.url(), crm_.url(), folder_.path()},
      node_(WriteDemoConfig(places_)) {
  SetUp(chat_.world());
  node_.Start();
  api_.emplace(http_, "http://127.0.0.1:" + std::to_string(node_.port()));
  chat_.webhooks().SetUrls({api_->url() + "/v1/hooks/" + std::string(kDemoApp)});
}

void DemoWorld::KillNode() {
  const std::lock_guard lock(mutex_);
  killed_ = true;
  node_.Kill();
}

void DemoWorld::StartNode() {
  const std::lock_guard lock(mutex_);
  node_.Start();
  killed_ = false;
}

void DemoWorld::SetApprovalWait(std::chrono::seconds wait) {
  const std::lock_guard lock(mutex_);
  if (places_.approval_wait == wait) return;
  places_.approval_wait = wait;
  node_.Stop();
  (void)WriteDemoConfig(places_);
  node_.Start();
  killed_ = false;
}

std::chrono::seconds DemoWorld::approval_wait() const {
  const std::lock_guard lock(mutex_);
  return places_.approval_wait;
}

void DemoWorld::SetMember(const std::string& user_id, bool is_member) {
  const std::lock_guard lock(mutex_);
  const std::string cid(kDemoCid);
  if (is_member) {
    chat_.world().AddMember(cid, user_id);
    away_.erase(user_id);
  } else {
    chat_.world().RemoveMember(cid, user_id);
    away_.insert(user_id);
  }
}

bool DemoWorld::IsMember(const std::string& user_id) const {
  const std::lock_guard lock(mutex_);
  return !away_.contains(user_id);
}

void DemoWorld::Drain() {
  const std::lock_guard lock(mutex_);
  node_.Stop();
}

std::string DemoWorld::Sign(Json claims) const {
  const router::TimePoint now = clock_.Now();
  claims.Set("iat", UnixSeconds(now));
  claims.Set("exp", UnixSeconds(now + kTokenLife));
  return MakeToken(claims, chat_.keys().api_secret);
}

std::string DemoWorld::TokenOf(const std::string& user_id) const {
  return Sign(Json::MakeObject({{"user_id", user_id}}));
}

std::string DemoWorld::OperatorToken() const {
  return Sign(Json::MakeObject({{"writ", "operator"}}));
}

std::string DemoWorld::AnswersTarget() {
  return "/v1/agents/conversations/" + std::string(kDemoCid) + "/tool_approvals";
}

WritAnswer DemoWorld::AnswerAs(const std::string& user_id, const Json& step, bool allowed) {
  const Json body = Json::MakeObject({{"tool_call_id", step.TextAt("id")},
                                      {"request_id", step.TextAt("request_id")},
                                      {"allowed", allowed}});
  return api_->Post(AnswersTarget(),
                    {{"content-type", "application/json"},
                     {"x-api-key", chat_.keys().api_key},
                     {"authorization", TokenOf(user_id)}},
                    body.Dump());
}

}  // namespace writ::bot
