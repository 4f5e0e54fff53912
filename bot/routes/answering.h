#pragma once

#include <variant>

#include "bot/http/fields.h"
#include "bot/routes/api.h"
#include "bot/routes/call.h"
#include "router/flow/answer.h"

namespace writ::bot {

// Reads the body of an answer; lane, cid and owner are the route's to fill.
[[nodiscard]] std::variant<router::AnswerRequest, Problem> ReadAnswer(const Request& request);

[[nodiscard]] std::variant<router::AnswerRequest, Problem> ReadAnswerBody(const router::Json& body);

// The answer to a call that is held in the session of that id, whichever door it came through.
[[nodiscard]] Response AnswerInSession(const Api& api, const ApiCall& call,
                                       const std::string& session_id,
                                       std::variant<router::AnswerRequest, Problem> read);

// 204, or what the answer was refused for.
[[nodiscard]] Response GiveAnswer(const Api& api, const ApiCall& call,
                                  const router::AnswerRequest& request);

// A "no" runs nothing, so that what was edited beside it would be lost: whoever sent it meant a
// yes.
void FaultEditOfNo(FieldReader& fields);

// What is wrong inside `edited_arguments`.
[[nodiscard]] Problem EditInvalid(const std::vector<router::EditFault>& faults);

}  // namespace writ::bot
