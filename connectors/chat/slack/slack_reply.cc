#include "connectors/chat/slack/slack_reply.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <string_view>
#include <variant>

#include "connectors/http/retry.h"

namespace writ::connectors {
namespace {

using router::ChatFailure;
using router::HttpFailure;
using router::HttpResponse;

constexpr std::chrono::milliseconds kLongestWait{60000};
constexpr std::size_t kLongestWord = 64;

ChatFailure::Kind KindOf(std::string_view error) {
  constexpr std::array<std::string_view, 19> kMayPass{"ratelimited",
                                                      "rate_limited",
                                                      "fatal_error",
                                                      "internal_error",
                                                      "request_timeout",
                                                      "service_unavailable",
                                                      "team_added_to_org",
                                                      "accesslimited",
                                                      "external_channel_migrating",
                                                      "not_authed",
                                                      "invalid_auth",
                                                      "account_inactive",
                                                      "token_revoked",
                                                      "token_expired",
                                                      "missing_scope",
                                                      "org_login_required",
                                                      "ekm_access_denied",
                                                      "no_permission",
                                                      "two_factor_setup_required"};
  constexpr std::array<std::string_view, 3> kGone{"channel_not_found", "message_not_found",
                                                  "thread_not_found"};
  if (std::ranges::find(kMayPass, error) != kMayPass.end()) return ChatFailure::Kind::kTransient;
  if (std::ranges::find(kGone, error) != kGone.end()) return ChatFailure::Kind::kMissing;
  return ChatFailure::Kind::kRefused;
}

// The word alone goes into a log: anything longer or odd may repeat what was sent.
std::string WordOf(const router::Json& body) {
  std::string word = body.TextAt("error");
  const bool is_word = word.size() <= kLongestWord && std::ranges::all_of(word, [](char c) {
                         return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
                       });
  return is_word ? word : "an error that is no word";
}

SlackReply ReadResponse(const HttpResponse& response, router::TimePoint now) {
  SlackReply reply;
  const router::JsonParsed parsed = router::ParseJson(response.body);
  const bool is_object = parsed.value && parsed.value->IsObject();
  reply.body = is_object ? *parsed.value : router::Json::MakeObject();
  const bool is_success = response.status >= 200 && response.status < 300;
  if (is_success && reply.body.BoolAt("ok").value_or(false)) return reply;
  ChatFailure failure;
  failure.what = "Slack answered " + std::to_string(response.status);
  if (is_object) {
    reply.error = WordOf(reply.body);
    failure.what += " (" + reply.error + ")";
  }
  if (response.status == 429 || response.status >= 500 || response.status == 408 || !is_object) {
    failure.kind = ChatFailure::Kind::kTransient;
  } else {
    failure.kind = KindOf(reply.error);
  }
  failure.retry_after = RetryAfterOf(response, now, kLongestWait);
  reply.failure = std::move(failure);
  return reply;
}

}  // namespace

SlackReply ReadSlackReply(const router::HttpOutcome& outcome, router::TimePoint now) {
  if (const auto* response = std::get_if<HttpResponse>(&outcome)) {
    return ReadResponse(*response, now);
  }
  const auto& broken = std::get<HttpFailure>(outcome);
  SlackReply reply;
  reply.body = router::Json::MakeObject();
  reply.failure = {broken.kind == HttpFailure::Kind::kTooLarge ? ChatFailure::Kind::kRefused
                                                               : ChatFailure::Kind::kTransient,
                   "Slack could not be asked: " + broken.what, std::nullopt};
  return reply;
}

std::string NextCursor(const router::Json& body) {
  const router::Json* metadata = body.Find("response_metadata");
  return metadata == nullptr ? "" : metadata->TextAt("next_cursor");
}

}  // namespace writ::connectors
