#pragma once

#include <string_view>

namespace writ::router {

// What the channel is told in plain words where the model has none.
inline constexpr std::string_view kNothingToSay = "I have nothing to add.";
inline constexpr std::string_view kModelRefused = "I can't help with that.";
inline constexpr std::string_view kCutOffMark = "\n\n[The reply was cut off here.]";
inline constexpr std::string_view kModelUnavailable =
    "I could not answer: the language model is not available right now. Please try again later.";
inline constexpr std::string_view kModelMisconfigured =
    "I could not answer: the language model refused the request. Please tell an operator.";
inline constexpr std::string_view kConversationTooLong =
    "I could not answer: this conversation is too long for the language model.";
inline constexpr std::string_view kTurnTimedOut =
    "I ran out of time before I could finish. Anything that was still waiting was cancelled.";
inline constexpr std::string_view kTooManySteps =
    "I stopped: this needed more steps than I am allowed to take.";
inline constexpr std::string_view kTurnGivenUp =
    "Something went wrong on my side and I could not finish this.";
inline constexpr std::string_view kTurnCancelled = "This was cancelled.";
inline constexpr std::string_view kWorking = "Working on it.";
inline constexpr std::string_view kTextCutMark = "\n\n[Cut here: too long for this channel.]";

}  // namespace writ::router
