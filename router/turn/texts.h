#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace writ::router {

// Every sentence that people in a channel see and that no model, person or server wrote
// (docs/texts.md). English stands in texts.cc; the configuration may say each otherwise, for each
// language.
enum class TextKey : std::uint8_t {
  kAsk,
  kAskBackend,
  kAskAnswer,
  kAskAnswerBackend,
  kBackendIsAsked,
  kNotAllShown,
  kSeeWhole,
  kSeeWholeAt,
  kArgumentsNotShown,
  kAllowQuestion,
  kAllow,
  kDecline,
  kQuestionTitle,
  kAnswer,
  kToolAsks,
  kChanged,
  kApprovedEarlier,
  kSummaryWaiting,
  kSummaryRunning,
  kSummaryDone,
  kSummaryToolError,
  kSummaryFailed,
  kSummaryUnknown,
  kSummaryDeclined,
  kSummaryExpired,
  kSummaryCancelled,
  kSummaryNobody,
  kSummaryInvalid,
  kSummaryUnknownTool,
  kSummaryBlocked,
  kStepRunning,
  kStepDone,
  kStepFailed,
  kStepUnknown,
  kStepDeclined,
  kStepExpired,
  kStepCancelled,
  kStepRefused,
  kWorking,
  kNothingToSay,
  kModelRefused,
  kCutOff,
  kModelUnavailable,
  kModelMisconfigured,
  kConversationTooLong,
  kTurnTimedOut,
  kTooManySteps,
  kTurnGivenUp,
  kTurnCancelled,
  kTextCut,
  kQueueFull,
  kEditedByAnother,
  // Buttons, forms and answers on the platform itself.
  kEdit,
  kEditTitle,
  kEditLabel,
  kBack,
  kNotYours,
  kNothingWaits,
  kAlreadyAllowed,
  kAlreadyDeclined,
  kAlreadyExpired,
  kAlreadyCancelled,
  kTryAnswerAgain,
  kAnswerByCode,
  kWhichCode,
  kWrongCode,
  kNoMoreCodes,
  kTookAllowed,
  kTookDeclined,
  kOnlyWords,
  kNoGroups,
};

struct TextRule {
  TextKey key;
  std::string_view name;     // in the configuration
  std::string_view english;  // what is said unless it says otherwise
  // Names that may stand in it as `{name}`, one after the other with a space between; those with a
  // `!` must stand in it, so that no template hides the call, the person or where the whole is.
  std::string_view placeholders;
};
// One for each key, in their order.
[[nodiscard]] std::span<const TextRule> TextRules();

// The sentences in one language.
class Texts {
 public:
  // What stands for a placeholder: taken as it is, so it has to be fit for people already.
  struct Value {
    std::string_view name;
    std::string_view text;
  };

  // Why `name` is no sentence, or may not be said as `text`; nullopt: it is fine.
  [[nodiscard]] static std::optional<std::string> FaultOf(std::string_view name,
                                                          std::string_view text);
  // Says it so from now on. It has no fault.
  void Set(std::string_view name, std::string text);

  [[nodiscard]] std::string Say(TextKey key, std::initializer_list<Value> values = {}) const;

  // One of our sentences as stores and the API have it, in these words; anything else as it is. A
  // reply that was cut off ends with the English words for that.
  [[nodiscard]] std::string InTheseWords(std::string_view sentence) const;

 private:
  std::map<TextKey, std::string> said_;  // where it is not the English
};

// The sentences of an agent in each language that the configuration has.
class TextsByLanguage {
 public:
  // By language and name, without a fault. What a language does not say is said as in `en`.
  using Said = std::map<std::string, std::map<std::string, std::string>>;
  TextsByLanguage() = default;
  explicit TextsByLanguage(const Said& said);

  // Of `de-AT` that, else `de`, else `en`.
  [[nodiscard]] const Texts& For(std::string_view language) const;

 private:
  std::map<std::string, Texts, std::less<>> languages_;
  Texts english_;
};

}  // namespace writ::router
