#include "bot/client/access.h"

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "bot/auth/token.h"
#include "bot/config/host_and_port.h"
#include "bot/load.h"

namespace writ::bot {

using router::Json;

namespace {

constexpr std::chrono::minutes kTokenLife{5};
constexpr std::chrono::seconds kIssuedBack{5};  // the node's clock may be behind
constexpr const char* kUsualUrl = "http://127.0.0.1:8080";

void Tell(const char* what) { std::fprintf(stderr, "writ: %s\n", what); }

std::int64_t UnixSeconds(router::TimePoint time) {
  return std::chrono::floor<std::chrono::seconds>(time.time_since_epoch()).count();
}

// Where somebody on this machine reaches what listens there; empty where the port is not known.
std::string UrlOfListener(const std::string& listen) {
  const auto address = ReadHostAndPort(listen);
  if (!address || address->port == 0) return "";
  const bool everywhere = address->host == "0.0.0.0" || address->host == "::";
  return "http://" + (everywhere ? "127.0.0.1" : address->shown_host) + ':' +
         std::to_string(address->port);
}

}  // namespace

std::optional<Access> Access::Of(const AccessArguments& arguments) {
  Access access;
  access.url_ = arguments.url;
  if (!arguments.config.empty()) {
    const auto config = LoadOrTell(arguments.config);
    if (!config) return std::nullopt;
    const auto app = std::ranges::find_if(
        config->apps, [&](const AppConfig& one) { return one.id.text() == arguments.app; });
    if (app == config->apps.end()) {
      Tell("--app has to name an app of the configuration");
      return std::nullopt;
    }
    access.api_key_ = app->api_key;
    access.secret_ = app->api_secret.Reveal();
    if (access.url_.empty()) access.url_ = UrlOfListener(config->listen);
    if (access.url_.empty()) {
      Tell("--url is needed: the configuration leaves the port open");
      return std::nullopt;
    }
  } else {
    access.api_key_ = arguments.api_key;
    access.token_ = arguments.token;
    if (access.token_.empty() || access.api_key_.empty()) {
      Tell("a token is needed: --config and --app, or --token (WRIT_TOKEN) and --api-key");
      return std::nullopt;
    }
    if (access.url_.empty()) access.url_ = kUsualUrl;
  }
  while (access.url_.ends_with('/')) access.url_.pop_back();
  return access;
}

router::HttpHeaders Access::Headers(router::TimePoint now) const {
  std::string token = token_;
  if (token.empty()) {
    // Worth nothing at the platform, should it leak.
    token = MakeToken(Json::MakeObject({{"writ", "operator"},
                                        {"iat", UnixSeconds(now - kIssuedBack)},
                                        {"exp", UnixSeconds(now + kTokenLife)}}),
                      secret_);
  }
  return {{"X-Api-Key", api_key_}, {"Authorization", token}, {"Content-Type", "application/json"}};
}

}  // namespace writ::bot
