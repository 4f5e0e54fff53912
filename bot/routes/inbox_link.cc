#include "bot/routes/inbox_link.h"

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "bot/http/api_body.h"
#include "bot/http/fields.h"
#include "bot/http/header_text.h"
#include "router/approval/inbox_right.h"
#include "router/base/digest.h"

namespace writ::bot {
namespace {

constexpr std::string_view kCookie = "writ_inbox";
constexpr std::size_t kLongestRight = 64;

std::optional<std::string> CookieOf(const Request& request) {
  const std::string* header = request.Header("cookie");
  if (header == nullptr) return std::nullopt;
  std::optional<std::string> found;
  for (std::string_view rest = *header; !rest.empty();) {
    const std::size_t end = std::min(rest.find(';'), rest.size());
    const std::string_view pair = TrimBlanks(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    const std::size_t equals = pair.find('=');
    if (equals == std::string_view::npos || pair.substr(0, equals) != kCookie) continue;
    if (found) return std::nullopt;  // two of them: somebody put one there
    found = std::string(pair.substr(equals + 1));
  }
  return found;
}

Problem BadRight() { return {ProblemCode::kBadToken, "this link is not good for that call"}; }

// The record that the path names, if the right is its own and still good.
std::variant<router::ApprovalRecord, Problem> Judge(const Api& api, const Request& request,
                                                    std::string_view api_key,
                                                    std::string_view right) {
  const auto app = api.apps(api_key);
  if (!app) return Problem{ProblemCode::kUnknownApiKey, "the link names no app of this node"};
  auto record = api.ports.approvals.Get(app->app, router::ApprovalId(request.Param("id")));
  if (!record || !router::IsInboxRight(right, *record, app->secret)) return BadRight();
  if (record->expires_at <= api.ports.clock.Now()) {
    return Problem{ProblemCode::kTokenExpired, "what the link was made for is over"};
  }
  return *std::move(record);
}

// Where the node's paths begin for a browser: `/writ` behind a proxy of `https://host/writ`.
std::string_view PrefixOf(std::string_view public_url) {
  const std::size_t scheme = public_url.find("://");
  if (scheme == std::string_view::npos) return {};
  const std::size_t path = public_url.find('/', scheme + 3);
  return path == std::string_view::npos ? std::string_view() : public_url.substr(path);
}

std::string CookieFor(const Api& api, const router::ApprovalRecord& record,
                      const std::string& value) {
  const auto left =
      std::chrono::ceil<std::chrono::seconds>(record.expires_at - api.ports.clock.Now());
  std::string cookie(kCookie);
  cookie.append("=").append(value).append("; Path=").append(PrefixOf(api.inbox.public_url));
  cookie.append("/v1/inbox/").append(record.id.text());
  cookie.append("; Max-Age=").append(std::to_string(left.count()));
  cookie.append("; HttpOnly; SameSite=Strict");
  if (api.inbox.public_url.starts_with("https:")) cookie += "; Secure";
  return cookie;
}

}  // namespace

Response ExchangeRight(const Api& api, const Request& request) {
  const auto body = ReadJsonBody(request);
  if (const auto* problem = std::get_if<Problem>(&body)) return ToResponse(*problem);
  FieldReader fields(std::get<router::Json>(body));
  const std::string right = fields.String("right", {.max_characters = kLongestRight});
  if (const auto problem = fields.Finish()) return ToResponse(*problem);
  const std::string* header = request.Header("x-api-key");
  const std::string key = header != nullptr ? *header : request.Query("api_key").value_or("");
  const auto judged = Judge(api, request, key, right);
  if (const auto* problem = std::get_if<Problem>(&judged)) return ToResponse(*problem);
  Response response = NoContent();
  response.headers.emplace_back("Set-Cookie",
                                CookieFor(api, std::get<router::ApprovalRecord>(judged),
                                          router::Base64UrlEncode(key) + "." + right));
  return response;
}

std::variant<ApiCall, Problem> IdentifyOrLink(const Api& api, const Request& request) {
  const auto cookie = CookieOf(request);
  if (!cookie || request.Header("authorization") != nullptr) {
    return ApiCall::Identify(api, request);
  }
  const std::size_t dot = cookie->find('.');
  const auto key = router::Base64UrlDecode(std::string_view(*cookie).substr(0, dot));
  if (dot == std::string::npos || !key) return BadRight();
  auto judged = Judge(api, request, *key, std::string_view(*cookie).substr(dot + 1));
  if (auto* problem = std::get_if<Problem>(&judged)) return std::move(*problem);
  const auto& record = std::get<router::ApprovalRecord>(judged);
  return ApiCall::FromLink(record.app, {record.asked, record.created_at, "inbox_link"});
}

}  // namespace writ::bot
