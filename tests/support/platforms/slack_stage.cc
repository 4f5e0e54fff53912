#include "tests/support/platforms/slack_stage.h"

#include <algorithm>

namespace writ::tests {

using router::Json;

namespace {

std::string TextOf(const Json& object) {
  const Json* text = object.Find("text");
  if (text == nullptr) return "";
  return text->IsString() ? text->string() : text->TextAt("text");
}

SlackEmulator::Fault FaultOf(PlatformStage::Trouble trouble) {
  switch (trouble) {
    case PlatformStage::Trouble::kRateLimited:
      return {.status = 429, .error = "ratelimited", .retry_after = "1"};
    case PlatformStage::Trouble::kError:
      return {.status = 500};
    case PlatformStage::Trouble::kLostAnswer:
      return {.status = 500, .happens_all_the_same = true};
  }
  return {};
}

}  // namespace

std::string WordsOf(const Json& message) {
  std::string words;
  const Json* blocks = message.Find("blocks");
  if (blocks == nullptr || blocks->array().empty()) return message.TextAt("text");
  for (const Json& block : blocks->array()) {
    words += TextOf(block) + '\n';
    const Json* elements = block.Find("elements");
    if (elements == nullptr) continue;
    for (const Json& element : elements->array()) words += TextOf(element) + '\n';
  }
  return words;
}

std::vector<std::string> ButtonsOf(const Json& message, const Json& approval) {
  std::vector<std::string> buttons;
  const Json* blocks = message.Find("blocks");
  if (blocks == nullptr) return buttons;
  for (const Json& block : blocks->array()) {
    if (block.TextAt("type") != "actions") continue;
    for (const Json& element : block.Find("elements")->array()) {
      const Json value = router::ParseJson(element.TextAt("value")).value.value_or(Json());
      if (value.TextAt("request_id") == approval.TextAt("approval_id") &&
          value.TextAt("tool_call_id") == approval.TextAt("call_id")) {
        buttons.push_back(element.TextAt("action_id"));
      }
    }
  }
  return buttons;
}

SlackStage::SlackStage() {
  for (const char* person : {"anya", "ben", "cleo"}) slack_.AddUser({.id = IdOf(person)});
  slack_.AddChannel(kChannel, {IdOf("anya"), IdOf("ben")});
  thread_ =
      slack_.Write(IdOf("ben"), kChannel, "Shifts of this week", "", Json::MakeObject(), false);
}

std::string SlackStage::IdOf(const std::string& person) {
  if (person == "anya") return "U0ANYA0001";
  return person == "ben" ? "U0BEN00002" : "U0CLEO0003";
}

void SlackStage::Configure(Json& app) const {
  app.Set("platform", slack_.PlatformConfig());
  Json& agent = app.Find("agents")->array().front();
  Json channels = Json::MakeArray();
  channels.Push("*");
  agent.Set("chat_channels", std::move(channels));
}

void SlackStage::Listens(int port) { slack_.SetHook(port, "/v1/hooks/acme"); }

std::string SlackStage::UserOf(const std::string& person) const {
  return std::string(SlackEmulator::kTeam) + '.' + IdOf(person);
}

std::string SlackStage::CidOf(const std::string& /*person*/) const {
  return std::string("slack:") + SlackEmulator::kTeam + '.' + kChannel + '.' + thread_;
}

std::string SlackStage::Say(const std::string& person, const std::string& text, bool tells) {
  return slack_.Write(IdOf(person), kChannel, text, thread_, Json::MakeObject(), tells);
}

ApiReply SlackStage::TellAgain(const std::string& message) {
  return slack_.Deliver(slack_.Envelope(slack_.MessageEvent(kChannel, message)));
}

void SlackStage::Edit(const std::string& person, const std::string& message,
                      const std::string& text) {
  slack_.EditMessage(IdOf(person), kChannel, message, text);
}

void SlackStage::Delete(const std::string& /*person*/, const std::string& message) {
  slack_.DeleteMessage(kChannel, message);
}

void SlackStage::Leave(const std::string& person) { slack_.Leave(kChannel, IdOf(person)); }

std::vector<std::string> SlackStage::BotTexts(const std::string& /*person*/) const {
  std::vector<std::string> texts;
  for (const Json& message : slack_.BotMessages(kChannel)) {
    if (message.TextAt("thread_ts") == thread_) texts.push_back(WordsOf(message));
  }
  return texts;
}

Json SlackStage::MessageOf(const Json& approval) const {
  for (const Json& message : slack_.BotMessages(kChannel)) {
    if (!ButtonsOf(message, approval).empty()) return message;
  }
  return {};
}

bool SlackStage::IsAsked(const std::string& /*person*/, const Json& approval) {
  Json message = MessageOf(approval);
  if (!message.IsObject()) return false;
  seen_[approval.TextAt("approval_id")] = std::move(message);
  return true;
}

void SlackStage::Answer(const std::string& person, const Json& approval, bool allowed) {
  const std::string id = approval.TextAt("approval_id");
  if (!IsAsked(person, approval) && !seen_.contains(id)) return;
  const ApiReply reply =
      slack_.Press(IdOf(person), seen_.at(id), allowed ? "writ_approve" : "writ_deny", id);
  EXPECT_EQ(reply.status, 200);
}

std::size_t SlackStage::ToldPrivately(const std::string& person) const {
  const auto whispers = slack_.Whispers();
  return static_cast<std::size_t>(
      std::ranges::count(whispers, IdOf(person), &SlackEmulator::Whisper::user));
}

void SlackStage::TroublePosts(Trouble trouble, int times) {
  slack_.Order("chat.postMessage", FaultOf(trouble), times);
}

void SlackStage::TroubleMembers(Trouble trouble) {
  slack_.Order("conversations.members", FaultOf(trouble));
}

void SlackStage::Calm() { slack_.Clear(); }

}  // namespace writ::tests
