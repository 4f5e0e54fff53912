// Twilio's deliveries: the form, its signature and the address that it is over.
#include <chrono>
#include <optional>
#include <string>
#include <string_view>
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

constexpr std::string_view kShared = "shared-secret";
constexpr std::string_view kSharedKey = "key=WK1,algorithm=HMAC_SHA256";

SmsIntake Take(std::string_view body, std::string_view signature, const std::string& url = kUrl,
               const std::optional<std::string_view>& settings = std::nullopt) {
  const connectors::TwilioKeys keys{std::string(kToken),
                                    {{"WK1", std::string(kShared)}, {"WK2", ""}}};
  return connectors::ReadTwilioDelivery(router::AppId("acme"), keys,
                                        {url, body, signature, settings}, kNow);
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

// Signed with a key that both share: by that key alone, and never with the account's token.
void TakeShared(std::string_view body, const connectors::FormFields& fields) {
  const std::string by_key = connectors::TwilioSharedSignature(kShared, kUrl, fields);
  const auto is_bad = [&](std::string_view signature, std::string_view settings) {
    return IsBadSignature(Take(body, signature, kUrl, settings));
  };
  Require(!is_bad(by_key, kSharedKey), "what is signed with a shared key is taken");
  Require(IsBadSignature(Take(body, by_key)), "a shared key's signature says so");
  Require(is_bad("", kSharedKey), "no signature is none");
  Require(is_bad(by_key, "key=WK3,algorithm=HMAC_SHA256"), "a key that is not ours signs nothing");
  Require(
      is_bad(connectors::TwilioSharedSignature("", kUrl, fields), "key=WK2,algorithm=HMAC_SHA256"),
      "an empty key signs nothing");
  Require(is_bad(connectors::TwilioSignature(kToken, kUrl, fields), kSharedKey),
          "the account's token is no shared key");
}

// The header that names the key is anybody's, too.
void TakeSettings(std::string_view settings) {
  constexpr std::string_view kBody = "From=%2B15005550006&MessageSid=SM1&Body=hi";
  const auto fields = connectors::ParseForm(kBody);
  const std::string by_key = connectors::TwilioSharedSignature(kShared, kUrl, *fields);
  const bool names_it = settings.find("WK1") != std::string_view::npos &&
                        settings.find("HMAC_SHA256") != std::string_view::npos;
  Require(names_it || IsBadSignature(Take(kBody, by_key, kUrl, settings)),
          "the header names the key and its algorithm");
  Require(IsBadSignature(
              Take(kBody, connectors::TwilioSignature(kToken, kUrl, *fields), kUrl, settings)),
          "with that header the account's token signs nothing");
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
    TakeShared(input, *fields);
  }
  TakeSettings(input);
  Require(IsBadSignature(Take("From=%2B1&MessageSid=SM1", input)), "a signature can't be guessed");
  Split(input);
}

}  // namespace
}  // namespace writ::fuzz

WRIT_FUZZ_TARGET(twilio_webhook, writ::fuzz::Fuzz)
