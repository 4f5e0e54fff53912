#include "router/turn/backend_event.h"

#include <optional>
#include <utility>

#include "router/base/digest.h"
#include "router/base/failure.h"
#include "router/turn/approval_json.h"

namespace writ::router {
namespace {

using Kind = Happening::Kind;

constexpr std::size_t kIdDigits = 26;

Json TextOrNull(const std::string& text) { return text.empty() ? Json() : Json(text); }

// Empty: the backend is not told of it by an event of its own.
std::string_view TypeOf(const Happening& told, const Turn& after) {
  switch (told.kind) {
    case Kind::kAsked:
      return "approval.requested";
    case Kind::kHeld:
      return "tool.pending";
    case Kind::kDecided:
      return "approval.decided";
    case Kind::kExpired:
      return "approval.expired";
    case Kind::kCancelled:
      return "approval.cancelled";
    case Kind::kPutTo:
      return "approval.reassigned";
    case Kind::kProposed:
    case Kind::kUsed:
      return "";
    case Kind::kFinished:
      return "tool.finished";
    case Kind::kTurnEnded:
      break;
  }
  switch (after.state) {
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

Json ApprovalData(const ApprovalRecord& record, bool with_arguments) {
  if (!with_arguments) return MarkedApprovalJson(record);
  Json data = ApprovalJson(record);
  data.Set("args_mark", MarkOf(record));
  return data;
}

Json CallData(const Turn& turn, const Call& call, bool finished) {
  Json data = Json::MakeObject({{"run_id", turn.id.text()},
                                {"call_id", call.id.text()},
                                {"connector", TextOrNull(call.connector.text())},
                                {"tool", call.name},
                                {"args_mark", TextOrNull(call.mark)}});
  if (finished) data.Set("outcome", OutcomeOf(call.state));
  return data;
}

Json DataOf(const Happening& told, const Turn& after, bool with_arguments) {
  if (told.kind == Kind::kTurnEnded) {
    return Json::MakeObject({{"run_id", after.id.text()},
                             {"state", NameOf(after.state)},
                             {"writer", TextOrNull(after.writer.text())}});
  }
  const Call& call = *FindCall(after, told.call);
  if (!told.approval.empty()) return ApprovalData(RecordOf(call, told), with_arguments);
  return CallData(after, call, told.kind == Kind::kFinished);
}

// A call may wait again, for something else; its step's revision tells the times apart.
std::string SubjectOf(const Happening& told, const Turn& after) {
  return after.id.text() + '\n' + told.call.text() + '\n' + told.approval.text() + '\n' +
         std::to_string(after.revision);
}

}  // namespace

BackendEvent MakeEvent(std::string_view type, std::string_view subject, const AppId& app,
                       const Cid& cid, Json data, TimePoint now) {
  BackendEvent event;
  const std::string name = app.text() + '\n' + std::string(type) + '\n' + std::string(subject);
  event.id = "evt_" + Sha256Hex(name).substr(0, kIdDigits);
  event.body = Json::MakeObject({{"id", event.id},
                                 {"type", type},
                                 {"created_at", FormatTime(now)},
                                 {"app_id", app.text()},
                                 {"cid", TextOrNull(cid.text())},
                                 {"data", std::move(data)}})
                   .Dump();
  return event;
}

std::vector<BackendEvent> EventsOf(const std::vector<Happening>& told, const Turn& after,
                                   bool with_arguments, TimePoint now) {
  std::vector<BackendEvent> events;
  for (const Happening& one : told) {
    const std::string_view type = TypeOf(one, after);
    if (type.empty()) continue;
    events.push_back(MakeEvent(type, SubjectOf(one, after), after.app, after.cid,
                               DataOf(one, after, with_arguments), now));
  }
  return events;
}

TimePoint MadeAt(const std::string& body) {
  const JsonParsed parsed = ParseJson(body);
  const auto at = parsed.value ? ParseTime(parsed.value->TextAt("created_at")) : std::nullopt;
  if (!at) throw Failure(Failure::Kind::kPermanent, "event: its body is not one");
  return *at;
}

}  // namespace writ::router
