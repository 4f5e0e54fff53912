#include <algorithm>
#include <set>
#include <string>

#include "tests/support/model_rules.h"

namespace writ::tests {
namespace {

using router::Json;
using Fault = std::optional<std::string>;

// The calls of the last assistant message that have no answer yet.
using Open = std::set<std::string>;

Fault Unanswered(const Open& open) {
  if (open.empty()) return std::nullopt;
  std::string ids;
  for (const std::string& id : open) ids += (ids.empty() ? "" : ", ") + id;
  return "An assistant message with 'tool_calls' must be followed by tool messages responding to "
         "each 'tool_call_id'. The following tool_call_ids did not have response messages: " +
         ids;
}

Fault CallFault(const Json& call, const std::string& at, Open& open) {
  const std::string id = call.TextAt("id");
  if (id.empty()) return "Missing required parameter: '" + at + ".id'.";
  if (!open.insert(id).second) return "Duplicate value for 'tool_call_id' of '" + id + "'.";
  const Json* function = call.Find("function");
  if (call.TextAt("type") != "function" || function == nullptr) {
    return "Missing required parameter: '" + at + ".function'.";
  }
  if (!IsToolName(function->TextAt("name"))) {
    return "Invalid '" + at + ".function.name': string does not match pattern.";
  }
  const auto arguments = router::ParseJson(function->TextAt("arguments"));
  if (!arguments.value || !arguments.value->IsObject()) {
    return "Assistant tool call function.arguments must be valid JSON";
  }
  return std::nullopt;
}

Fault AssistantFault(const Json& message, const std::string& at, Open& open) {
  const Json* calls = message.Find("tool_calls");
  if (calls == nullptr) {
    if (message.TextAt("content").empty())
      return "Invalid value for 'content': expected a string, got null.";
    return std::nullopt;
  }
  if (!calls->IsArray() || calls->array().empty()) {
    return "Invalid '" + at + ".tool_calls': empty array. Expected an array with minimum length 1";
  }
  for (std::size_t i = 0; i < calls->array().size(); ++i) {
    const std::string call_at = at + ".tool_calls[" + std::to_string(i) + "]";
    if (auto fault = CallFault(calls->array()[i], call_at, open)) return fault;
  }
  return std::nullopt;
}

Fault MessageFault(const Json& message, const std::string& at, Open& open) {
  const std::string role = message.TextAt("role");
  if (role == "tool") {
    if (open.erase(message.TextAt("tool_call_id")) == 0) {
      return "messages with role 'tool' must be a response to a preceeding message with "
             "'tool_calls'.";
    }
    if (!message.StringAt("content")) return "Invalid type for '" + at + ".content'.";
    return std::nullopt;
  }
  if (auto fault = Unanswered(open)) return fault;
  if (role == "assistant") return AssistantFault(message, at, open);
  if (role != "system" && role != "developer" && role != "user") {
    return "Invalid value: '" + role + "'.";
  }
  if (message.TextAt("content").empty()) return "Invalid '" + at + ".content': string too short.";
  return std::nullopt;
}

Fault ToolsFault(const Json& tools) {
  if (!tools.IsArray() || tools.array().empty()) return "[] is too short - 'tools'";
  std::set<std::string> names;
  for (const Json& tool : tools.array()) {
    const Json* function = tool.Find("function");
    if (tool.TextAt("type") != "function" || function == nullptr) {
      return "Missing required parameter: 'tools[0].function'.";
    }
    const std::string name = function->TextAt("name");
    if (!IsToolName(name))
      return "Invalid 'tools[0].function.name': string does not match pattern.";
    if (!names.insert(name).second) return "Tool names must be unique.";
    const Json* parameters = function->Find("parameters");
    if (auto fault = ToolSchemaFault(parameters)) {
      return "Invalid schema for function '" + name + "': " + *fault;
    }
    if (parameters->Find("properties") == nullptr) {
      return "Invalid schema for function '" + name + "': object schema missing properties";
    }
  }
  return std::nullopt;
}

}  // namespace

Fault OpenAiFault(const Json& body) {
  if (body.TextAt("model").empty()) return "you must provide a model parameter";
  if (body.Find("stream_options") != nullptr && body.BoolAt("stream") != true) {
    return "The 'stream_options' parameter is only allowed when 'stream' is enabled.";
  }
  const Json* messages = body.Find("messages");
  if (messages == nullptr || !messages->IsArray() || messages->array().empty()) {
    return "Missing required parameter: 'messages'.";
  }
  Open open;
  for (std::size_t i = 0; i < messages->array().size(); ++i) {
    const std::string at = "messages[" + std::to_string(i) + "]";
    if (auto fault = MessageFault(messages->array()[i], at, open)) return fault;
  }
  if (auto fault = Unanswered(open)) return fault;
  const Json* tools = body.Find("tools");
  return tools == nullptr ? std::nullopt : ToolsFault(*tools);
}

bool IsToolName(const std::string& name) {
  return !name.empty() && name.size() <= 64 && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
  });
}

Fault ToolSchemaFault(const Json* schema) {
  if (schema == nullptr || schema->TextAt("type") != "object") {
    return "schema must be a JSON Schema of 'type: \"object\"'";
  }
  for (const char* keyword : {"oneOf", "anyOf", "allOf", "enum", "not"}) {
    if (schema->Find(keyword) != nullptr) {
      return "schema must not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level";
    }
  }
  return std::nullopt;
}

}  // namespace writ::tests
