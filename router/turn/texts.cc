#include "router/turn/texts.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "router/base/text.h"
#include "router/turn/sentences.h"

namespace writ::router {
namespace {

using enum TextKey;

constexpr std::size_t kLongest = 500;
constexpr const char* kEnglishName = "en";

constexpr auto kRules = std::to_array<TextRule>({
    {kAsk, "ask", "Waiting for {name} to allow {call}, {time_left} left (until {until}).",
     "name! call! time_left until"},
    {kAskBackend, "ask_backend",
     "Waiting for the app's backend to allow {call}, {time_left} left (until {until}).",
     "call! time_left until"},
    {kAskAnswer, "ask_answer",
     "Waiting for {name} to answer what {call} asks, {time_left} left (until {until}).",
     "name! call! time_left until"},
    {kAskAnswerBackend, "ask_answer_backend",
     "Waiting for the app's backend to answer what {call} asks, {time_left} left (until {until}).",
     "call! time_left until"},
    {kBackendIsAsked, "backend_is_asked", "The app's backend is asked.", ""},
    {kNotAllShown, "not_all_shown", "Not all of it is shown here (it is marked {mark}).", "mark!"},
    {kSeeWhole, "see_whole", "See the whole call before you answer.", ""},
    {kSeeWholeAt, "see_whole_at", "See the whole call before you answer, and answer there: {link}",
     "link!"},
    {kArgumentsNotShown, "arguments_not_shown", "The arguments are not shown here.", ""},
    {kAllowQuestion, "allow_question", "Allow {call}?", "call!"},
    {kAllow, "allow", "Allow", ""},
    {kDecline, "decline", "Decline", ""},
    {kQuestionTitle, "question_title", "{call} asks", "call!"},
    {kAnswer, "answer", "Answer", ""},
    {kToolAsks, "tool_asks", "The tool asks, in its own words:", ""},
    {kChanged, "changed", "Changed before it was allowed: {keys}", "keys!"},
    {kApprovedEarlier, "approved_earlier",
     "Approved earlier by {name} until {until}, consent {consent}.", "name! until! consent!"},
    {kSummaryWaiting, "summary_waiting", "Waiting for approval", ""},
    {kSummaryRunning, "summary_running", "Running", ""},
    {kSummaryDone, "summary_done", "Done", ""},
    {kSummaryToolError, "summary_tool_error", "The tool reported an error", ""},
    {kSummaryFailed, "summary_failed", "Failed", ""},
    {kSummaryUnknown, "summary_outcome_unknown", "Sent, but whether it was done is unknown", ""},
    {kSummaryDeclined, "summary_declined", "Declined", ""},
    {kSummaryExpired, "summary_expired", "Expired: nobody answered in time", ""},
    {kSummaryCancelled, "summary_cancelled", "Cancelled", ""},
    {kSummaryNobody, "summary_nobody_to_ask", "Refused: there is nobody to ask", ""},
    {kSummaryInvalid, "summary_invalid_arguments", "Refused: the arguments are not valid", ""},
    {kSummaryUnknownTool, "summary_unknown_tool", "Refused: there is no such tool", ""},
    {kSummaryBlocked, "summary_blocked", "Refused: blocked by a rule", ""},
    {kStepRunning, "step_running", "running", ""},
    {kStepDone, "step_done", "done", ""},
    {kStepFailed, "step_failed", "failed", ""},
    {kStepUnknown, "step_outcome_unknown", "outcome unknown", ""},
    {kStepDeclined, "step_declined", "declined", ""},
    {kStepExpired, "step_expired", "expired", ""},
    {kStepCancelled, "step_cancelled", "cancelled", ""},
    {kStepRefused, "step_refused", "refused", ""},
    {kWorking, "working", router::kWorking, ""},
    {kNothingToSay, "nothing_to_say", router::kNothingToSay, ""},
    {kModelRefused, "model_refused", router::kModelRefused, ""},
    {kCutOff, "cut_off", "[The reply was cut off here.]", ""},
    {kModelUnavailable, "model_unavailable", router::kModelUnavailable, ""},
    {kModelMisconfigured, "model_misconfigured", router::kModelMisconfigured, ""},
    {kConversationTooLong, "conversation_too_long", router::kConversationTooLong, ""},
    {kTurnTimedOut, "turn_timed_out", router::kTurnTimedOut, ""},
    {kTooManySteps, "too_many_steps", router::kTooManySteps, ""},
    {kTurnGivenUp, "turn_given_up", router::kTurnGivenUp, ""},
    {kTurnCancelled, "turn_cancelled", router::kTurnCancelled, ""},
    {kTextCut, "text_cut", "[Cut here: too long for this channel.]", ""},
    {kQueueFull, "queue_full", router::kQueueFull, ""},
    {kEditedByAnother, "edited_by_another", router::kEditedByAnother, ""},
    {kEdit, "edit", "Edit", ""},
    {kEditTitle, "edit_title", "Edit the call", ""},
    {kEditLabel, "edit_label", "Arguments, as JSON", ""},
    {kBack, "back", "Back", ""},
    {kNotYours, "not_yours", "Only {name} can answer this.", "name!"},
    {kNothingWaits, "nothing_waits", "Nothing here waits for your answer.", ""},
    {kAlreadyAllowed, "already_allowed", "This was allowed already.", ""},
    {kAlreadyDeclined, "already_declined", "This was declined already.", ""},
    {kAlreadyExpired, "already_expired", "Nobody answered this in time, so it was not done.", ""},
    {kAlreadyCancelled, "already_cancelled", "This was cancelled, so it was not done.", ""},
    {kTryAnswerAgain, "try_answer_again",
     "I could not check your answer just now. Please try again in a moment.", ""},
    {kAnswerByCode, "answer_by_code", "Reply APPROVE {code} or DENY {code}.", "code!"},
    {kWhichCode, "which_code",
     "To answer, reply APPROVE or DENY and the code of what you were asked.", ""},
    {kWrongCode, "wrong_code", "Nothing waits for an answer with that code.", ""},
    {kNoMoreCodes, "no_more_codes",
     "Too many wrong codes. Codes are not taken from this number for an hour.", ""},
    {kTookAllowed, "took_allowed", "Allowed: {call}.", "call!"},
    {kTookDeclined, "took_declined", "Declined: {call}.", "call!"},
    {kOnlyWords, "only_words", "I can read words alone, no pictures or other media.", ""},
    {kNoGroups, "no_groups",
     "I can't take part in group messages. Please write to this number alone.", ""},
});

constexpr bool StandInOrder() {
  for (std::size_t i = 0; i < kRules.size(); ++i) {
    if (kRules.at(i).key != static_cast<TextKey>(i)) return false;
  }
  return kRules.size() == static_cast<std::size_t>(kNoGroups) + 1;
}
static_assert(StandInOrder());

const TextRule& RuleOf(TextKey key) { return kRules.at(static_cast<std::size_t>(key)); }

const TextRule* FindRule(std::string_view name) {
  const auto found = std::ranges::find(kRules, name, &TextRule::name);
  return found == kRules.end() ? nullptr : &*found;
}

struct Placeholder {
  std::string_view name;
  bool required;
};

std::vector<Placeholder> PlaceholdersOf(const TextRule& rule) {
  std::vector<Placeholder> placeholders;
  std::string_view rest = rule.placeholders;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(' '), rest.size());
    std::string_view name = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    const bool required = name.ends_with('!');
    if (required) name.remove_suffix(1);
    placeholders.push_back({name, required});
  }
  return placeholders;
}

