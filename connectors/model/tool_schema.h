#pragma once

#include <string>
#include <variant>
#include <vector>

#include "router/base/json.h"
#include "router/model/model.h"

namespace writ::connectors {

struct SchemaRules {
  bool plain_keys = false;  // property keys match ^[a-zA-Z0-9_.-]{1,64}$ (Anthropic)
};

struct UnfitSchema {
  std::string why;
};

// A tool's input schema in the form that a provider takes: an object with `type` and `properties`.
// What would make the provider refuse every request is unfit, and its tool is left out: a keyword
// that combines schemas at the top, a `$ref` to somewhere else, an odd property key.
// source: Anthropic's and OpenAI's documentation of tools
[[nodiscard]] std::variant<router::Json, UnfitSchema> FitSchema(const router::Json& schema,
                                                                const SchemaRules& rules);

struct FittedTools {
  std::vector<router::OfferedTool> tools;
  std::vector<std::string> left_out;  // `tool: why`
};

[[nodiscard]] FittedTools FitTools(const std::vector<router::OfferedTool>& tools,
                                   const SchemaRules& rules);

}  // namespace writ::connectors
