#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "router/tool/binding.h"
#include "router/tool/connector.h"
#include "router/tool/schema/schema.h"
#include "router/tool/tool.h"

namespace writ::router {

// A tool as a binding offers it: its schema read once.
struct ShelvedTool {
  Tool tool;
  std::string name;     // `connector__tool`
  bool allowed = true;  // by the binding's allow and deny
  std::optional<Schema> schema;
  std::string schema_fault;   // where it can't be read: the tool is not offered
  std::string schema_digest;  // SHA-256 of the schema's canonical text
  bool idempotent = false;    // by the binding (or a trusted server's own word)
};

// What one connector's list and one binding make of each other. Immutable once built.
class Shelf {
 public:
  Shelf(const Binding& binding, const ToolList& list);

  [[nodiscard]] const Binding& binding() const { return binding_; }
  [[nodiscard]] SteadyPoint fetched_at() const { return fetched_at_; }
  // The tool of that own name, allowed or not; nullptr where the connector lists none.
  [[nodiscard]] const ShelvedTool* Find(const std::string& tool) const;
  // Those that the model may be offered, in the connector's order; none where it is failing.
  [[nodiscard]] std::vector<const ShelvedTool*> Offered() const;
  // An entry of require_approval or before_call.deny without a wildcard that matches no listed tool
  // (a misspelt rule must not run things unasked): none of the connector's tools is offered or run.
  // Names the entry.
  [[nodiscard]] const std::optional<std::string>& failing() const { return failing_; }

 private:
  Binding binding_;
  SteadyPoint fetched_at_;
  std::vector<ShelvedTool> tools_;
  std::map<std::string, std::size_t> by_name_;
  std::optional<std::string> failing_;
};

}  // namespace writ::router
