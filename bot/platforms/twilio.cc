#include "bot/platforms/platform.h"
#include "router/base/failure.h"

namespace writ::bot {

Platform MakePlatformOf(const AppConfig& app, const TwilioConfig& /*twilio*/,
                        PlatformWorld /*world*/) {
  throw router::Failure(router::Failure::Kind::kPermanent,
                        "app " + app.id.text() + ": SMS is not there yet");
}

}  // namespace writ::bot
