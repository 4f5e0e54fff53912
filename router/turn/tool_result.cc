// What the model is told of one call.
#include <string_view>
#include <utility>

#include "router/base/text.h"
#include "router/tool/result_limit.h"
#include "router/turn/transcript.h"

namespace writ::router {
namespace {

// Why a server did not look at a call is said early, or never.
constexpr std::size_t kLongestRefusal = 10'000;

std::string Whole(const std::string& result) {
  if (Trim(result).empty()) return "(no output)";  // providers refuse empty text
  const std::string_view kept = CutAtCharacter(result, kLongestResult);
  if (kept.size() == result.size()) return result;
  return std::string(kept) + "\n[cut: " + std::to_string(result.size() - kept.size()) + " of " +
         std::to_string(result.size()) + " bytes left out]";
}

bool Answered(const Call& call) {
  return call.state == CallState::kDone ||
         (call.state == CallState::kFailed && call.status.empty());
}

std::string_view StatusOf(const Call& call) {
  if (!call.status.empty()) return call.status;
  // Nobody may be asked to go on without a result: what is out still counts as unknown.
  return IsSettled(call.state) ? OutcomeOf(call.state) : "outcome_unknown";
}

std::string_view WhyNot(std::string_view status) {
  if (status == "declined") return "the person who was asked declined";
  if (status == "expired") return "nobody answered in time";
  if (status == "cancelled") return "it was cancelled before it ran";
  if (status == "nobody_to_ask") return "this needs consent, and there is nobody to ask";
  if (status == "outcome_unknown") return "it was sent, and whether it was done is unknown";
  return "it did not run";
}

}  // namespace

ToolResult ResultOf(const Call& call) {
  ToolResult result{call.provider_id, call.offered_name, "", true};
  if (!Answered(call)) {
    const std::string_view status = StatusOf(call);
    Json told = Json::MakeObject(
        {{"status", status},
         {"reason", call.reason.empty() ? Json(WhyNot(status)) : Json(call.reason)}});
    if (!call.result.empty()) {
      told.Set("server_said", CutAtCharacter(call.result, kLongestRefusal));
    }
    result.text = told.Dump();
    return result;
  }
  result.is_error = call.result_is_error;
  result.text = Whole(call.result);
  const std::string& ran = ArgumentsToRun(call);
  if (ran == call.arguments) return result;
  JsonParsed edited = ParseJson(ran);
  result.text =
      Json::MakeObject({{"status", call.result_is_error ? "failed" : "done"},
                        {"edited_arguments", edited.value ? *std::move(edited.value) : Json(ran)},
                        {"result", result.text}})
          .Dump();
  return result;
}

}  // namespace writ::router
