#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "router/base/json.h"
#include "router/tool/shelf.h"

namespace writ::router {

// What the rules say of one call, before anybody is asked.
struct Gated {
  enum class Verdict {
    kFree,
    kHeld,     // `hint` is the rule's
    kRefused,  // `status` and `reason` as the model is told them (contract section 5)
    kFaulty,   // a rule could not be judged: runs nothing, holds nothing; logged
  };
  Verdict verdict = Verdict::kRefused;
  std::string status;
  std::string reason;  // names keys and rules, never a value
  std::string hint;
  // Where the rule that decided stands in the binding: a JSON pointer like `/require_approval/1`.
  // Empty where no rule did.
  std::string rule;
  Json arguments;         // as read
  std::string canonical;  // their canonical text; empty where they could not be read
};

// Reads and validates the arguments and applies the binding's rules: their size and what is denied,
// then which calls are held. `""` is `{}` where the schema
// allows that; anything else that is no JSON object is `invalid_arguments`. Cannot-judge is never
// valid. `tool` is nullptr where the connector lists none: `unknown_tool`. A tool that is there but
// not allowed is `blocked`.
[[nodiscard]] Gated Gate(const Shelf& shelf, const ShelvedTool* tool,
                         std::string_view arguments_text);

// The same rules at the moment of use, with the list of now: why what was approved (or free) may
// no longer run. nullopt: it may. `schema_digest` is the one kept with the call. require_approval
// is not applied again. An edit (`edited`) is validated against the schema of now.
struct Stopped {
  std::string status;  // `blocked`, `unknown_tool`, `invalid_arguments`; `failed`: a faulty rule
  std::string reason;
};
[[nodiscard]] std::optional<Stopped> GateNow(const Shelf& shelf, const std::string& tool,
                                             const std::string& schema_digest,
                                             std::string_view arguments_to_run);

// Edited arguments, as a person or the backend sent them: validated against the tool's schema and
// the binding's own rules.
struct EditFault {
  std::string pointer;  // into the arguments; empty: the whole
  std::string detail;
};
[[nodiscard]] std::vector<EditFault> CheckEdit(const Binding& binding, const ShelvedTool& tool,
                                               const Json& arguments);

}  // namespace writ::router
