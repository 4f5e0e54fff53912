#pragma once

#include <string>
#include <vector>

#include "router/base/json.h"
#include "router/tool/connector.h"
#include "router/tool/gate.h"
#include "router/tool/shown_text.h"
#include "router/turn/approval_record.h"
#include "router/turn/turn.h"

namespace writ::router {

// What a tool asked instead of answering (MCP's `input_required`), as a record of kind `input` has
// it: its arguments are `{"<key>": {"message", "requestedSchema"}}`, in the tool's own words, and
// an answer's content is one object for one question, else `{"<key>": {…}}`.

inline constexpr std::string_view kInputKind = "input";

[[nodiscard]] std::string QuestionText(const InputNeeded& needed);  // canonical

// Whether a person could answer: each schema can be evaluated.
[[nodiscard]] bool CanBeAsked(const InputNeeded& needed);

// The questions and what each asks for, as a channel may show them: quoted, for they are not ours.
[[nodiscard]] ShownText ShownQuestion(const InputNeeded& needed);

// What is wrong with the content of an answer; nothing: it is what was asked for, and no more.
[[nodiscard]] std::vector<EditFault> CheckContent(const ApprovalRecord& question,
                                                  const Json& content);

// What goes to the tool with the call when it is sent again: the person's content, or their "no".
// nullopt where the call's tool asked nothing.
[[nodiscard]] std::optional<InputGiven> AnswerOf(const Call& call);

}  // namespace writ::router
