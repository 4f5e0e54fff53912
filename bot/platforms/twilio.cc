#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <variant>

#include "bot/platforms/platform.h"
#include "bot/platforms/sms_gestures.h"
#include "connectors/chat/twilio/intake.h"
#include "connectors/chat/twilio/sms_chat.h"
#include "connectors/chat/twilio/sms_client.h"
#include "router/approval/inbox_right.h"
#include "router/base/failure.h"

namespace writ::bot {
namespace {

using connectors::SmsUnreadable;
using router::TextKey;

// Two or three messages: nobody reads more on a phone.
constexpr std::size_t kLongestText = 3000;
constexpr std::size_t kAttachmentBytes = 5000;

// "No reply now": replies go by REST.  source: the platforms' page, 3.3
Response Acknowledged() {
  return {200, "text/xml", R"(<?xml version="1.0" encoding="UTF-8"?><Response/>)", {}, {}};
}

connectors::TwilioKeys KeysOf(const TwilioConfig& config) {
  connectors::TwilioKeys keys{config.auth_token.Reveal(), {}};
  for (const auto& [id, secret] : config.shared_keys) keys.shared.emplace(id, secret.Reveal());
  return keys;
}

// Turns what Twilio delivers into what the route does.
class SmsHook {
 public:
  SmsHook(router::AppId app, TwilioConfig config, std::string public_url,
          std::shared_ptr<const SmsDesk> desk)
      : app_(std::move(app)),
        config_(std::move(config)),
        public_url_(std::move(public_url)),
        desk_(std::move(desk)) {}

  HookRead Read(const Request& request) const {
    const std::string* signature = request.Header("x-twilio-signature");
    connectors::TwilioDelivery delivery;
    delivery.url = UrlOf(request.target);
    delivery.body = request.body;
    if (signature != nullptr) delivery.signature = *signature;
    if (const std::string* settings = request.Header("x-twilio-webhooks-signature-settings")) {
      delivery.settings = *settings;
    }
    return std::visit(
        [&](auto&& read) { return Do(std::forward<decltype(read)>(read)); },
        connectors::ReadTwilioDelivery(app_, KeysOf(config_), delivery, desk_->clock.Now()));
  }

 private:
  // Never rebuilt from what a header claims.
  std::string UrlOf(const std::string& target) const {
    if (config_.hook_url.empty()) return public_url_ + target;
    const std::size_t query = target.find('?');
    return config_.hook_url + (query == std::string::npos ? "" : target.substr(query));
  }

  static HookRead Do(connectors::TwilioRefusal refusal) {
    switch (refusal) {
      case connectors::TwilioRefusal::kBadSignature:
        return HookRefused{{ProblemCode::kBadSignature, "the signature is missing or wrong"}};
      case connectors::TwilioRefusal::kMalformed:
        break;
    }
    return HookRefused{{ProblemCode::kMalformedJson, "the form is no message"}};
  }
  static HookRead Do(const connectors::SmsIgnored& /*ignored*/) {
    return HookEvents{{}, Acknowledged()};
  }
  static HookRead Do(router::ChannelEvent event) {
    HookEvents events{{}, Acknowledged()};
    events.events.push_back(std::move(event));
    return events;
  }
  HookRead Do(const connectors::SmsCarrierWord& said) const {
    switch (said.word) {
      case connectors::CarrierWord::kStop:
        return Stop(said.from);
      case connectors::CarrierWord::kStart:
        Wish(said.from, false);
        break;
      case connectors::CarrierWord::kYes:
        Wish(said.from, false);
        return Gesture(said.from, [from = said.from](const SmsDesk& desk, const HeldCalls& calls) {
          ExplainYes(desk, calls, from);
        });
      case connectors::CarrierWord::kHelp:
        break;
    }
    return HookEvents{{}, Acknowledged()};
  }
  void Wish(const connectors::SmsFrom& from, bool wants_none) const {
    desk_->phones->Wish(app_, connectors::SmsUser(from.number), wants_none, "wish:" + from.sid,
                        desk_->clock.Now());
  }
  // No more messages to them, and what runs for them ends with its held calls.
  HookRead Stop(const connectors::SmsFrom& from) const {
    Wish(from, true);
    router::ChannelEvent event;
    event.kind = router::ChannelEvent::Kind::kStopAsked;
    event.app = app_;
    event.cid = connectors::SmsCid(from.number);
    event.author = connectors::SmsUser(from.number);
    event.actor = event.author;
    event.created_at = desk_->clock.Now();
    event.happened_at = event.created_at;
    event.delivery = from.sid;
    return Do(std::move(event));
  }
  HookRead Do(const connectors::SmsCode& code) const {
    return Gesture(code.from, [code](const SmsDesk& desk, const HeldCalls& calls) {
      AnswerByCode(desk, calls, code);
    });
  }
  HookRead Do(const SmsUnreadable& message) const {
    return Gesture(message.from, [message](const SmsDesk& desk, const HeldCalls& /*calls*/) {
      const bool is_group = message.why == SmsUnreadable::Why::kGroup;
      desk.Tell(message.from.number, is_group ? TextKey::kNoGroups : TextKey::kOnlyWords);
    });
  }

