#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>

#include "router/base/http.h"
#include "router/base/time.h"

namespace writ::connectors {

// The wait that a `Retry-After` value asks for: whole seconds or an HTTP date in any of its three
// forms, a date that has passed being no wait. Never more than `cap`, however absurd the value.
// nullopt where it is neither.  source: RFC 9110, sections 5.6.7 and 10.2.3
[[nodiscard]] std::optional<std::chrono::milliseconds> ParseRetryAfter(
    std::string_view value, router::TimePoint now, std::chrono::milliseconds cap);

// The same of a whole reply: `retry-after-ms` (OpenAI's) before `retry-after`.
[[nodiscard]] std::optional<std::chrono::milliseconds> RetryAfterOf(
    const router::HttpResponse& response, router::TimePoint now, std::chrono::milliseconds cap);

struct BackoffRange {
  std::chrono::milliseconds first{500};
  std::chrono::milliseconds longest{8000};
  int jitter_percent = 25;  // up to so much is taken off, so that many do not come back at once
};

// The wait before try `attempt` + 1: first · 2^attempt, at most `longest`, less the jitter.
//
// attempt  how many tries there were before the one that failed: 0 after the first
// random   any evenly spread 64 bits; the same ones give the same wait
[[nodiscard]] std::chrono::milliseconds BackoffDelay(const BackoffRange& range, int attempt,
                                                     std::uint64_t random);

}  // namespace writ::connectors
