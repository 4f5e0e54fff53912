#include "router/turn/turn_news.h"

#include <utility>

#include "router/base/time.h"
#include "router/turn/face.h"

namespace writ::router {
namespace {

Json TextOrNull(const std::string& text) { return text.empty() ? Json() : Json(text); }

Json Of(const Turn& turn) { return Json::MakeObject({{"command_id", turn.id.text()}}); }

Json CommandOf(const Turn& turn) {
  Json data = Of(turn);
  data.Set("session_id", turn.session.text());
  data.Set("state", NameOf(turn.state));
  data.Set("writer", TextOrNull(turn.writer.text()));
  data.Set("initiator", TextOrNull(turn.initiator.text()));
  data.Set("text", turn.text);
  data.Set("created_at", FormatTime(turn.created_at));
  return data;
}

// nullopt: they know it already, whatever its revision.
std::optional<TurnNews> StepNews(const Turn& turn, const Call& call, ToldOfTurn& told) {
  Json step = StepOf(turn, call);
  step.Set("revision", Json(0));
  std::string text = step.Dump();
  std::string& known = told.steps[call.id];
  if (known == text) return std::nullopt;
  known = std::move(text);
  step.Set("revision", Json(turn.revision));
  Json data = Of(turn);
  data.Set("step", std::move(step));
  return TurnNews{"step.updated", std::move(data)};
}

// A device of the owner's may take the call now; taking it tells the arguments.
std::optional<TurnNews> OfferNews(const Turn& turn, const Call& call, ToldOfTurn& told) {
  const bool is_offered = call.state == CallState::kReady && call.outside && call.answer_by;
  if (!is_offered || std::exchange(told.offered[call.id], true)) return std::nullopt;
  Json data = Of(turn);
  data.Set("call_id", call.id.text());
  data.Set("tool", call.tool);
  data.Set("name", call.name);
  data.Set("answer_by", FormatTime(*call.answer_by));
  return TurnNews{"tool.call", std::move(data)};
}

std::string_view EndOf(TurnState state) {
  switch (state) {
    case TurnState::kCompleted:
      return "turn.completed";
    case TurnState::kFailed:
      return "turn.failed";
    case TurnState::kCancelled:
      return "turn.cancelled";
    case TurnState::kQueued:
    case TurnState::kThinking:
    case TurnState::kCalling:
    case TurnState::kAwaitingApproval:
      break;
  }
  return "";
}

}  // namespace

std::vector<TurnNews> NewsOf(const Turn& turn, ToldOfTurn& told) {
  std::vector<TurnNews> news;
  if (!told.state) news.push_back({"command.created", CommandOf(turn)});
  const bool was_begun = told.state && *told.state != TurnState::kQueued;
  if (!was_begun && turn.state != TurnState::kQueued) news.push_back({"turn.started", Of(turn)});
  for (const Call& call : turn.calls) {
    if (auto step = StepNews(turn, call, told)) news.push_back(*std::move(step));
    if (auto offer = OfferNews(turn, call, told)) news.push_back(*std::move(offer));
  }
  if (turn.state == TurnState::kAwaitingApproval && told.state != turn.state) {
    news.push_back({"turn.awaiting_approval", Of(turn)});
  }
  if (turn.revision > told.revision) {
    Json data = Of(turn);
    data.Set("revision", Json(turn.revision));
    data.Set("state", NameOf(turn.state));
    data.Set("text", TextOrNull(turn.reply));
    news.push_back({"reply.updated", std::move(data)});
  }
  if (HasEnded(turn.state) && told.state != turn.state) {
    Json data = Of(turn);
    data.Set("state", NameOf(turn.state));
    data.Set("reply", TextOrNull(turn.reply));
    data.Set("ended_at", turn.ended_at ? Json(FormatTime(*turn.ended_at)) : Json());
    news.push_back({EndOf(turn.state), std::move(data)});
  }
  told.state = turn.state;
  told.revision = turn.revision;
  return news;
}

}  // namespace writ::router
