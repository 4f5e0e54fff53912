// Webhooks of Stream: the body, packed or not, and X-Signature.
#include <algorithm>
#include <chrono>
#include <string>
#include <variant>

#include "connectors/chat/stream/intake.h"
#include "connectors/http/inflate.h"
#include "router/base/digest.h"
#include "router/base/text.h"
#include "tests/fuzz/target.h"

namespace writ::fuzz {
namespace {

using connectors::StreamIntake;
using connectors::StreamRefusal;
using router::ChannelEvent;

constexpr router::TimePoint kNow{std::chrono::seconds{1795944600}};
const connectors::StreamIdentity kAcme{
    router::AppId("acme"), {"old-secret", "", "s3cret"}, {router::UserId("helper-bot")}};

StreamIntake Take(std::string_view body, std::string_view signature) {
  return connectors::VerifyAndParse(kAcme, {body, signature, "hook-1"}, kNow);
}

bool IsRefusedAs(const StreamIntake& intake, StreamRefusal why) {
  const auto* refusal = std::get_if<StreamRefusal>(&intake);
  return refusal != nullptr && *refusal == why;
}

void CheckEvent(const ChannelEvent& event) {
  Require(event.app == kAcme.app, "an event is of the app whose webhook it came by");
  Require(event.cid.text().find(':') != std::string::npos, "a cid has a type");
  Require(router::IsUtf8(event.text) && router::IsUtf8(event.author_name), "text is UTF-8");
  const bool is_stop = event.kind == ChannelEvent::Kind::kStopAsked;
  Require(is_stop || !event.message.empty(), "an event of a message names it");
  if (event.kind == ChannelEvent::Kind::kMessageNew) {
    Require(!event.author.empty(), "a message has an author");
    Require(event.author != kAcme.agent_users.front() || !event.ignored_because.empty(),
            "nobody answers the bot's own message");
  }
}

// The whole input is a body that Stream signed.
void TakeSigned(std::string_view body) {
  std::string plain(body);
  if (connectors::IsGzip(body)) {
    auto inflated = connectors::Inflate(body, std::size_t{8} << 20);
    if (!std::holds_alternative<std::string>(inflated)) {
      const auto refused = Take(body, router::HmacSha256Hex("s3cret", body));
      Require(std::holds_alternative<StreamRefusal>(refused), "what can't be unpacked is refused");
      return;
    }
    plain = std::get<std::string>(std::move(inflated));
  }
  std::string signature = router::HmacSha256Hex("s3cret", plain);
  const StreamIntake intake = Take(body, signature);
  Require(!IsRefusedAs(intake, StreamRefusal::kBadSignature), "what Stream signed is taken");
  if (const auto* event = std::get_if<ChannelEvent>(&intake)) CheckEvent(*event);
  Require(intake.index() == Take(connectors::Gzip(plain), signature).index(),
          "packed or not, it says the same");

  signature.back() = signature.back() == '0' ? '1' : '0';
  Require(IsRefusedAs(Take(body, signature), StreamRefusal::kBadSignature),
          "another signature is none");
  Require(IsRefusedAs(Take(body, ""), StreamRefusal::kBadSignature), "no signature is none");
  Require(IsRefusedAs(Take(body, router::HmacSha256Hex("", plain)), StreamRefusal::kBadSignature),
          "an empty secret signs nothing");
}

void Fuzz(std::string_view input) {
  TakeSigned(input);
  // The input as a signature: nobody can write one without the secret.
  Require(IsRefusedAs(Take(R"({"type":"message.new"})", input), StreamRefusal::kBadSignature),
          "a signature can't be guessed");
}

}  // namespace
}  // namespace writ::fuzz

WRIT_FUZZ_TARGET(stream_webhook, writ::fuzz::Fuzz)
