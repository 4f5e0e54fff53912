#pragma once

#include "bot/http/message.h"

namespace writ::bot {

// Whether the request is an event that a platform delivers: one that may wait, and be refused where
// the node has too much to do. What is sent as a form is a click or a text, and may be an answer.
[[nodiscard]] bool MayWait(const Message& message);

}  // namespace writ::bot
