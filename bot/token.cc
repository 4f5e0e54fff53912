// `writ token`: a token for a user, the backend or an operator.
#include "bot/auth/token.h"

#include <charconv>
#include <chrono>
#include <cstdio>
#include <optional>

#include "bot/commands.h"
#include "bot/load.h"
#include "bot/process/system_clock.h"

namespace writ::bot {
namespace {

using router::Json;

constexpr std::chrono::seconds kDefaultLife{3600};
constexpr std::chrono::hours kLongestLife{24 * 36'500};  // a longer one runs over in our clock
// A clock ahead of the platform's would make a token of the future.
constexpr std::chrono::seconds kIssuedBack{5};

std::optional<std::chrono::seconds> ReadCount(std::string_view text) {
  std::int64_t count = 0;
  const auto [unit, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  const std::string_view rest(unit, static_cast<std::size_t>(text.data() + text.size() - unit));
  if (error != std::errc() || count <= 0 || count > 1'000'000'000) return std::nullopt;
  if (rest == "s") return std::chrono::seconds(count);
  if (rest == "m") return std::chrono::minutes(count);
  if (rest == "h") return std::chrono::hours(count);
  if (rest == "d") return std::chrono::hours(24 * count);
  return std::nullopt;
}

std::optional<std::chrono::seconds> ReadDuration(std::string_view text) {
  const auto life = ReadCount(text);
  return life && *life <= kLongestLife ? life : std::nullopt;
}

std::int64_t UnixSeconds(router::TimePoint time) {
  return std::chrono::duration_cast<std::chrono::seconds>(time.time_since_epoch()).count();
}

}  // namespace

int PrintToken(const TokenArguments& arguments) {
  const auto config = LoadOrTell(arguments.config);
  if (!config) return kWrongUsage;
  const auto life =
      arguments.ttl.empty() ? std::optional(kDefaultLife) : ReadDuration(arguments.ttl);
  if (!life) {
    std::fprintf(stderr,
                 "writ: --ttl wants a number with s, m, h or d, as in 30m, of at most 100 years\n");
    return kWrongUsage;
  }
  if (!arguments.server && !arguments.for_operator && arguments.user.empty()) {
    std::fprintf(stderr, "writ: --user wants a user's id\n");
    return kWrongUsage;
  }
  const AppConfig* app = nullptr;
  for (const AppConfig& candidate : config->apps) {
    if (candidate.id.text() == arguments.app) app = &candidate;
  }
  if (app == nullptr) {
    std::fprintf(stderr, "writ: the configuration has no app of that id\n");
    return kWrongUsage;
  }
  const router::TimePoint now = SystemClock().Now();
  Json claims = Json::MakeObject(
      {{"iat", UnixSeconds(now - kIssuedBack)}, {"exp", UnixSeconds(now + *life)}});
  if (arguments.server) {
    claims.Set("server", true);
  } else if (arguments.for_operator) {
    claims.Set("writ", "operator");
  } else {
    claims.Set("user_id", arguments.user);
  }
  std::printf("%s\n", MakeToken(claims, app->api_secret.Reveal()).c_str());
  return kDone;
}

}  // namespace writ::bot
