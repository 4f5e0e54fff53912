#pragma once

#include <string_view>

namespace writ::router {

// What the channel is told in plain words where the model has none: in English, as stores and the
// API have it. texts.h says it in the configuration's words and in the person's language.
inline constexpr std::string_view kNothingToSay = "I have nothing to add.";
inline constexpr std::string_view kModelRefused = "I can't help with that.";
inline constexpr std::string_view kCutOffMark = "\n\n[The reply was cut off here.]";
inline constexpr std::string_view kModelUnavailable =
    "I could not answer: the language model is not available right now. Please try again later.";
inline constexpr std::string_view kModelMisconfigured =
    "I could not answer: the language model refused the request. Please tell an operator.";
inline constexpr std::string_view kConversationTooLong =
    "I could not answer: this conversation is too long for the language model.";
inline constexpr std::string_view kTokensUsedUp =
    "I could not answer: what I may use of the language model in a day is used up. Please try "
    "again "
    "tomorrow.";
inline constexpr std::string_view kTurnTimedOut =
    "I ran out of time before I could finish. Anything that was still waiting was cancelled.";
inline constexpr std::string_view kTooManySteps =
    "I stopped: this needed more steps than I am allowed to take.";
inline constexpr std::string_view kTurnGivenUp =
    "Something went wrong on my side and I could not finish this.";
inline constexpr std::string_view kTurnCancelled = "This was cancelled.";
inline constexpr std::string_view kWorking = "Working on it.";
inline constexpr std::string_view kQueueFull =
    "Too many messages are waiting here, so I can't take more right now. Please try again in a "
    "while.";
inline constexpr std::string_view kEditedByAnother =
    "A message that waited for an answer was changed by somebody else, so I will not answer it. "
    "Please write it again.";
inline constexpr std::string_view kTextCutMark = "\n\n[Cut here: too long for this channel.]";

}  // namespace writ::router
