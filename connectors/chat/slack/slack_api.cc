#include "connectors/chat/slack/slack_api.h"

#include <algorithm>
#include <utility>

namespace writ::connectors {
namespace {

// `https://slack.com` of `https://slack.com/api`.
std::string_view OriginOf(std::string_view url) {
  const std::size_t host = url.find("://");
  return host == std::string_view::npos ? url : url.substr(0, url.find('/', host + 3));
}

}  // namespace

SlackApi::SlackApi(SlackAccess access) : access_(std::move(access)) {}

router::HttpRequest SlackApi::Call(std::string_view method, const FormFields& fields) const {
  router::HttpRequest request;
  request.method = "POST";
  request.url = access_.base_url + '/' + std::string(method);
  request.headers = {{"authorization", "Bearer " + access_.bot_token},
                     {"content-type", "application/x-www-form-urlencoded"}};
  request.body = FormBody(fields);
  return request;
}

router::HttpRequest SlackApi::Respond(std::string url, const router::Json& body) {
  router::HttpRequest request;
  request.method = "POST";
  request.url = std::move(url);
  request.headers = {{"content-type", "application/json; charset=utf-8"}};
  request.body = body.Dump();
  return request;
}

bool SlackApi::IsSlacks(std::string_view url) const {
  constexpr std::string_view kHooks = "https://hooks.slack.com/";
  const std::string origin = std::string(OriginOf(access_.base_url)) + '/';
  return url.starts_with(kHooks) || url.starts_with(origin);
}

}  // namespace writ::connectors