// Calls `plain` with each run of text and `value` with each `{name}`. False where a brace stands
// alone.
template <class Plain, class Value>
bool Walk(std::string_view text, const Plain& plain, const Value& value) {
  while (!text.empty()) {
    const std::size_t open = std::min(text.find_first_of("{}"), text.size());
    plain(text.substr(0, open));
    if (open == text.size()) return true;
    const std::size_t close = text.find('}', open);
    if (text[open] == '}' || close == std::string_view::npos) return false;
    value(text.substr(open + 1, close - open - 1));
    text.remove_prefix(close + 1);
  }
  return true;
}

// Whether something stands in it that people can't see and that scripts don't need: what would turn
// the call's name around, say.
bool HidesSomething(std::string_view text) {
  std::string kept(text);
  // No-break spaces and joiners, which French and Persian are written with; and line breaks.
  for (const std::string_view needed : {"\u00A0", "\u202F", "\u200C", "\u200D", "\n"}) {
    for (auto at = kept.find(needed); at != std::string::npos; at = kept.find(needed, at)) {
      kept.erase(at, needed.size());
    }
  }
  return ShowInvisible(kept) != kept;
}

}  // namespace

std::span<const TextRule> TextRules() { return kRules; }

std::optional<std::string> Texts::FaultOf(std::string_view name, std::string_view text) {
  const TextRule* rule = FindRule(name);
  if (rule == nullptr) return "is no text that is said";
  if (Trim(text).empty()) return "must say something";
  if (CountCharacters(text) > kLongest) return "must have at most 500 characters";
  if (HidesSomething(text)) return "holds characters that can't be seen";
  const std::vector<Placeholder> known = PlaceholdersOf(*rule);
  std::vector<std::string_view> used;
  const bool closed = Walk(
      text, [](std::string_view) {}, [&](std::string_view value) { used.push_back(value); });
  if (!closed) return "has a brace that belongs to no {placeholder}";
  for (const std::string_view value : used) {
    if (std::ranges::find(known, value, &Placeholder::name) == known.end()) {
      return "knows no placeholder {" + ShowInvisible(FirstCharacters(value, 64)) + "}";
    }
  }
  for (const Placeholder& placeholder : known) {
    if (placeholder.required && std::ranges::find(used, placeholder.name) == used.end()) {
      return "must hold {" + std::string(placeholder.name) + "}";
    }
  }
  return std::nullopt;
}

