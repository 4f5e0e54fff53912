#include "router/tool/shelf.h"

#include <algorithm>
#include <utility>

#include "router/base/digest.h"
#include "router/tool/wildcard.h"

namespace writ::router {
namespace {

bool MatchesAny(const std::vector<std::string>& patterns, const std::string& name) {
  return std::ranges::any_of(
      patterns, [&](const std::string& pattern) { return MatchesWildcard(pattern, name); });
}

ShelvedTool Shelve(const Binding& binding, const Tool& tool) {
  ShelvedTool shelved;
  shelved.tool = tool;
  shelved.name = TrueName(binding.id, tool.name);
  shelved.allowed = MatchesAny(binding.allow, tool.name) && !MatchesAny(binding.deny, tool.name);
  shelved.schema_digest = Sha256Hex(tool.input_schema.Canonical());
  shelved.idempotent =
      MatchesAny(binding.idempotent, tool.name) || (binding.trusted && tool.idempotent_hint);
  SchemaCompiled compiled = Schema::Compile(tool.input_schema);
  shelved.schema = std::move(compiled.schema);
  if (!shelved.schema) shelved.schema_fault = compiled.fault.pointer + ": " + compiled.fault.text;
  return shelved;
}

}  // namespace

Shelf::Shelf(const Binding& binding, const ToolList& list)
    : binding_(binding), fetched_at_(list.fetched_at) {
  for (const Tool& tool : list.tools) {
    // A name listed twice means the first: one rule, one schema, one digest.
    if (!by_name_.emplace(tool.name, tools_.size()).second) continue;
    tools_.push_back(Shelve(binding_, tool));
  }
  const auto look = [&](const auto& rules) {
    const auto missing = std::ranges::find_if(rules, [&](const auto& rule) {
      return !HasWildcard(rule.tool) && !by_name_.contains(rule.tool);
    });
    if (missing != rules.end()) failing_ = missing->tool;
  };
  look(binding_.before_call.deny);
  look(binding_.hold);
}

const ShelvedTool* Shelf::Find(const std::string& tool) const {
  const auto found = by_name_.find(tool);
  return found == by_name_.end() ? nullptr : &tools_[found->second];
}

std::vector<const ShelvedTool*> Shelf::Offered() const {
  std::vector<const ShelvedTool*> offered;
  if (failing_) return offered;
  for (const ShelvedTool& tool : tools_) {
    if (tool.allowed && tool.schema) offered.push_back(&tool);
  }
  return offered;
}

}  // namespace writ::router
