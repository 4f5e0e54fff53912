// Twilio's deliveries: the form, its signature and the address that it is over.
#include <chrono>
#include <string>
#include <variant>

#include "connectors/chat/twilio/intake.h"
#include "connectors/chat/twilio/signature.h"
#include "connectors/http/form.h"
#include "router/base/text.h"
#include "tests/fuzz/target.h"

namespace writ::fuzz {
namespace {

using connectors::SmsIntake;
using connectors::TwilioRefusal;
using router::ChannelEvent;

constexpr std::string_view kToken = "12345";
constexpr router::TimePoint kNow{std::chrono::seconds{1795944600}};
constexpr std::size_t kMostFields = 1000;  // more is nobody's form
const std::string kUrl = "https://writ.example.com/webhooks/twilio";

SmsIntake Take(std::string_view body, std::string_view signature, const std::string& url = kUrl) {
  return connectors::ReadTwilioDelivery(router::AppId("acme"), {std::string(kToken), {}},
                                        {url, body, signature}, kNow);
}

bool IsBadSignature(const SmsIntake& intake) {
  const auto* refusal = std::get_if<TwilioRefusal>(&intake);
  return refusal != nullptr && *refusal == TwilioRefusal::kBadSignature;
}

void CheckEvent(const ChannelEvent& event) {
  Require(!connectors::SmsNumberOf(event.author.text()).empty(), "an author is a phone's number");
  Require(event.cid.text() == event.author.text(), "a number is alone in its conversation");
  Require(!event.message.empty(), "an event names its message");
  Require(router::IsUtf8(event.text), "text is UTF-8");
  Require(!router::Trim(event.text).empty(), "a message has words");
}

std::size_t Utf16Units(std::string_view text) {
  std::size_t units = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte & 0xC0U) != 0x80U) units += byte >= 0xF0U ? 2 : 1;
  }
  return units;
}

void Split(std::string_view text) {
  constexpr std::size_t kLongest = 16;
  if (!router::IsUtf8(text)) return;
  for (const std::string& piece : connectors::SmsPiecesOf(text, kLongest)) {
    Require(router::IsUtf8(piece), "no character is cut in two");
    Require(Utf16Units(piece) <= kLongest, "a piece is no longer than a message may be");
  }
}

void Fuzz(std::string_view input) {
  const auto fields = connectors::ParseForm(input);
  if (!fields || fields->size() > kMostFields) {
    Require(IsBadSignature(Take(input, connectors::TwilioSignature(kToken, kUrl, {}))),
            "no form is signed");
  } else {
    const std::string signature = connectors::TwilioSignature(kToken, kUrl, *fields);
    const SmsIntake intake = Take(input, signature);
    Require(!IsBadSignature(intake), "what Twilio signed is taken");
    if (const auto* event = std::get_if<ChannelEvent>(&intake)) CheckEvent(*event);
    Require(IsBadSignature(Take(input, "")), "no signature is none");
    Require(IsBadSignature(Take(input, "A" + signature)), "another signature is none");
    Require(IsBadSignature(Take(input, connectors::TwilioSignature("", kUrl, *fields))),
            "another token's signature is none");
    Require(IsBadSignature(Take(input, signature, "https://evil.example.com/")),
            "another address's signature is none");
  }
  Require(IsBadSignature(Take("From=%2B1&MessageSid=SM1", input)), "a signature can't be guessed");
  Split(input);
}

}  // namespace
}  // namespace writ::fuzz

WRIT_FUZZ_TARGET(twilio_webhook, writ::fuzz::Fuzz)
