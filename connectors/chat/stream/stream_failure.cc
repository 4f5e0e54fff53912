#include "connectors/chat/stream/stream_failure.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string_view>
#include <variant>

#include "connectors/http/retry.h"

namespace writ::connectors {
namespace {

using router::ChatFailure;
using router::HttpFailure;
using router::HttpResponse;
using std::chrono::milliseconds;

constexpr milliseconds kLongestWait{60000};

// Stream's error codes that this file tells apart.
constexpr int kInput = 4;
constexpr int kRateLimit = 9;
constexpr int kDoesNotExist = 16;
constexpr int kNotAllowed = 17;
constexpr int kRequestTimeOut = 23;
constexpr int kCooldown = 60;
constexpr int kInternal = -1;

// The moment at which the limit's window ends, in Unix seconds. It is on every answer, so it means
// a wait on a 429 alone.
std::optional<milliseconds> WaitForReset(const HttpResponse& response, router::TimePoint now) {
  const std::string* reset = response.Header("x-ratelimit-reset");
  if (reset == nullptr) return std::nullopt;
  std::int64_t seconds = 0;
  const char* end = reset->data() + reset->size();
  const auto [rest, fault] = std::from_chars(reset->data(), end, seconds);
  if (fault != std::errc{} || rest != end || seconds < 0) return std::nullopt;
  const auto now_s = std::chrono::floor<std::chrono::seconds>(now).time_since_epoch().count();
  return std::clamp<milliseconds>(
      std::chrono::seconds(std::clamp<std::int64_t>(seconds - now_s, 0, 3600)), milliseconds{0},
      kLongestWait);
}

ChatFailure::Kind KindOf(int status, int code, const router::Json& body) {
  using enum ChatFailure::Kind;
  if (code == kInput && body.TextAt("message").find("already exists") != std::string::npos) {
    return kAlreadyThere;  // the message id is ours: the earlier attempt succeeded
  }
  if (body.BoolAt("unrecoverable").value_or(false)) return kRefused;
  if (status == 404 || code == kDoesNotExist) return kMissing;
  if (status == 408 || status == 429 || status >= 500) return kTransient;
  // A key that is being rotated, a clock that is off, an app that is suspended: an operator's to
  // mend, and nothing must be lost until then. Only "not allowed" (17) is about the post itself.
  if (status == 401 || (status == 403 && code != kNotAllowed)) return kTransient;
  if (code == kRateLimit || code == kRequestTimeOut || code == kInternal || code == kCooldown) {
    return kTransient;
  }
  return kRefused;
}

StreamReply ReadResponse(const HttpResponse& response, router::TimePoint now) {
  StreamReply reply;
  reply.status = response.status;
  const router::JsonParsed parsed = router::ParseJson(response.body);
  const bool is_object = parsed.value && parsed.value->IsObject();
  reply.body = is_object ? *parsed.value : router::Json::MakeObject();
  if (response.status >= 200 && response.status < 300) {
    if (is_object) return reply;
    // Some proxy's page: whether Stream has taken what was sent is not known, and a repeat is safe.
    reply.failure = {ChatFailure::Kind::kTransient,
                     "Stream answered " + std::to_string(reply.status) + " without a JSON object",
                     std::nullopt};
    return reply;
  }
  const std::int64_t code = reply.body.IntAt("code").value_or(0);
  reply.code = code >= -1 && code < 10000 ? static_cast<int>(code) : 0;
  ChatFailure failure;
  failure.kind = KindOf(reply.status, reply.code, reply.body);
  failure.what = "Stream answered " + std::to_string(reply.status);
  if (reply.code != 0) failure.what += " (code " + std::to_string(reply.code) + ")";
  failure.retry_after = RetryAfterOf(response, now, kLongestWait);
  if (!failure.retry_after && response.status == 429) {
    failure.retry_after = WaitForReset(response, now);
  }
  reply.failure = std::move(failure);
  return reply;
}

// All but a reply that is too large may be better next time: a post carries its own id, so that a
// repeat of one that did arrive changes nothing.
StreamReply ReadFailure(const HttpFailure& failure) {
  StreamReply reply;
  reply.failure = {failure.kind == HttpFailure::Kind::kTooLarge ? ChatFailure::Kind::kRefused
                                                                : ChatFailure::Kind::kTransient,
                   "Stream could not be asked: " + failure.what, std::nullopt};
  return reply;
}

}  // namespace

StreamReply ReadReply(const router::HttpOutcome& outcome, router::TimePoint now) {
  if (const auto* response = std::get_if<HttpResponse>(&outcome)) {
    return ReadResponse(*response, now);
  }
  return ReadFailure(std::get<HttpFailure>(outcome));
}

}  // namespace writ::connectors
