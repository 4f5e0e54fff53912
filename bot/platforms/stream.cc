#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "bot/platforms/platform.h"
#include "connectors/chat/stream/intake.h"
#include "connectors/chat/stream/stream_chat.h"
#include "connectors/chat/stream/stream_members.h"

namespace writ::bot {
namespace {

HookRead ReadDelivery(const connectors::StreamIdentity& identity, const Request& request,
                      const router::Clock& clock) {
  const auto header = [&](std::string_view name) -> std::string_view {
    const std::string* value = request.Header(name);
    return value != nullptr ? std::string_view(*value) : std::string_view();
  };
  auto read = connectors::VerifyAndParse(
      identity, {request.body, header("x-signature"), header("x-webhook-id")}, clock.Now());
  if (const auto* refusal = std::get_if<connectors::StreamRefusal>(&read)) {
    switch (*refusal) {
      case connectors::StreamRefusal::kTooLarge:
        return HookRefused{{ProblemCode::kBodyTooLarge, "the body is too large when inflated"}};
      case connectors::StreamRefusal::kBadSignature:
        return HookRefused{{ProblemCode::kBadSignature, "the signature is missing or wrong"}};
      case connectors::StreamRefusal::kMalformed:
        return HookRefused{{ProblemCode::kMalformedJson, "the body is no event"}};
    }
  }
  HookEvents events{{}, JsonResponse(200, router::Json::MakeObject())};
  if (auto* event = std::get_if<router::ChannelEvent>(&read)) {
    events.events.push_back(std::move(*event));
  }
  return events;
}

}  // namespace

Platform MakePlatformOf(const AppConfig& app, const StreamConfig& stream, PlatformWorld world) {
  const connectors::StreamAccess access{app.api_key, app.api_secret.Reveal(), stream.base_url};
  connectors::StreamIdentity identity{app.id, {access.api_secret}, {}};
  for (const AgentConfig& agent : app.agents) identity.agent_users.push_back(agent.user);
  connectors::StreamSettings settings;
  settings.app = app.id;
  settings.access = access;
  settings.agent_users = identity.agent_users;

  Platform platform;
  platform.chat =
      std::make_unique<connectors::StreamChat>(std::move(settings), world.http, world.clock);
  platform.members =
      std::make_unique<connectors::StreamMembers>(access, world.memberships, world.clock);
  platform.read_hook = [identity = std::move(identity),
                        &clock = world.clock](const Request& request) {
    return ReadDelivery(identity, request, clock);
  };
  platform.catch_up = stream.catch_up;
  return platform;
}

}  // namespace writ::bot
