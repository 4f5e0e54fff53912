#include "connectors/chat/slack/signature.h"

#include <charconv>
#include <chrono>
#include <cstdint>
#include <string>

#include "router/base/digest.h"

namespace writ::connectors {
namespace {

constexpr std::int64_t kWindowSeconds = 300;
constexpr std::size_t kLongestTimestamp = 12;

bool IsRecent(std::string_view timestamp, router::TimePoint now) {
  if (timestamp.empty() || timestamp.size() > kLongestTimestamp) return false;
  std::int64_t seconds = 0;
  const char* end = timestamp.data() + timestamp.size();
  const auto [rest, fault] = std::from_chars(timestamp.data(), end, seconds);
  if (fault != std::errc{} || rest != end || timestamp.front() == '-') return false;
  const auto now_s = std::chrono::floor<std::chrono::seconds>(now).time_since_epoch().count();
  const std::int64_t apart = seconds > now_s ? seconds - now_s : now_s - seconds;
  return apart <= kWindowSeconds;
}

}  // namespace

bool IsSignedBySlack(std::string_view signing_secret, const SlackDelivery& delivery,
                     router::TimePoint now) {
  if (signing_secret.empty() || !IsRecent(delivery.timestamp, now)) return false;
  std::string base = "v0:";
  base.append(delivery.timestamp).append(":").append(delivery.body);
  return router::EqualInConstantTime("v0=" + router::HmacSha256Hex(signing_secret, base),
                                     delivery.signature);
}

}  // namespace writ::connectors
