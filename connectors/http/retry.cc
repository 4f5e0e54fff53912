#include "connectors/http/retry.h"

#include <algorithm>
#include <string>

#include "connectors/http/ascii.h"
#include "connectors/http/http_date.h"

namespace writ::connectors {
namespace {

using std::chrono::milliseconds;

// `digits` times `unit`, at most `cap`; nullopt where it is no plain decimal number.
std::optional<milliseconds> ParseWhole(std::string_view digits, milliseconds unit,
                                       milliseconds cap) {
  if (digits.empty() || digits.find_first_not_of("0123456789") != std::string_view::npos) {
    return std::nullopt;
  }
  const std::int64_t most = cap / unit + 1;
  std::int64_t count = 0;
  for (const char digit : digits) {
    count = std::min(count * 10 + (digit - '0'), most);  // any number of digits, no overflow
  }
  return std::min(count * unit, cap);
}

}  // namespace

std::optional<milliseconds> ParseRetryAfter(std::string_view value, router::TimePoint now,
                                            milliseconds cap) {
  value = WithoutBlanks(value);
  if (const auto wait = ParseWhole(value, std::chrono::seconds(1), cap)) return wait;
  const auto date = ParseHttpDate(value, now);
  if (!date) return std::nullopt;
  if (*date <= now) return milliseconds(0);
  // Up to the next millisecond: to come back too early is to be refused again.
  return std::min(std::chrono::ceil<milliseconds>(*date - now), cap);
}

std::optional<milliseconds> RetryAfterOf(const router::HttpResponse& response,
                                         router::TimePoint now, milliseconds cap) {
  if (const std::string* ms = response.Header("retry-after-ms")) {
    if (const auto wait = ParseWhole(WithoutBlanks(*ms), milliseconds(1), cap)) return wait;
  }
  const std::string* value = response.Header("retry-after");
  if (value == nullptr) return std::nullopt;
  return ParseRetryAfter(*value, now, cap);
}

milliseconds BackoffDelay(const BackoffRange& range, int attempt, std::uint64_t random) {
  milliseconds wait = std::min(range.first, range.longest);
  for (int i = 0; i < attempt && wait < range.longest; ++i) {
    wait = wait > range.longest / 2 ? range.longest : wait * 2;
  }
  const std::int64_t most_off = wait.count() * std::clamp(range.jitter_percent, 0, 100) / 100;
  const auto off = static_cast<std::int64_t>(random % (static_cast<std::uint64_t>(most_off) + 1));
  return wait - milliseconds(off);
}

}  // namespace writ::connectors
