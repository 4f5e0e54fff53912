#pragma once

#include <optional>
#include <string>

#include "router/base/json.h"
#include "router/tool/connector.h"

namespace writ::connectors {

// What a result of the kind `input_required` asks for. The server never gets an answer that no
// person gave, so what no person can be asked in a channel ends the call.
struct InputRequired {
  enum class Kind {
    kQuestions,   // `needed`: forms for a person
    kStateOnly,   // nothing is asked: the same call may be sent again, with `needed.request_state`
    kImpossible,  // a model, a folder, a visit to a page, or nothing at all: `message`
  };
  Kind kind = Kind::kImpossible;
  router::InputNeeded needed;
  std::string message;  // the server's words, where it has any
};

// Reads it; nullopt where the result is of another kind. Pure.
// source: MCP 2026-07-28, basic/patterns/mrtr and client/elicitation
[[nodiscard]] std::optional<InputRequired> ReadInputRequired(const router::Json& result);

}  // namespace writ::connectors
