#include "bot/platforms/platform.h"
#include "router/base/failure.h"

namespace writ::bot {

Platform MakePlatformOf(const AppConfig& app, const SlackConfig& /*slack*/,
                        PlatformWorld /*world*/) {
  throw router::Failure(router::Failure::Kind::kPermanent,
                        "app " + app.id.text() + ": Slack is not there yet");
}

}  // namespace writ::bot
