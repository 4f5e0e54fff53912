#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "router/base/json.h"
#include "router/model/model.h"

namespace writ::connectors {

// When a rule of a script fits. What is absent asks nothing.
struct ScriptCondition {
  std::optional<std::string> last_user_contains;  // in the last text that people said
  std::optional<std::string> last_user_words;     // a pattern of heard_words.h, of the same text
  std::optional<int> after_results;               // so many rounds of calls came after that text
  std::optional<bool> any_results;                // whether there was such a round at all
  std::optional<std::string> result_contains;     // in a result of the last round
  std::optional<std::string> tool_offered;
};

struct ScriptCall {
  std::string tool;        // as it is offered
  router::Json arguments;  // an object, or a string that is sent as it is, broken or not
};

struct ScriptReply {
  std::string text;
  std::vector<ScriptCall> calls;
  std::chrono::milliseconds delay{0};
};

struct ScriptRule {
  ScriptCondition when;
  ScriptReply reply;
};

// A script: its first rule that fits answers. README.md beside this file has the format.
struct Script {
  std::vector<ScriptRule> rules;
};

struct ScriptFault {
  std::string what;  // with a JSON pointer to the place
};

[[nodiscard]] std::variant<Script, ScriptFault> ParseScript(std::string_view text);
// Reads the file at `path` (config key `model.path`).
[[nodiscard]] std::variant<Script, ScriptFault> LoadScript(const std::string& path);

struct ScriptedAnswer {
  router::ModelReply reply;
  std::chrono::milliseconds delay{0};
};

// What the script says to `request`. Pure.
[[nodiscard]] ScriptedAnswer AnswerFrom(const Script& script, const router::ModelRequest& request);

}  // namespace writ::connectors
