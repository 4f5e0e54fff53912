#include "connectors/chat/slack/intake.h"

#include <chrono>
#include <string_view>
#include <utility>

#include "connectors/chat/slack/interaction.h"
#include "connectors/chat/slack/message.h"
#include "connectors/http/form.h"
#include "router/base/text.h"

namespace writ::connectors {
namespace {

using router::ChannelEvent;
using router::Json;

// What Slack says of the installation that an event is for.
const Json* AuthorizationOf(const Json& envelope) {
  const Json* all = envelope.Find("authorizations");
  return all != nullptr && all->IsArray() && !all->array().empty() ? &all->array().front()
                                                                   : nullptr;
}

SlackReader ReaderOf(const Json& envelope) {
  SlackReader reader;
  reader.place.team = envelope.TextAt("team_id");
  reader.shared_with_others = envelope.BoolAt("is_ext_shared_channel").value_or(false);
  if (const Json* authorization = AuthorizationOf(envelope)) {
    reader.place.enterprise = authorization->TextAt("enterprise_id");
    if (authorization->BoolAt("is_bot").value_or(false)) {
      reader.bot_user = authorization->TextAt("user_id");
    }
  }
  return reader;
}

// An edit by a person: its time is the edit's own. What Slack does to a message by itself (a link's
// preview) is none, and each face that a turn posts comes back here as our own.
std::optional<ChannelEvent> EditOf(const SlackReader& reader, const Json& event) {
  const Json* message = event.Find("message");
  const Json* edited = message == nullptr ? nullptr : message->Find("edited");
  if (edited == nullptr || !edited->IsObject()) return std::nullopt;
  const auto time = SlackTime(edited->TextAt("ts"));
  if (!time) return std::nullopt;
  // Words that are gone are an edit to nothing, which SlackMessageEvent would not read.
  Json worded = *message;
  const bool is_empty = router::Trim(SlackTextOf(reader, worded)).empty();
  if (is_empty) worded.Set("text", "-");
  auto change = SlackMessageEvent(reader, event.TextAt("channel"), worded);
  if (!change) return std::nullopt;
  change->kind = ChannelEvent::Kind::kMessageUpdated;
  if (is_empty) change->text.clear();
  Json editor = *message;
  editor.Set("user", edited->TextAt("user"));
  change->actor = edited->TextAt("user") == message->TextAt("user") ? change->author
                                                                    : SlackAuthorOf(reader, editor);
  change->happened_at = *time;
  return change;
}

// In an assistant's thread, which is direct messages, Slack tells of about half of a person's words
// as a change: of a message that is as new as the change, and that nobody edited. Where its own
// event comes as well the two are one.
std::optional<ChannelEvent> UntoldMessageOf(const SlackReader& reader, const Json& event) {
  constexpr std::chrono::seconds kJustNow{60};
  const Json* message = event.Find("message");
  const std::string channel = event.TextAt("channel");
  if (message == nullptr || !IsDirect(channel) || message->Find("edited") != nullptr) {
    return std::nullopt;
  }
  const auto changed_at = SlackTime(event.TextAt("event_ts"));
  auto read = SlackMessageEvent(reader, channel, *message);
  if (!read || !changed_at || read->created_at + kJustNow < *changed_at) return std::nullopt;
  return read;
}

// Slack does not say who deleted it: a deletion by anyone counts.
std::optional<ChannelEvent> DeletionOf(const SlackReader& reader, const Json& event) {
  const Json* message = event.Find("previous_message");
  if (message == nullptr || !message->IsObject()) return std::nullopt;
  Json worded = *message;
  worded.Set("text", "-");
  worded.Set("ts", event.TextAt("deleted_ts"));
  auto deletion = SlackMessageEvent(reader, event.TextAt("channel"), worded);
  if (!deletion) return std::nullopt;
  deletion->kind = ChannelEvent::Kind::kMessageDeleted;
  deletion->text.clear();
  deletion->actor = {};
  deletion->happened_at = SlackTime(event.TextAt("event_ts")).value_or(deletion->created_at);
  return deletion;
}

SlackIntake ReadEvent(const router::AppId& app, const Json& envelope) {
  const Json* event = envelope.Find("event");
  if (event == nullptr || !event->IsObject()) return SlackIgnored{"no event"};
  const std::string type = event->TextAt("type");
  if (type != "message" && type != "app_mention") return SlackIgnored{"type"};
  const SlackReader reader = ReaderOf(envelope);
  if (reader.place.team.empty()) return SlackIgnored{"no team"};
  const std::string subtype = event->TextAt("subtype");
  std::optional<ChannelEvent> read;
  if (subtype == "message_changed") {
    read = EditOf(reader, *event);
    if (!read) read = UntoldMessageOf(reader, *event);
  } else if (subtype == "message_deleted") {
    read = DeletionOf(reader, *event);
  } else {
    read = SlackMessageEvent(reader, event->TextAt("channel"), *event);
  }
  if (!read) return SlackIgnored{"nobody answers it"};
  read->app = app;
  read->delivery = envelope.TextAt("event_id");
  return *std::move(read);
}

SlackIntake ReadJson(const router::AppId& app, std::string_view body) {
  const router::JsonParsed parsed = router::ParseJson(body);
  if (!parsed.value || !parsed.value->IsObject()) return SlackRefusal::kMalformed;
  const std::string type = parsed.value->TextAt("type");
  if (type.empty()) return SlackRefusal::kMalformed;
  if (type == "url_verification") return SlackChallenge{parsed.value->TextAt("challenge")};
  if (type != "event_callback") return SlackIgnored{"type"};
  return ReadEvent(app, *parsed.value);
}

SlackIntake ReadForm(std::string_view body) {
  const auto fields = ParseForm(body);
  const std::string* payload =
      fields && fields->size() == 1 ? FindField(*fields, "payload") : nullptr;
  if (payload == nullptr) return SlackRefusal::kMalformed;
  const router::JsonParsed parsed = router::ParseJson(*payload);
  if (!parsed.value || !parsed.value->IsObject()) return SlackRefusal::kMalformed;
  return ReadInteraction(*parsed.value);
}

}  // namespace

SlackIntake ReadSlackDelivery(const router::AppId& app, std::string_view signing_secret,
                              const SlackDelivery& delivery, router::TimePoint now) {
  if (!IsSignedBySlack(signing_secret, delivery, now)) return SlackRefusal::kBadSignature;
  const std::string_view body = router::Trim(delivery.body);
  return body.starts_with('{') ? ReadJson(app, body) : ReadForm(delivery.body);
}

}  // namespace writ::connectors