void Texts::Set(std::string_view name, std::string text) {
  if (const TextRule* rule = FindRule(name)) said_[rule->key] = std::move(text);
}

std::string Texts::Say(TextKey key, std::initializer_list<Value> values) const {
  const auto said = said_.find(key);
  const std::string_view text = said == said_.end() ? RuleOf(key).english : said->second;
  std::string out;
  // Once through: what a value holds is never taken for a placeholder.
  Walk(
      text, [&](std::string_view plain) { out += plain; },
      [&](std::string_view name) {
        for (const Value& value : values) {
          if (value.name == name) out += value.text;
        }
      });
  return out;
}

std::string Texts::InTheseWords(std::string_view sentence) const {
  if (sentence.ends_with(kCutOffMark)) {
    sentence.remove_suffix(kCutOffMark.size());
    return std::string(sentence) + "\n\n" + Say(TextKey::kCutOff);
  }
  for (const TextRule& rule : kRules) {
    if (rule.key >= TextKey::kWorking && rule.english == sentence) return Say(rule.key);
  }
  return std::string(sentence);
}

TextsByLanguage::TextsByLanguage(const Said& said) {
  if (const auto english = said.find(kEnglishName); english != said.end()) {
    for (const auto& [name, text] : english->second) english_.Set(name, text);
  }
  for (const auto& [language, texts] : said) {
    Texts& spoken = languages_.try_emplace(language, english_).first->second;
    for (const auto& [name, text] : texts) spoken.Set(name, text);
  }
}

const Texts& TextsByLanguage::For(std::string_view language) const {
  if (const auto exact = languages_.find(language); exact != languages_.end()) return exact->second;
  const auto plain = languages_.find(language.substr(0, language.find_first_of("-_")));
  return plain == languages_.end() ? english_ : plain->second;
}

}  // namespace writ::router
