#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "router/base/text.h"
#include "tests/support/model_rules.h"

namespace writ::tests {
namespace {

using router::Json;
using Fault = std::optional<std::string>;

struct Turn {
  std::string role;
  std::vector<Json> blocks;
};

// Neighbours of one role are one message to the service; a string is one text block.
std::vector<Turn> Merged(const Json& messages) {
  std::vector<Turn> turns;
  for (const Json& message : messages.array()) {
    const std::string role = message.TextAt("role");
    if (turns.empty() || turns.back().role != role) turns.push_back({role, {}});
    std::vector<Json>& blocks = turns.back().blocks;
    const Json* content = message.Find("content");
    if (content != nullptr && content->IsArray()) {
      blocks.insert(blocks.end(), content->array().begin(), content->array().end());
    } else {
      blocks.push_back(Json::MakeObject({{"type", "text"}, {"text", message.TextAt("content")}}));
    }
  }
  return turns;
}

bool Is(const Json& block, const char* type) { return block.TextAt("type") == type; }

Fault UseFault(const Turn& turn, const std::string& at, std::set<std::string>& all,
               std::set<std::string>& open) {
  for (const Json& block : turn.blocks) {
    if (!Is(block, "tool_use")) continue;
    const std::string id = block.TextAt("id");
    if (id.empty()) return at + ": tool_use.id: Field required";
    if (!all.insert(id).second) return at + ": `tool_use` ids must be unique";
    if (!IsToolName(block.TextAt("name"))) {
      return at + ": tool_use.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'";
    }
    const Json* input = block.Find("input");
    if (input == nullptr || !input->IsObject()) {
      return at + ": tool_use.input: Input should be a valid dictionary";
    }
    open.insert(id);
  }
  return std::nullopt;
}

Fault ResultFault(const Turn& turn, const std::string& at, std::set<std::string>& open) {
  std::set<std::string> answered;
  bool began_otherwise = false;
  for (const Json& block : turn.blocks) {
    if (!Is(block, "tool_result")) {
      began_otherwise = true;
      continue;
    }
    const std::string id = block.TextAt("tool_use_id");
    if (answered.contains(id)) {
      return at +
             ": each tool_use must have a single result. Found multiple `tool_result` blocks "
             "with id: " +
             id;
    }
    if (open.erase(id) == 0 || began_otherwise) {
      return at + ": unexpected `tool_use_id` found in `tool_result` blocks: " + id;
    }
    answered.insert(id);
  }
  if (open.empty()) return std::nullopt;
  return at + ": `tool_use` ids were found without `tool_result` blocks immediately after: " +
         *open.begin();
}

Fault TextFault(const Turn& turn) {
  const bool empty = std::any_of(turn.blocks.begin(), turn.blocks.end(), [](const Json& block) {
    return Is(block, "text") && router::Trim(block.TextAt("text")).empty();
  });
  if (empty) return "messages: text content blocks must be non-empty";
  return std::nullopt;
}

Fault MessagesFault(const std::vector<Turn>& turns) {
  if (turns.front().role != "user") return "messages: first message must use the \"user\" role";
  if (turns.back().role != "user") {
    return "This model does not support assistant message prefill. The conversation must end with "
           "a user message.";
  }
  std::set<std::string> all;
  std::set<std::string> open;
  for (std::size_t i = 0; i < turns.size(); ++i) {
    const std::string at = "messages." + std::to_string(i);
    if (turns[i].role != "user" && turns[i].role != "assistant") {
      return at + ".role: Input should be 'user' or 'assistant'";
    }
    if (auto fault = TextFault(turns[i])) return fault;
    auto fault = turns[i].role == "user" ? ResultFault(turns[i], at, open)
                                         : UseFault(turns[i], at, all, open);
    if (fault) return fault;
  }
  return std::nullopt;
}

bool HasCalls(const std::vector<Turn>& turns) {
  return std::any_of(turns.begin(), turns.end(), [](const Turn& turn) {
    return std::any_of(turn.blocks.begin(), turn.blocks.end(),
                       [](const Json& block) { return Is(block, "tool_use"); });
  });
}

Fault ToolsFault(const Json& tools) {
  std::set<std::string> names;
  for (const Json& tool : tools.array()) {
    const std::string name = tool.TextAt("name");
    if (!IsToolName(name)) return "tools.0.custom.name: String should match pattern";
    if (!names.insert(name).second) return "tools: Tool names must be unique.";
    const Json* schema = tool.Find("input_schema");
    if (auto fault = ToolSchemaFault(schema)) return "tools.0.custom.input_schema: " + *fault;
    const Json* properties = schema->Find("properties");
    if (properties == nullptr || !properties->IsObject()) continue;
    for (const auto& property : properties->object()) {
      std::string key = property.key;
      std::replace(key.begin(), key.end(), '.', '_');
      if (!IsToolName(key)) {
        return "tools.0.custom.input_schema.properties: Property keys should match pattern "
               "'^[a-zA-Z0-9_.-]{1,64}$'";
      }
    }
  }
  return std::nullopt;
}

}  // namespace

Fault AnthropicFault(const Json& body) {
  if (body.TextAt("model").empty()) return "model: Field required";
  if (body.IntAt("max_tokens").value_or(0) < 1) return "max_tokens: Field required";
  for (const char* sampling : {"temperature", "top_p", "top_k"}) {
    if (body.Find(sampling) != nullptr) {
      return std::string(sampling) + ": Extra inputs are not permitted";
    }
  }
  static const std::set<std::string, std::less<>> kKnown{
      "model",       "messages", "max_tokens", "system",      "tools",
      "tool_choice", "stream",   "metadata",   "thinking",    "stop_sequences",
      "temperature", "top_p",    "top_k",      "service_tier"};
  for (const auto& member : body.object()) {
    if (!kKnown.contains(member.key)) return member.key + ": Extra inputs are not permitted";
  }
  const Json* messages = body.Find("messages");
  if (messages == nullptr || !messages->IsArray() || messages->array().empty()) {
    return "messages: at least one message is required";
  }
  const std::vector<Turn> turns = Merged(*messages);
  if (auto fault = MessagesFault(turns)) return fault;
  const Json* tools = body.Find("tools");
  if (tools != nullptr && tools->IsArray()) return ToolsFault(*tools);
  if (HasCalls(turns))
    return "Requests which include `tool_use` or `tool_result` blocks must define tools";
  return std::nullopt;
}

}  // namespace writ::tests
