#pragma once

#include "bot/http/request.h"
#include "bot/routes/held_calls.h"
#include "connectors/chat/slack/intake.h"
#include "connectors/chat/slack/slack_client.h"

namespace writ::bot {

// A press on one of our buttons: answers, or opens the form in which the call is edited. What comes
// of it shows in the message; whoever it does not come from is told so, they alone, and so is
// whoever pressed while the store could not be reached.
//
// throws  Failure{kTransient} in that case: nothing was decided
void Press(connectors::SlackClient& client, const HeldCalls& calls,
           const connectors::SlackClick& click);

// The form was sent: an empty 200 closes it, else it says what is wrong and stays.
[[nodiscard]] Response Submit(const HeldCalls& calls,
                              const connectors::SlackSubmission& submission);
// The form stays, where what came of it is not known in time. Sent again it says so.
[[nodiscard]] Response SubmittedLate();

}  // namespace writ::bot
