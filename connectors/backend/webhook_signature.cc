#include "connectors/backend/webhook_signature.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <utility>

#include "router/base/base64.h"
#include "router/base/digest.h"

namespace writ::connectors {
namespace {

constexpr std::string_view kSecretPrefix = "whsec_";
constexpr std::chrono::minutes kTolerance{5};

std::string SignatureOf(std::string_view key, std::string_view id, std::string_view timestamp,
                        std::string_view body) {
  std::string content;
  content.reserve(id.size() + timestamp.size() + body.size() + 2);
  content.append(id).append(".").append(timestamp).append(".").append(body);
  return "v1," + router::Base64Encode(router::HmacSha256(key, content));
}

std::optional<router::TimePoint> SecondOf(std::string_view text) {
  std::int64_t seconds = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  // What the calendar can't hold is no time either.
  constexpr std::int64_t kLast = 253402300799;  // 9999-12-31T23:59:59Z
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  if (seconds < 0 || seconds > kLast) return std::nullopt;
  return router::TimePoint(std::chrono::seconds(seconds));
}

// During a change of secrets a sender signs with both: one that fits is enough.
bool AnyFits(std::string_view signatures, std::string_view expected) {
  bool fits = false;
  while (!signatures.empty()) {
    const std::size_t end = std::min(signatures.find(' '), signatures.size());
    fits = router::EqualInConstantTime(signatures.substr(0, end), expected) || fits;
    signatures.remove_prefix(std::min(end + 1, signatures.size()));
  }
  return fits;
}

}  // namespace

std::optional<std::string> WebhookKeyOf(std::string_view secret) {
  if (!secret.starts_with(kSecretPrefix)) {
    return secret.empty() ? std::nullopt : std::optional(std::string(secret));
  }
  auto key = router::Base64Decode(secret.substr(kSecretPrefix.size()));
  if (key && key->empty()) return std::nullopt;
  return key;
}

router::HttpHeaders WebhookHeaders(std::string_view key, std::string_view id, router::TimePoint now,
                                   std::string_view body) {
  const std::string timestamp =
      std::to_string(std::chrono::floor<std::chrono::seconds>(now).time_since_epoch().count());
  return {{"webhook-id", std::string(id)},
          {"webhook-timestamp", timestamp},
          {"webhook-signature", SignatureOf(key, id, timestamp, body)}};
}

std::optional<std::string> WhyNotSigned(std::string_view key, std::string_view id,
                                        router::TimePoint now,
                                        const router::HttpResponse& response) {
  const std::string* its_id = response.Header("webhook-id");
  const std::string* timestamp = response.Header("webhook-timestamp");
  const std::string* signatures = response.Header("webhook-signature");
  if (its_id == nullptr) return "the answer has no webhook-id";
  if (timestamp == nullptr) return "the answer has no webhook-timestamp";
  if (signatures == nullptr) return "the answer has no webhook-signature";
  if (*its_id != id) return "the answer's webhook-id is not the request's";
  const auto signed_at = SecondOf(*timestamp);
  if (!signed_at) return "the answer's webhook-timestamp is no time in seconds";
  if (*signed_at < now - kTolerance) return "the answer's webhook-timestamp is too old";
  if (*signed_at > now + kTolerance) return "the answer's webhook-timestamp lies in the future";
  if (!AnyFits(*signatures, SignatureOf(key, id, *timestamp, response.body))) {
    return "the answer's signature does not fit";
  }
  return std::nullopt;
}

}  // namespace writ::connectors
