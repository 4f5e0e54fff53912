#include "router/turn/call_words.h"

#include <algorithm>
#include <chrono>

#include "router/base/text.h"

namespace writ::router {
namespace {

constexpr std::size_t kLongestName = 200;  // longer than any connector's own

// Why a call was refused, in fixed words: the reason itself names keys of the arguments, which the
// binding may not want shown.
std::string_view RefusedWords(std::string_view status) {
  if (status == "nobody_to_ask") return "Refused: there is nobody to ask";
  if (status == "invalid_arguments") return "Refused: the arguments are not valid";
  if (status == "unknown_tool") return "Refused: there is no such tool";
  return "Refused: blocked by a rule";
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

std::string OutcomeWords(const Call& call) {
  switch (call.state) {
    case CallState::kHeld:
      return "Waiting for approval";
    case CallState::kReady:
    case CallState::kSending:
      return "Running";
    case CallState::kDone:
      return WithReason("Done", call.reason);
    case CallState::kFailed:
      return Ran(call) ? "The tool reported an error" : WithReason("Failed", call.reason);
    case CallState::kOutcomeUnknown:
      return WithReason("Sent, but whether it was done is unknown", call.reason);
    case CallState::kDenied:
      return WithReason("Declined", call.reason);
    case CallState::kExpired:
      return "Expired: nobody answered in time";
    case CallState::kCancelled:
      return "Cancelled";
    case CallState::kRefused:
      return std::string(RefusedWords(call.status));
  }
  return "";
}

std::string LineOf(const Turn& turn, const Call& call) {
  const std::string name = ShownName(call);
  switch (call.state) {
    case CallState::kHeld: {
      const ApprovalRecord* ask = StandingAsk(call);
      const UserId asked = ask != nullptr ? ask->asked : UserId{};
      if (asked.empty()) return name + " waits for the backend's approval, not run";
      std::string who = CleanName(asked == turn.author ? turn.author_name : "");
      if (who.empty()) who = CleanName(asked.text());
      return name + " waits for " + who + "'s approval, not run";
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
  const std::string rest = std::to_string(seconds % 60) + " s";
  if (minutes == 0) return rest;
  return std::to_string(minutes) + " min" + (seconds % 60 == 0 ? "" : " " + rest);
}

}  // namespace writ::router
