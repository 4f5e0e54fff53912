#include "bot/routes/declared.h"

#include <algorithm>
#include <set>
#include <utility>

#include "router/flow/declared_tools.h"
#include "router/tool/schema/schema.h"

namespace writ::bot {
namespace {

using router::DeclaredTool;
using router::Json;
using router::ToolsOf;

constexpr std::size_t kMostTools = 64;
constexpr std::size_t kLongestSchema = std::size_t{32} << 10;
constexpr TextLength kNameLength{.max_characters = 64};
constexpr TextLength kTitleLength{.min_characters = 0, .max_characters = 200};
constexpr TextLength kDescriptionLength{.min_characters = 0, .max_characters = 4000};

// What every model's provider takes as a name.
bool IsName(const std::string& name) {
  return std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
  });
}

DeclaredTool ReadTool(const Json& json, const std::string& pointer, std::set<std::string>& names,
                      std::vector<FieldError>& errors) {
  FieldReader fields(json, pointer);
  DeclaredTool declared;
  declared.tool.name = fields.String("name", kNameLength);
  declared.tool.title = fields.OptionalString("title", kTitleLength).value_or("");
  declared.tool.description = fields.OptionalString("description", kDescriptionLength).value_or("");
  declared.tool.input_schema = fields.Object("input_schema");
  declared.require_approval = fields.OptionalBool("require_approval").value_or(false);
  if (!IsName(declared.tool.name)) fields.Fault("name", "may have letters, digits, _ and - alone");
  if (!names.insert(declared.tool.name).second) fields.Fault("name", "is another tool's, too");
  if (declared.tool.input_schema.Dump().size() > kLongestSchema) {
    fields.Fault("input_schema", "is longer than 32 KiB");
  } else if (auto compiled = router::Schema::Compile(declared.tool.input_schema);
             !compiled.schema) {
    fields.FaultAt(pointer + "/input_schema" + compiled.fault.pointer, compiled.fault.text);
  }
  if (auto problem = fields.Finish()) {
    errors.insert(errors.end(), problem->errors.begin(), problem->errors.end());
  }
  return declared;
}

void CheckKind(const router::AgentSetup& agent, const router::Session& session, ToolsOf tools_of,
               const std::vector<DeclaredTool>& declared, const std::string& pointer,
               std::vector<FieldError>& errors) {
  if (declared.empty()) return;
  const router::BoundConnector* bound = router::FindConnectorFor(agent, tools_of);
  if (bound == nullptr) {
    errors.push_back({pointer, "this agent has no connector for them"});
    return;
  }
  const auto shelf = router::ShelfOfDeclared(bound->binding, session);
  if (shelf->failing()) {
    errors.push_back({pointer, "a rule of the agent's names `" + *shelf->failing() +
                                   "`, which is none of them"});
  }
}

}  // namespace

std::vector<DeclaredTool> ReadDeclaredTools(FieldReader& fields, const std::string& name) {
  std::vector<DeclaredTool> tools;
  const Json* list = fields.OptionalValue(name);
  if (list == nullptr) return tools;
  if (!list->IsArray() || list->array().size() > kMostTools) {
    fields.Fault(name, "must be a list of at most 64 tools");
    return tools;
  }
  std::set<std::string> names;
  std::vector<FieldError> errors;
  tools.reserve(list->array().size());
  for (std::size_t i = 0; i < list->array().size(); ++i) {
    tools.push_back(
        ReadTool(list->array()[i], "/" + name + "/" + std::to_string(i), names, errors));
  }
  for (FieldError& error : errors)
    fields.FaultAt(std::move(error.pointer), std::move(error.detail));
  return tools;
}

void CheckDeclaredTools(const router::AgentSetup& agent, const router::Session& session,
                        std::vector<FieldError>& errors) {
  CheckKind(agent, session, ToolsOf::kDevice, session.device_tools, "/client_tools", errors);
  CheckKind(agent, session, ToolsOf::kBackend, session.backend_tools, "/server_tools", errors);
}

}  // namespace writ::bot