  // Done once, however often its message is delivered. What was begun and failed is not done again
  // by another delivery, so its writer is told to.
  template <class What>
  HookRead Gesture(const connectors::SmsFrom& from, What what) const {
    return HookGesture{[desk = desk_, from, what](const HeldCalls& calls) {
      if (!desk->phones->IsFirst(calls.app(), from.sid, desk->clock.Now())) return Acknowledged();
      try {
        what(*desk, calls);
      } catch (const router::Failure&) {
        desk->TellToTryAgain(from.number);
        throw;
      }
      return Acknowledged();
    }};
  }

  router::AppId app_;
  TwilioConfig config_;
  std::string public_url_;
  std::shared_ptr<const SmsDesk> desk_;
};

// How an ask is answered. Only that one person reads the message, so the link may carry a right.
connectors::SmsWords WordsOf(const AppConfig& app, const TwilioConfig& twilio,
                             const std::string& public_url, const router::Texts& texts) {
  connectors::SmsWords words;
  words.answer_by = [id = app.id, key = app.api_key, secret = app.api_secret,
                     by_link = twilio.by_link, public_url,
                     texts](const router::PostedAsk& ask, router::TimePoint expires_at) {
    if (ask.is_whole && !IsAnsweredByLink(by_link, ask.name, ask.is_question)) {
      return texts.Say(TextKey::kAnswerByCode, {{"code", ask.code}});
    }
    if (public_url.empty()) return texts.Say(TextKey::kSeeWhole);
    router::ApprovalRecord record;
    record.app = id;
    record.id = ask.approval;
    record.asked = ask.asked;
    record.expires_at = expires_at;
    const std::string link =
        router::InboxLinkFor(public_url + "/inbox", record, key, secret.Reveal());
    return texts.Say(TextKey::kSeeWholeAt, {{"link", link}});
  };
  return words;
}

}  // namespace

Platform MakePlatformOf(const AppConfig& app, const TwilioConfig& twilio, PlatformWorld world) {
  const router::Texts texts =
      app.agents.empty() ? router::Texts() : app.agents.front().texts.For("en");
  auto client = std::make_shared<connectors::SmsClient>(
      connectors::TwilioAccess{twilio.account_sid, twilio.auth_token.Reveal(), twilio.from,
                               twilio.base_url},
      world.http, world.clock, world.log);
  const auto desk = std::make_shared<const SmsDesk>(
      SmsDesk{client, texts, twilio.by_link, world.clock, app.id, world.phones});

  Platform platform;
  platform.chat = std::make_unique<connectors::SmsChat>(
      WordsOf(app, twilio, world.public_url, texts), std::move(client),
      [desk](const std::string& number) {
        return desk->phones->WantsNone(desk->app, connectors::SmsUser(number));
      });
  platform.members = std::make_unique<connectors::SmsMembers>(world.http);
  const auto hook = std::make_shared<const SmsHook>(app.id, twilio, world.public_url, desk);
  platform.read_hook = [hook](const Request& request) { return hook->Read(request); };
  platform.channel_key = connectors::SmsChannelKey;
  platform.face.text_characters = kLongestText;
  platform.face.attachment_bytes = kAttachmentBytes;
  return platform;
}

}  // namespace writ::bot
