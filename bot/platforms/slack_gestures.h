#pragma once

#include "bot/http/request.h"
#include "bot/routes/held_calls.h"
#include "connectors/chat/slack/intake.h"
#include "connectors/chat/slack/slack_client.h"

namespace writ::bot {

// A press on one of our buttons: answers, or opens the form in which the call is edited. What comes
// of it shows in the message; whoever it does not come from is told so, they alone.
void Press(connectors::SlackClient& client, const HeldCalls& calls,
           const connectors::SlackClick& click);

// The form was sent: an empty 200 closes it, else it says what is wrong and stays.
[[nodiscard]] Response Submit(const HeldCalls& calls,
                              const connectors::SlackSubmission& submission);

}  // namespace writ::bot
