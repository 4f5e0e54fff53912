#include "router/turn/call_words.h"

#include <algorithm>
#include <chrono>

#include "router/base/text.h"

namespace writ::router {
namespace {

constexpr std::size_t kLongestName = 200;  // longer than any connector's own

// Why a call was refused, in fixed words: the reason itself names keys of the arguments, which the
// binding may not want shown.
TextKey RefusedKey(std::string_view status) {
  if (status == "nobody_to_ask") return TextKey::kSummaryNobody;
  if (status == "invalid_arguments") return TextKey::kSummaryInvalid;
  if (status == "unknown_tool") return TextKey::kSummaryUnknownTool;
  return TextKey::kSummaryBlocked;
}

std::string WithReason(std::string_view words, const std::string& reason) {
  if (reason.empty()) return std::string(words);
  return std::string(words) + ": " + ShowInvisible(reason);
}

// A call that failed may have run: then the connector answered, and no status was given to it.
bool Ran(const Call& call) { return call.state != CallState::kFailed || call.status.empty(); }

}  // namespace

std::string ShownName(const Call& call) {
  const std::string_view kept = FirstCharacters(call.name, kLongestName);
  return ShowInvisible(kept) + (kept.size() < call.name.size() ? "…" : "");
}

std::string PersonIn(const Turn& turn, const UserId& user) {
  return LabelOf(user == turn.author ? turn.author_name : "", user.text());
}

std::string OutcomeWords(const Call& call, const Texts& texts) {
  switch (call.state) {
    case CallState::kHeld:
      return texts.Say(TextKey::kSummaryWaiting);
    case CallState::kReady:
    case CallState::kSending:
      return texts.Say(TextKey::kSummaryRunning);
    case CallState::kDone:
      return WithReason(texts.Say(TextKey::kSummaryDone), call.reason);
    case CallState::kFailed:
      return Ran(call) ? texts.Say(TextKey::kSummaryToolError)
                       : WithReason(texts.Say(TextKey::kSummaryFailed), call.reason);
    case CallState::kOutcomeUnknown:
      return WithReason(texts.Say(TextKey::kSummaryUnknown), call.reason);
    case CallState::kDenied:
      return WithReason(texts.Say(TextKey::kSummaryDeclined), call.reason);
    case CallState::kExpired:
      return texts.Say(TextKey::kSummaryExpired);
    case CallState::kCancelled:
      return texts.Say(TextKey::kSummaryCancelled);
    case CallState::kRefused:
      return texts.Say(RefusedKey(call.status));
  }
  return "";
}

std::string ApprovedEarlier(const Turn& turn, const Call& call, const Texts& texts) {
  if (!call.approval || !call.approval->decision) return "";
  const Decision& decision = *call.approval->decision;
  if (decision.consent.empty()) return "";
  return texts.Say(TextKey::kApprovedEarlier,
                   {{"name", PersonIn(turn, decision.consent_user)},
                    {"until", FormatTime(decision.consent_until.value_or(TimePoint{}))},
                    {"consent", decision.consent.text()}});
}

std::string LineOf(const Turn& turn, const Call& call) {
  std::string name = ShownName(call);
  switch (call.state) {
    case CallState::kHeld: {
      const UserId asked = WhoAnswers(call);
      const std::string what = call.question ? "'s answer, not finished" : "'s approval, not run";
      if (asked.empty()) return name + " waits for the backend" + what;
      std::string who = CleanName(asked == turn.author ? turn.author_name : "");
      if (who.empty()) who = CleanName(asked.text());
      return name + " waits for " + who + what;
    }
    case CallState::kReady:
      return name + " may run, not run yet";
    case CallState::kSending:
      return "called " + name + ": no result yet";
    case CallState::kDone:
      return (call.reason.empty() ? "called " + name : name) + ": " +
             (call.reason.empty() ? "done" : call.reason);
    case CallState::kFailed:
      return Ran(call) ? "called " + name + ": failed" : name + ": failed, not run";
    case CallState::kOutcomeUnknown:
      return "called " + name + ": outcome unknown";
    case CallState::kDenied:
    case CallState::kExpired:
    case CallState::kCancelled:
    case CallState::kRefused:
      return name + ": " + std::string(OutcomeOf(call.state)) + ", not run";
  }
  return name;
}

std::string TimeLeft(Duration left) {
  const auto seconds =
      std::chrono::floor<std::chrono::seconds>(std::max(left, Duration{0})).count();
  const auto hours = seconds / 3600;
  const auto minutes = seconds / 60 % 60;
  if (hours > 0) return std::to_string(hours) + " h " + std::to_string(minutes) + " min";
  std::string rest = std::to_string(seconds % 60) + " s";
  if (minutes == 0) return rest;
  return std::to_string(minutes) + " min" + (seconds % 60 == 0 ? "" : " " + rest);
}

}  // namespace writ::router
