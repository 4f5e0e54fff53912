#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "bot/platforms/platform.h"
#include "bot/platforms/slack_gestures.h"
#include "connectors/chat/slack/intake.h"
#include "connectors/chat/slack/slack_chat.h"
#include "connectors/chat/slack/slack_client.h"
#include "connectors/chat/slack/slack_members.h"
#include "connectors/chat/slack/slack_names.h"

namespace writ::bot {
namespace {

using connectors::SlackClient;

// Escapes make a text longer; the adapter fits the rest into blocks.
constexpr std::size_t kLongestText = 38000;
constexpr std::size_t kAttachmentBytes = 10000;

// Turns what Slack delivers into what the route does.
class SlackHook {
 public:
  SlackHook(router::AppId app, std::string signing_secret, std::shared_ptr<SlackClient> client,
            const router::Clock& clock)
      : app_(std::move(app)),
        signing_secret_(std::move(signing_secret)),
        client_(std::move(client)),
        names_(std::make_shared<connectors::SlackNames>(client_)),
        clock_(clock) {}

  HookRead Read(const Request& request) const {
    const auto header = [&](std::string_view name) -> std::string_view {
      const std::string* value = request.Header(name);
      return value != nullptr ? std::string_view(*value) : std::string_view();
    };
    return std::visit([&](auto&& read) { return Do(std::forward<decltype(read)>(read)); },
                      connectors::ReadSlackDelivery(app_, signing_secret_,
                                                    {request.body, header("x-slack-signature"),
                                                     header("x-slack-request-timestamp")},
                                                    clock_.Now()));
  }

 private:
  // Slack wants an empty 200: a body would be shown, or be an error.
  static Response Acknowledged() { return Response{}; }

  static HookRead Do(connectors::SlackRefusal refusal) {
    switch (refusal) {
      case connectors::SlackRefusal::kBadSignature:
        return HookRefused{{ProblemCode::kBadSignature,
                            "the signature is missing, wrong or older than five minutes"}};
      case connectors::SlackRefusal::kMalformed:
        break;
    }
    return HookRefused{{ProblemCode::kMalformedJson, "the body is no event"}};
  }
  static HookRead Do(const connectors::SlackIgnored& /*ignored*/) {
    return HookEvents{{}, Acknowledged()};
  }
  static HookRead Do(connectors::SlackChallenge challenge) {
    return HookEvents{
        {}, JsonResponse(200, router::Json::MakeObject({{"challenge", challenge.challenge}}))};
  }
  HookRead Do(router::ChannelEvent event) const {
    if (event.author_name.empty()) {
      event.author_name = names_->NameOf(connectors::SlackUserOf(event.author).id);
    }
    HookEvents events{{}, Acknowledged()};
    events.events.push_back(std::move(event));
    return events;
  }
  HookRead Do(connectors::SlackClick click) const {
    return HookGesture{[client = client_, click = std::move(click)](const HeldCalls& calls) {
                         Press(*client, calls, click);
                         return Acknowledged();
                       },
                       Acknowledged()};
  }
  static HookRead Do(connectors::SlackSubmission submission) {
    return HookGesture{[submission = std::move(submission)](const HeldCalls& calls) {
                         return Submit(calls, submission);
                       },
                       SubmittedLate()};
  }

  router::AppId app_;
  std::string signing_secret_;
  std::shared_ptr<SlackClient> client_;
  std::shared_ptr<connectors::SlackNames> names_;
  const router::Clock& clock_;
};

}  // namespace

Platform MakePlatformOf(const AppConfig& app, const SlackConfig& slack, PlatformWorld world) {
  const auto client = std::make_shared<SlackClient>(
      connectors::SlackAccess{slack.bot_token.Reveal(), slack.base_url}, world.http, world.clock);
  connectors::SlackSettings settings;
  settings.app = app.id;
  settings.words.inbox_url = world.public_url.empty() ? "" : world.public_url + "/inbox";
  if (!app.agents.empty()) {
    settings.words.edit = app.agents.front().texts.For("en").Say(router::TextKey::kEdit);
  }
  Platform platform;
  platform.chat = std::make_unique<connectors::SlackChat>(std::move(settings), client);
  platform.members = std::make_unique<connectors::SlackMembers>(client);
  const auto hook =
      std::make_shared<const SlackHook>(app.id, slack.signing_secret.Reveal(), client, world.clock);
  platform.read_hook = [hook](const Request& request) { return hook->Read(request); };
  platform.catch_up = slack.catch_up;
  platform.channel_key = connectors::SlackChannelKey;

  platform.face.text_characters = kLongestText;
  platform.face.attachment_bytes = kAttachmentBytes;
  return platform;
}

}  // namespace writ::bot
