// Slack's deliveries: events as JSON, presses and forms as a form, with signature and timestamp.
#include <chrono>
#include <string>
#include <variant>

#include "connectors/chat/slack/intake.h"
#include "connectors/chat/slack/slack_reply.h"
#include "router/base/digest.h"
#include "router/base/text.h"
#include "tests/fuzz/pieces.h"
#include "tests/fuzz/target.h"

namespace writ::fuzz {
namespace {

using connectors::SlackIntake;
using connectors::SlackRefusal;
using router::ChannelEvent;

constexpr std::string_view kSecret = "8f742231b10e8888abcd99yyyzzz85a5";
constexpr std::int64_t kNowSeconds = 1795944600;
constexpr router::TimePoint kNow{std::chrono::seconds{kNowSeconds}};
const router::AppId kAcme("acme");

std::string Sign(std::string_view timestamp, std::string_view body) {
  std::string base = "v0:";
  base.append(timestamp).append(":").append(body);
  return "v0=" + router::HmacSha256Hex(kSecret, base);
}

SlackIntake Take(std::string_view body, std::string_view signature, std::string_view timestamp) {
  return connectors::ReadSlackDelivery(kAcme, kSecret, {body, signature, timestamp}, kNow);
}

bool IsBadSignature(const SlackIntake& intake) {
  const auto* refusal = std::get_if<SlackRefusal>(&intake);
  return refusal != nullptr && *refusal == SlackRefusal::kBadSignature;
}

void CheckEvent(const ChannelEvent& event) {
  Require(event.app == kAcme, "an event is of the app whose webhook it came by");
  Require(event.cid.text().starts_with("slack:"), "a cid of Slack's says so");
  Require(!event.message.empty(), "an event names its message");
  Require(router::IsUtf8(event.text), "text is UTF-8");
  if (event.kind == ChannelEvent::Kind::kMessageNew) {
    Require(!event.author.empty(), "a message has an author");
    Require(!router::Trim(event.text).empty(), "a message without words is nobody's to answer");
  }
}

void TakeSigned(std::string_view body) {
  const std::string timestamp = std::to_string(kNowSeconds);
  std::string signature = Sign(timestamp, body);
  const SlackIntake intake = Take(body, signature, timestamp);
  Require(!IsBadSignature(intake), "what Slack signed is taken");
  if (const auto* event = std::get_if<ChannelEvent>(&intake)) CheckEvent(*event);

  signature.back() = signature.back() == '0' ? '1' : '0';
  Require(IsBadSignature(Take(body, signature, timestamp)), "another signature is none");
  Require(IsBadSignature(Take(body, "", timestamp)), "no signature is none");
  const std::string stale = std::to_string(kNowSeconds - 301);
  Require(IsBadSignature(Take(body, Sign(stale, body), stale)), "an old signature is none");
}

// A timestamp from outside, signed as it is: what is taken is a number near to now.
void TakeTimestamp(std::string_view timestamp) {
  if (IsBadSignature(Take("{}", Sign(timestamp, "{}"), timestamp))) return;
  Require(!timestamp.empty() && timestamp.find_first_not_of("0123456789") == std::string::npos,
          "a timestamp is digits");
  const std::int64_t apart = std::stoll(std::string(timestamp)) - kNowSeconds;
  Require(apart >= -300 && apart <= 300, "a timestamp is within five minutes of now");
}

void Fuzz(std::string_view input) {
  TakeSigned(input);
  TakeTimestamp(input);
  Require(IsBadSignature(Take("{}", input, std::to_string(kNowSeconds))),
          "a signature can't be guessed");
  // The same bytes as an answer of Slack's API.
  const auto reply =
      connectors::ReadSlackReply(router::HttpResponse{200, {}, std::string(input)}, kNow);
  Require(reply.failure || reply.body.BoolAt("ok") == true, "only `ok` is a success");
}

}  // namespace
}  // namespace writ::fuzz

WRIT_FUZZ_TARGET(slack_webhook, writ::fuzz::Fuzz)
