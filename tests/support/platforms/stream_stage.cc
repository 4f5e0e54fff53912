#include "tests/support/platforms/stream_stage.h"

namespace writ::tests {

using router::Json;

namespace {

bot::ChatFault FaultOf(PlatformStage::Trouble trouble) {
  switch (trouble) {
    case PlatformStage::Trouble::kRateLimited:
      return {.status = 429, .retry_after = "1"};
    case PlatformStage::Trouble::kError:
      return {.status = 500};
    case PlatformStage::Trouble::kLostAnswer:
      return {.kind = bot::ChatFault::Kind::kDoThenClose};
  }
  return {};
}

}  // namespace

std::string StreamStage::UserOf(const std::string& person) const {
  if (person == "anya") return "anya-1";
  return person == "ben" ? "ben-2" : "cleo-3";
}

std::string StreamStage::Say(const std::string& person, const std::string& text, bool tells) {
  bot::Webhooks& webhooks = world_->chat().webhooks();
  if (!tells) webhooks.SetUrls({});
  std::string id = world_->Say(UserOf(person), text);
  if (!tells) webhooks.SetUrls({HookUrl()});
  WaitUntilTold();
  return id;
}

// Two that are told at once arrive in any order, which is not what a stage's callers mean.
void StreamStage::WaitUntilTold() const {
  EXPECT_TRUE(Eventually([&] { return world_->chat().webhooks().IsIdle(); }));
}

ApiReply StreamStage::TellAgain(const std::string& message) {
  world_->chat().Redeliver(message, HookUrl());
  ApiReply unseen;  // its answer is the chat's alone to see
  unseen.status = 200;
  return unseen;
}

std::string StreamStage::HookUrl() const {
  return "http://127.0.0.1:" + std::to_string(world_->program().port()) + "/v1/hooks/acme";
}

void StreamStage::Edit(const std::string& person, const std::string& message,
                       const std::string& text) {
  world_->chat().Edit(message, UserOf(person), text);
  WaitUntilTold();
}

void StreamStage::Delete(const std::string& person, const std::string& message) {
  world_->chat().Delete(message, UserOf(person));
  WaitUntilTold();
}

void StreamStage::Leave(const std::string& person) {
  world_->chat().world().RemoveMember(kTeam, UserOf(person));
}

std::vector<std::string> StreamStage::BotTexts(const std::string& /*person*/) const {
  std::vector<std::string> texts;
  for (const Json& message : world_->BotMessages()) {
    std::string text = message.TextAt("text");
    if (const Json* steps = message.Find("attachments")) {
      for (const Json& step : steps->array()) text += '\n' + step.TextAt("summary");
    }
    texts.push_back(std::move(text));
  }
  return texts;
}

bool StreamStage::IsAsked(const std::string& /*person*/, const Json& approval) {
  for (const HeldCall& held : world_->HeldCalls()) {
    if (held.request == approval.TextAt("approval_id")) return true;
  }
  return false;
}

void StreamStage::Answer(const std::string& person, const Json& approval, bool allowed) {
  const HeldCall held{kTeam, "", approval.TextAt("call_id"), approval.TextAt("approval_id"), {}};
  const ApiReply reply = world_->Answer(world_->As(UserOf(person)), held, allowed);
  if (reply.status != 204) ++refused_[person];
}

std::size_t StreamStage::ToldPrivately(const std::string& person) const {
  const auto found = refused_.find(person);
  return found == refused_.end() ? 0 : found->second;
}

void StreamStage::TroublePosts(Trouble trouble, int times) {
  world_->chat().faults().Order(bot::ChatEndpoint::kSendMessage, FaultOf(trouble),
                                static_cast<std::size_t>(times));
}

void StreamStage::TroubleMembers(Trouble trouble) {
  world_->chat().faults().Order(bot::ChatEndpoint::kQueryMembers, FaultOf(trouble), 1000);
}

void StreamStage::Calm() { world_->chat().faults().Clear(); }

}  // namespace writ::tests
