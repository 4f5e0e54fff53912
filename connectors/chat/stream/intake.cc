#include "connectors/chat/stream/intake.h"

#include <algorithm>
#include <cstddef>
#include <optional>

#include "connectors/chat/stream/message.h"
#include "connectors/chat/stream/wire.h"
#include "connectors/http/inflate.h"
#include "router/base/digest.h"
#include "router/base/json.h"

namespace writ::connectors {
namespace {

using router::ChannelEvent;
using router::Json;

constexpr std::size_t kMaxInflatedBytes = std::size_t{8} << 20;

bool IsSigned(std::string_view bytes, std::string_view signature,
              const std::vector<std::string>& secrets) {
  return std::ranges::any_of(secrets, [&](const std::string& secret) {
    return !secret.empty() &&
           router::EqualInConstantTime(router::HmacSha256Hex(secret, bytes), signature);
  });
}

std::optional<ChannelEvent::Kind> KindOf(std::string_view type) {
  if (type == "message.new") return ChannelEvent::Kind::kMessageNew;
  if (type == "message.updated") return ChannelEvent::Kind::kMessageUpdated;
  if (type == "message.deleted") return ChannelEvent::Kind::kMessageDeleted;
  if (type == "ai_indicator.stop") return ChannelEvent::Kind::kStopAsked;
  return std::nullopt;
}

// An update or a deletion. Of the bot's own messages none is of interest: each face that a turn
// posts comes back as one.
StreamIntake ChangeOf(ChannelEvent::Kind kind, const Json& event, const Json& message,
                      const std::vector<router::UserId>& agent_users) {
  ChannelEvent change;
  change.kind = kind;
  change.message = router::MessageId(message.TextAt("id"));
  if (change.message.empty()) return StreamIgnored{"no message id"};
  change.author = ReadUserId(message, "user");
  if (std::ranges::find(agent_users, change.author) != agent_users.end()) {
    return StreamIgnored{"own"};
  }
  if (!change.author.empty()) change.author_name = message.Find("user")->TextAt("name");
  // Who did it is the event's user. The message's own is its author still, whoever edited it.
  change.actor = ReadUserId(event, "user");
  if (std::string parent = message.TextAt("parent_id"); !parent.empty()) {
    change.thread = router::MessageId(std::move(parent));
  }
  change.text = message.TextAt("text");
  return change;
}

// An event's own time; where it has none, the time at which the message became what it is.
std::optional<router::TimePoint> TimeOf(ChannelEvent::Kind kind, const Json& event,
                                        const Json& message) {
  if (const auto time = ReadStreamTime(event.Find("created_at"))) return time;
  switch (kind) {
    case ChannelEvent::Kind::kMessageNew:
      return ReadStreamTime(message.Find("created_at"));
    case ChannelEvent::Kind::kMessageUpdated:
      return ReadStreamTime(message.Find("updated_at"));
    case ChannelEvent::Kind::kMessageDeleted:
      return ReadStreamTime(message.Find("deleted_at"));
    case ChannelEvent::Kind::kStopAsked:
      return std::nullopt;
  }
  return std::nullopt;
}

StreamIntake NewMessageOf(const Json& event, const Json& message,
                          const std::vector<router::UserId>& agent_users) {
  std::optional<ChannelEvent> made = NewMessageEvent(message, agent_users);
  if (!made) return StreamIgnored{"no message id or no author"};
  const auto sender = ReadUserId(event, "user");
  if (std::ranges::find(agent_users, sender) != agent_users.end()) made->ignored_because = "own";
  made->actor = made->author;
  return *std::move(made);
}

// A person pressed stop while the agent wrote: who it was is the event's user, as Stream verified
// them. What else it holds was written by their client.
StreamIntake StopOf(const Json& event) {
  ChannelEvent stop;
  stop.kind = ChannelEvent::Kind::kStopAsked;
  stop.author = ReadUserId(event, "user");
  if (stop.author.empty()) return StreamIgnored{"no user"};
  stop.actor = stop.author;
  const Json* named = FindCustom(event, "message_id");
  if (named != nullptr && named->IsString()) stop.message = router::MessageId(named->string());
  return stop;
}

StreamIntake Parse(const StreamIdentity& identity, const Json& event, std::string_view webhook_id,
                   router::TimePoint received_at) {
  const std::optional<std::string> type = event.StringAt("type");
  if (!type) return StreamRefusal::kMalformed;
  const std::optional<ChannelEvent::Kind> kind = KindOf(*type);
  if (!kind) return StreamIgnored{"type"};
  static const Json kNone = Json::MakeObject();
  const bool is_stop = *kind == ChannelEvent::Kind::kStopAsked;
  const Json* message = is_stop ? &kNone : event.Find("message");
  if (message == nullptr || !message->IsObject()) return StreamIgnored{"no message"};
  router::Cid cid = ReadCid(event);
  if (cid.empty()) cid = ReadCid(*message);
  if (cid.empty()) return StreamIgnored{"no cid"};

  StreamIntake intake = is_stop ? StopOf(event)
                        : *kind == ChannelEvent::Kind::kMessageNew
                            ? NewMessageOf(event, *message, identity.agent_users)
                            : ChangeOf(*kind, event, *message, identity.agent_users);
  if (auto* made = std::get_if<ChannelEvent>(&intake)) {
    made->app = identity.app;
    made->cid = std::move(cid);
    made->shared = IsSharedChannel(event);
    made->happened_at = TimeOf(*kind, event, *message).value_or(received_at);
    made->created_at = ReadStreamTime(message->Find("created_at")).value_or(made->happened_at);
    made->delivery = webhook_id;
  }
  return intake;
}

}  // namespace

StreamIntake VerifyAndParse(const StreamIdentity& identity, const StreamDelivery& delivery,
                            router::TimePoint received_at) {
  std::string inflated;
  std::string_view bytes = delivery.body;
  if (IsGzip(bytes)) {
    auto unpacked = Inflate(bytes, kMaxInflatedBytes);
    if (const auto* fault = std::get_if<InflateFault>(&unpacked)) {
      switch (*fault) {
        case InflateFault::kTooLarge:
          return StreamRefusal::kTooLarge;
        case InflateFault::kBroken:
          return StreamRefusal::kBadSignature;  // there are no bytes that it could be over
      }
    }
    inflated = std::get<std::string>(std::move(unpacked));
    bytes = inflated;
  }
  if (!IsSigned(bytes, delivery.signature, identity.secrets)) return StreamRefusal::kBadSignature;
  const router::JsonParsed parsed = router::ParseJson(bytes);
  if (!parsed.value || !parsed.value->IsObject()) return StreamRefusal::kMalformed;
  return Parse(identity, *parsed.value, delivery.webhook_id, received_at);
}

}  // namespace writ::connectors
