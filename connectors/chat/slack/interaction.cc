#include "connectors/chat/slack/interaction.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace writ::connectors {
namespace {

using router::Json;

constexpr std::string_view kCall = "tool_call_id";
constexpr std::string_view kRequest = "request_id";

std::string IdAt(const Json& payload, std::string_view key) {
  const Json* object = payload.Find(key);
  return object == nullptr ? "" : object->TextAt("id");
}

// `team` is null where a whole Grid has the app.
SlackPresser PresserOf(const Json& payload) {
  SlackPresser presser;
  const Json* user = payload.Find("user");
  if (user == nullptr) return presser;
  presser.user = user->TextAt("id");
  presser.home = user->TextAt("team_id");
  presser.place.team = IdAt(payload, "team");
  presser.place.enterprise = IdAt(payload, "enterprise");
  if (presser.place.team.empty()) presser.place.team = presser.home;
  return presser;
}

std::optional<SlackClick::Button> ButtonOf(const std::string& action) {
  if (action == kSlackAllow) return SlackClick::Button::kAllow;
  if (action == kSlackDecline) return SlackClick::Button::kDecline;
  if (action == kSlackEdit) return SlackClick::Button::kEdit;
  return std::nullopt;
}

SlackIntake ReadClick(const Json& payload) {
  const Json* actions = payload.Find("actions");
  if (actions == nullptr || !actions->IsArray() || actions->array().empty()) {
    return SlackIgnored{"no action"};
  }
  const Json& action = actions->array().front();
  const auto button = ButtonOf(action.TextAt("action_id"));
  if (!button) return SlackIgnored{"no button of ours"};
  SlackClick click;
  click.button = *button;
  const Json value = router::ParseJson(action.TextAt("value")).value.value_or(Json());
  click.approval = router::ApprovalId(value.TextAt(kRequest));
  click.call = router::CallId(value.TextAt(kCall));
  click.presser = PresserOf(payload);
  click.trigger_id = payload.TextAt("trigger_id");
  click.response_url = payload.TextAt("response_url");
  click.channel = IdAt(payload, "channel");
  if (const Json* container = payload.Find("container")) {
    if (std::string channel = container->TextAt("channel_id"); !channel.empty()) {
      click.channel = std::move(channel);
    }
    click.thread = container->TextAt("thread_ts");
  }
  if (click.presser.user.empty() || click.approval.empty()) return SlackIgnored{"nobody's press"};
  return click;
}

SlackIntake ReadSubmission(const Json& payload) {
  const Json* view = payload.Find("view");
  if (view == nullptr || view->TextAt("callback_id") != kSlackEdit) {
    return SlackIgnored{"no form of ours"};
  }
  SlackSubmission submission;
  submission.approval = router::ApprovalId(view->TextAt("private_metadata"));
  submission.presser = PresserOf(payload);
  const Json* found = view;
  for (const char* key : {"state", "values", kSlackEditBlock, kSlackEditField}) {
    found = found == nullptr ? nullptr : found->Find(key);
  }
  if (found != nullptr) submission.text = found->TextAt("value");
  if (submission.presser.user.empty() || submission.approval.empty()) {
    return SlackIgnored{"nobody's form"};
  }
  return submission;
}

}  // namespace

std::string SlackButtonValue(const router::CallId& call, const router::ApprovalId& approval) {
  return Json::MakeObject(
             {{std::string(kCall), call.text()}, {std::string(kRequest), approval.text()}})
      .Dump();
}

SlackIntake ReadInteraction(const Json& payload) {
  const std::string type = payload.TextAt("type");
  if (type == "block_actions") return ReadClick(payload);
  if (type == "view_submission") return ReadSubmission(payload);
  return type.empty() ? SlackIntake(SlackRefusal::kMalformed) : SlackIgnored{"type"};
}

}  // namespace writ::connectors
