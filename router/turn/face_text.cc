#include "router/turn/face_text.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "router/base/text.h"
#include "router/tool/shown_text.h"
#include "router/turn/call_words.h"
#include "router/turn/step.h"

namespace writ::router {
namespace {

std::string Cut(std::string_view text, std::size_t longest, const Texts& texts) {
  if (CountCharacters(text) <= longest) return std::string(text);
  const std::string said = "\n\n" + texts.Say(TextKey::kTextCut);
  const std::size_t mark = std::min(CountCharacters(said), longest);
  return std::string(FirstCharacters(text, longest - mark)) +
         std::string(FirstCharacters(said, mark));
}

// Longer than any run of backticks within.
std::string FenceFor(std::string_view text) {
  std::size_t longest = 2;
  std::size_t run = 0;
  for (const char character : text) {
    run = character == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  return std::string(longest + 1, '`');
}

// Shown as code: Markdown would draw `[safe](http://evil)` as `safe`, and nobody consents to what
// they could not see.
std::string AsCode(const std::string& text, const std::string& fence) {
  return '\n' + fence + '\n' + text + '\n' + fence;
}

struct Ask {
  const Call* call;
  std::string sentence;
};

Ask AskOf(const Turn& turn, const Call& call, TimePoint now, const Texts& texts) {
  const ApprovalRecord& approval = *StandingAsk(call);
  const UserId asked = WhoAnswers(call);
  TextKey key = call.question ? TextKey::kAskAnswer : TextKey::kAsk;
  if (asked.empty()) {
    key = call.question ? TextKey::kAskAnswerBackend : TextKey::kAskBackend;
  }
  return {&call, texts.Say(key, {{"name", PersonIn(turn, asked)},
                                 {"call", ShownName(call)},
                                 {"time_left", TimeLeft(approval.expires_at - now)},
                                 {"until", FormatTime(approval.expires_at)}})};
}

// The ask with its arguments in at most `room` characters; the sentence itself is never cut.
std::string AskText(const Ask& ask, std::size_t room, const FaceWords& words) {
  const Call& call = *ask.call;
  const ShownText asked = ShownOf(call);
  if (asked.text.empty()) return ask.sentence;
  const std::string fence = FenceFor(asked.text);
  const std::string note = ' ' + WhereTheWholeIs(call, words);
  std::string whole = ask.sentence + (asked.cut ? note : "") + AsCode(asked.text, fence);
  if (CountCharacters(whole) <= room) return whole;
  const std::size_t used = CountCharacters(ask.sentence + note + AsCode("", fence));
  const ShownText shown = FitShown(asked.text, room - std::min(used, room), CountCharacters);
  return ask.sentence + note + (shown.text.empty() ? "" : AsCode(shown.text, fence));
}

std::string HeldText(const Turn& turn, const FaceLimits& limits, TimePoint now,
                     const Texts& texts) {
  const FaceWords words{texts, limits.inbox_url};
  std::vector<Ask> asks;
  for (const Call& call : turn.calls) {
    if (call.state == CallState::kHeld && StandingAsk(call) != nullptr)
      asks.push_back(AskOf(turn, call, now, texts));
  }
  std::string text;
  std::size_t left = limits.text_characters;
  for (std::size_t i = 0; i < asks.size(); ++i) {
    const std::size_t blank = i == 0 ? 0 : 2;
    const std::size_t share = left / (asks.size() - i);
    const std::string ask = AskText(asks[i], share - std::min(blank, share), words);
    if (i > 0) text += "\n\n";
    text += ask;
    left -= std::min(left, CountCharacters(ask) + blank);
  }
  return Cut(text, limits.text_characters, texts);
}

TextKey StepWord(CallState state) {
  switch (state) {
    case CallState::kHeld:
    case CallState::kReady:
    case CallState::kSending:
      return TextKey::kStepRunning;
    case CallState::kDone:
      return TextKey::kStepDone;
    case CallState::kFailed:
      return TextKey::kStepFailed;
    case CallState::kOutcomeUnknown:
      return TextKey::kStepUnknown;
    case CallState::kDenied:
      return TextKey::kStepDeclined;
    case CallState::kExpired:
      return TextKey::kStepExpired;
    case CallState::kCancelled:
      return TextKey::kStepCancelled;
    case CallState::kRefused:
      return TextKey::kStepRefused;
  }
  return TextKey::kStepRunning;
}

// A line a step, the newest where not all of them fit.
std::string StepsText(const Turn& turn, std::size_t longest, const Texts& texts) {
  std::vector<std::string> lines;
  std::size_t used = 2;  // for the mark
  for (std::size_t i = turn.calls.size(); i-- > 0;) {
    const Call& call = turn.calls[i];
    std::string line = ShownName(call) + ": " + texts.Say(StepWord(call.state));
    used += CountCharacters(line) + 1;
    if (used > longest) {
      lines.emplace_back("…");
      break;
    }
    lines.push_back(std::move(line));
  }
  std::string text;
  std::ranges::reverse(lines);
  for (const std::string& line : lines) {
    if (!text.empty()) text += '\n';
    text += line;
  }
  return text.empty() ? texts.Say(TextKey::kWorking) : text;
}

}  // namespace

std::string FaceTextOf(const Turn& turn, const FaceLimits& limits, TimePoint now,
                       const Texts& texts) {
  switch (turn.state) {
    case TurnState::kAwaitingApproval:
      if (std::string text = HeldText(turn, limits, now, texts); !text.empty()) return text;
      return StepsText(turn, limits.text_characters, texts);
    case TurnState::kQueued:
    case TurnState::kThinking:
    case TurnState::kCalling:
      return StepsText(turn, limits.text_characters, texts);
    case TurnState::kCompleted:
    case TurnState::kFailed:
    case TurnState::kCancelled:
      break;
  }
  if (!Trim(turn.reply).empty()) {
    return Cut(texts.InTheseWords(turn.reply), limits.text_characters, texts);
  }
  return texts.Say(turn.state == TurnState::kCancelled ? TextKey::kTurnCancelled
                                                       : TextKey::kNothingToSay);
}

}  // namespace writ::router
