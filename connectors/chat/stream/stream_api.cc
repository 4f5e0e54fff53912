#include "connectors/chat/stream/stream_api.h"

#include <chrono>

#include "connectors/http/percent.h"
#include "router/base/digest.h"

namespace writ::connectors {
namespace {

constexpr std::chrono::milliseconds kTimeout{10000};
constexpr std::string_view kClient = "writ/0.1";

// Valid for ever, as the vendor's own clients make it. It has no `iat`: with one, a clock ahead of
// the service's would have it refused (code 42).
std::string ServerToken(std::string_view secret) {
  const std::string signed_part = router::Base64UrlEncode(R"({"alg":"HS256","typ":"JWT"})") + "." +
                                  router::Base64UrlEncode(R"({"server":true})");
  return signed_part + "." + router::Base64UrlEncode(router::HmacSha256(secret, signed_part));
}

std::string WithoutSlash(std::string url) {
  while (url.ends_with('/')) url.pop_back();
  return url;
}

}  // namespace

StreamApi::StreamApi(const StreamAccess& access)
    : base_url_(WithoutSlash(access.base_url)),
      api_key_(access.api_key),
      token_(ServerToken(access.api_secret)) {}

router::HttpRequest StreamApi::Get(Segments path, Query query) const {
  return Make("GET", path, query);
}

router::HttpRequest StreamApi::Write(std::string method, Segments path,
                                     const router::Json& body) const {
  router::HttpRequest request = Make(std::move(method), path, {});
  request.headers.emplace_back("Content-Type", "application/json");
  request.body = body.Dump();
  return request;
}

router::HttpRequest StreamApi::ChannelMessages(
    const router::Cid& cid, int limit, const std::optional<router::MessageId>& before) const {
  router::Json messages = router::Json::MakeObject({{"limit", limit}});
  if (before) messages.Set("id_lt", before->text());
  return Write("POST", {"channels", router::ChannelType(cid), ChannelIdOf(cid), "query"},
               router::Json::MakeObject({{"state", true}, {"messages", std::move(messages)}}));
}

router::HttpRequest StreamApi::Replies(const router::MessageId& parent, int limit) const {
  return Get({"messages", parent.text(), "replies"}, {{"limit", std::to_string(limit)}});
}

router::HttpRequest StreamApi::Make(std::string method, Segments path, Query query) const {
  router::HttpRequest request;
  request.method = std::move(method);
  request.url = base_url_;
  for (const std::string_view part : path) request.url += "/" + PercentEncode(part);
  request.url += "?api_key=" + PercentEncode(api_key_);
  for (const auto& [name, value] : query) {
    request.url += "&" + PercentEncode(name) + "=" + PercentEncode(value);
  }
  // No `Bearer`: the service takes the bare token.
  request.headers = {{"Authorization", token_},
                     {"Stream-Auth-Type", "jwt"},
                     {"X-Stream-Client", std::string(kClient)}};
  request.timeout = kTimeout;
  return request;
}

std::string ChannelIdOf(const router::Cid& cid) {
  const std::size_t type = router::ChannelType(cid).size();
  return type < cid.text().size() ? cid.text().substr(type + 1) : std::string();
}

}  // namespace writ::connectors
