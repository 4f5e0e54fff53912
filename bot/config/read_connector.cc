#include "bot/config/read_connector.h"

#include <optional>
#include <utility>

#include "router/tool/schema/schema.h"

namespace writ::bot {

using connectors::HttpTool;
using connectors::HttpToolOptions;
using connectors::McpEra;
using connectors::McpOptions;
using router::ApprovalRule;
using router::Approver;
using router::Binding;
using router::ShowArguments;

namespace {

// A schema that can be seen to be wrong is a fault now, not when a call comes.
std::optional<router::Schema> CompileSchema(const Node& node) {
  router::SchemaCompiled compiled = router::Schema::Compile(node.json());
  if (!compiled.schema) {
    node.Fault("not a JSON Schema that can be evaluated: " + compiled.fault.text +
               (compiled.fault.pointer.empty() ? "" : " (at " + compiled.fault.pointer + ')'));
  }
  return std::move(compiled.schema);
}

ApprovalRule ReadRule(const Node& node) {
  if (node.json().IsString()) {
    return {node.Text(), std::nullopt, ""};
  }
  ApprovalRule rule{node["tool"].Text(), std::nullopt, node["hint"].Text()};
  if (const Node when = node["when"]; when.exists()) {
    rule.when = CompileSchema(when);
  }
  return rule;
}

void ReadHolds(const Node& node, Binding& binding) {
  if (!node.exists()) {
    return;
  }
  binding.hold_all = node.json().IsBool();
  binding.hold_unless_read_only = node.json().IsString();
  if (node.json().IsArray()) {
    for (const Node& entry : node.Items()) {
      binding.hold.push_back(ReadRule(entry));
    }
  }
}

void ReadApprover(const Node& node, Binding& binding) {
  if (node.exists() && node.json().IsObject()) {
    binding.approver = Approver::kAutoDeny;
    binding.auto_deny_reason = node["auto_deny"]["reason"].Text();
    return;
  }
  const std::string name = node.Text("writer");
  binding.approver = name == "backend"        ? Approver::kBackend
                     : name == "auto_approve" ? Approver::kAutoApprove
                     : name == "auto_deny"    ? Approver::kAutoDeny
                                              : Approver::kWriter;
}

ShowArguments ReadShowArguments(const Node& node) {
  const std::string name = node.Text("redacted");
  return name == "all"    ? ShowArguments::kAll
         : name == "none" ? ShowArguments::kNone
                          : ShowArguments::kRedacted;
}

Binding ReadBinding(const Node& node) {
  Binding binding;
  binding.id = router::ConnectorId(node["id"].Text());
  if (node["allow"].exists()) {
    binding.allow = node["allow"].Texts();
  }
  binding.deny = node["deny"].Texts();
  ReadHolds(node["require_approval"], binding);
  ReadApprover(node["approver"], binding);
  binding.trusted = node["trusted"].Flag(binding.trusted);
  binding.idempotent = node["idempotent"].Texts();
  binding.show_arguments = ReadShowArguments(node["show_arguments"]);
  binding.redact = node["redact"].Texts();
  binding.timeout = node["timeout_s"].Seconds(binding.timeout);
  return binding;
}

router::HttpHeaders ReadHeaders(const Node& node) {
  router::HttpHeaders headers;
  for (const std::string& name : node.Keys()) {
    const Node entry = node[name];
    std::string value = entry.ReadSecret().Reveal();
    // A line break would begin a header of its own.
    if (value.find_first_of(std::string_view("\r\n\0", 3)) != std::string::npos) {
      entry.Fault("a header's value is one line");
    }
    headers.emplace_back(name, std::move(value));
  }
  return headers;
}

McpOptions ReadMcp(const Node& node) {
  McpOptions options;
  options.name = node["id"].Text();
  options.url = node["url"].Url();
  options.headers = ReadHeaders(node["headers"]);
  options.era = node["era"].Text("auto") == "auto" ? McpEra::kAuto : McpEra::k20251125;
  return options;
}

HttpTool ReadHttpTool(const Node& node) {
  const Node input_schema = node["input_schema"];
  HttpTool tool{node["name"].Text(), node["description"].Text(), node["method"].Text("POST"),
                node["path"].Text(), input_schema.json()};
  if (CompileSchema(input_schema)) {
    if (const std::optional<std::string> fault = connectors::FaultOf(tool)) {
      node.Fault(*fault);
    }
  }
  return tool;
}

HttpToolOptions ReadHttp(const Node& node) {
  HttpToolOptions options{
      node["id"].Text(), node["base_url"].Url(), ReadHeaders(node["headers"]), {}};
  for (const Node& entry : node["tools"].Items()) {
    options.tools.push_back(ReadHttpTool(entry));
    for (std::size_t earlier = 0; earlier + 1 < options.tools.size(); ++earlier) {
      if (options.tools[earlier].name == options.tools.back().name) {
        entry["name"].Fault("a tool of that name stands before");
      }
    }
  }
  return options;
}

}  // namespace

ConnectorConfig ReadConnector(const Node& node) {
  if (node["kind"].Text() == "mcp") {
    return {ReadBinding(node), ReadMcp(node)};
  }
  return {ReadBinding(node), ReadHttp(node)};
}

}  // namespace writ::bot
