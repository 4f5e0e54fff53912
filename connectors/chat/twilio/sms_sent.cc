#include "connectors/chat/twilio/sms_sent.h"

#include <chrono>

#include "connectors/http/http_date.h"
#include "router/base/json.h"

namespace writ::connectors {

using router::Json;
using router::TimePoint;

namespace {

// Twilio's times are whole seconds, by its own clock.
constexpr std::chrono::seconds kClocksDiffer{5};
// What an account that is on trial puts before each text.
constexpr std::string_view kTrial = "Sent from your Twilio trial account - ";

// RFC 2822 in UTC: `Fri, 24 May 2019 17:18:27 +0000`.
std::optional<TimePoint> TimeOf(std::string text) {
  constexpr std::string_view kUtc = "+0000";
  if (text.ends_with(kUtc)) text.replace(text.size() - kUtc.size(), kUtc.size(), "GMT");
  return ParseHttpDate(text, {});
}

bool WasSentSince(const Json& message, std::string_view number, TimePoint since) {
  if (!message.IsObject() || message.TextAt("to") != number) return false;
  if (!message.TextAt("direction").starts_with("outbound")) return false;
  // Not `date_sent`: that one is null while the message waits in Twilio's queue.
  const auto taken = TimeOf(message.TextAt("date_created"));
  return taken && *taken + kClocksDiffer >= since;
}

std::string BodyOf(const Json& message) {
  std::string body = message.TextAt("body");
  if (body.starts_with(kTrial)) body.erase(0, kTrial.size());
  return body;
}

}  // namespace

std::optional<std::vector<std::string>> BodiesSentSince(std::string_view page,
                                                        std::string_view number, TimePoint since) {
  const std::optional<Json> parsed = router::ParseJson(page).value;
  const Json* messages = parsed && parsed->IsObject() ? parsed->Find("messages") : nullptr;
  if (messages == nullptr || !messages->IsArray()) return std::nullopt;
  std::vector<std::string> bodies;
  bodies.reserve(messages->array().size());
  for (const Json& message : messages->array()) {
    if (WasSentSince(message, number, since)) bodies.push_back(BodyOf(message));
  }
  return bodies;
}

}  // namespace writ::connectors
