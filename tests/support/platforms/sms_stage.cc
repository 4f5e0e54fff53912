#include "tests/support/platforms/sms_stage.h"

#include <algorithm>
#include <string_view>

namespace writ::tests {

using router::Json;

namespace {

constexpr std::string_view kReply = "Reply APPROVE ";
constexpr std::size_t kDigits = 6;

bool Begins(const std::string& text, std::initializer_list<std::string_view> beginnings) {
  return std::ranges::any_of(beginnings,
                             [&](std::string_view one) { return text.starts_with(one); });
}

// What only whoever answered is told, of an answer that was not taken.
bool IsRefusal(const std::string& text) {
  return Begins(text, {"Nothing waits", "Nothing here waits", "This was ", "Nobody answered",
                       "Too many wrong", "To answer, reply", "I could not check", "Only "});
}

bool IsThanks(const std::string& text) { return Begins(text, {"Allowed: ", "Declined: "}); }

std::string ArgumentsOf(const Json& approval) {
  const Json* arguments = approval.Find("arguments");
  return arguments == nullptr ? "" : arguments->TextAt("message");
}

}  // namespace

std::string SmsStage::NumberOf(const std::string& person) {
  if (person == "anya") return "+12025550143";
  return person == "ben" ? "+12025550144" : "+12025550145";
}

void SmsStage::Configure(Json& app) const {
  app.Set("platform", twilio_.PlatformConfig());
  app.Find("platform")
      ->Set("hook_url", std::string(TwilioEmulator::kPublicUrl) + TwilioEmulator::kPath);
  Json channels = Json::MakeArray();
  channels.Push("*");
  app.Find("agents")->array().front().Set("chat_channels", std::move(channels));
}

std::string SmsStage::UserOf(const std::string& person) const { return "sms:" + NumberOf(person); }
std::string SmsStage::CidOf(const std::string& person) const { return UserOf(person); }

std::string SmsStage::Say(const std::string& person, const std::string& text, bool tells) {
  return twilio_.Write(NumberOf(person), text, tells);
}

ApiReply SmsStage::TellAgain(const std::string& message) {
  return twilio_.Deliver(twilio_.BodyOf(message));
}

std::vector<std::string> SmsStage::BotTexts(const std::string& person) const {
  std::vector<std::string> texts;
  bool is_open = false;  // the last one asks
  for (const auto& sms : twilio_.SentTo(NumberOf(person))) {
    if (IsRefusal(sms.text) || IsThanks(sms.text)) continue;
    const bool asks = sms.text.find(kReply) != std::string::npos;
    if (is_open && !asks) {
      texts.back() += '\n' + sms.text;
      is_open = false;
    } else {
      texts.push_back(sms.text);
      is_open = asks;
    }
  }
  return texts;
}

std::string SmsStage::CodeOf(const Json& approval) const {
  std::string number = approval.TextAt("asked");
  if (number.starts_with("sms:")) number.erase(0, 4);
  for (const auto& sms : twilio_.SentTo(number)) {
    const std::size_t at = sms.text.find(kReply);
    if (at == std::string::npos || sms.text.find(ArgumentsOf(approval)) == std::string::npos) {
      continue;
    }
    return sms.text.substr(at + kReply.size(), kDigits);
  }
  return "";
}

bool SmsStage::IsAsked(const std::string& /*person*/, const Json& approval) {
  if (CodeOf(approval).empty()) return false;
  // What was sent stands; whether the code is good for anything is the program's to say.
  return world_ == nullptr ||
         world_->api()
                 .Get(world_->Backend(), "/v1/approvals/" + approval.TextAt("approval_id"))
                 .json()
                 .TextAt("status") == "pending";
}

void SmsStage::Answer(const std::string& person, const Json& approval, bool allowed) {
  twilio_.Write(NumberOf(person), (allowed ? "Approve " : "deny ") + CodeOf(approval));
  twilio_.WaitUntilTold();
}

std::size_t SmsStage::ToldPrivately(const std::string& person) const {
  return static_cast<std::size_t>(std::ranges::count_if(
      twilio_.SentTo(NumberOf(person)), [](const auto& sms) { return IsRefusal(sms.text); }));
}

void SmsStage::TroublePosts(Trouble trouble, int times) {
  TwilioEmulator::Fault fault;
  switch (trouble) {
    case Trouble::kRateLimited:
      fault = {.status = 429, .code = 20429, .retry_after = "1"};
      break;
    case Trouble::kError:
      break;
    case Trouble::kLostAnswer:
      fault.happens_all_the_same = true;
      break;
  }
  twilio_.Order(NumberOf("anya"), fault, times);
}

}  // namespace writ::tests
