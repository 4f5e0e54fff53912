#include "bot/config/read_connector.h"

#include <optional>
#include <utility>

#include "bot/config/read_before_call.h"
#include "bot/config/read_http.h"
#include "bot/config/read_schema.h"

namespace writ::bot {

using connectors::McpEra;
using connectors::McpOptions;
using router::ApprovalRule;
using router::Approver;
using router::Binding;
using router::ShowArguments;

namespace {

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
    if (const Node callback = node["callback"]; callback.exists()) {
      binding.approver = Approver::kCallback;
      binding.callback_failure_to_writer = callback["on_failure"].Text("backend") == "writer";
      return;
    }
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
  binding.before_call = ReadBeforeCall(node["before_call"]);
  binding.remember_max = node["remember_max_s"].Seconds(binding.remember_max);
  binding.remember_match = node["remember_match"].Texts();
  if (node["remember_match"].exists() && binding.remember_max.count() == 0) {
    node["remember_match"].Fault("means nothing without remember_max_s");
  }
  return binding;
}

// `audience` is the system that is told for whom: its address, or the connector's id.
std::optional<router::Forwarding> ReadForwarding(const Node& node, std::string audience) {
  const Node secret = node["forward_secret"];
  if (!node["forward_writer"].Flag(false)) return std::nullopt;
  if (!secret.exists()) node["forward_writer"].Fault("it asks for a forward_secret to sign with");
  return router::Forwarding{secret.ReadSecret().Reveal(), std::move(audience)};
}

connectors::StdioCommand ReadCommand(const Node& node) {
  connectors::StdioCommand command;
  command.argv = node["command"].Texts();
  command.folder = node["cwd"].Text();
  for (const std::string& name : node["env"].Keys()) {
    command.environment.emplace_back(name, node["env"][name].ReadSecret().Reveal());
    // It would end there for the program.
    if (command.environment.back().second.find('\0') != std::string::npos) {
      node["env"][name].Fault("a variable's value holds no zero byte");
    }
  }
  return command;
}

McpOptions ReadMcp(const Node& node) {
  McpOptions options;
  options.name = node["id"].Text();
  options.url = node["url"].Url();
  options.headers = ReadHeaders(node["headers"]);
  options.command = ReadCommand(node);
  const std::string era = node["era"].Text("auto");
  options.era = era == "2025-11-25"   ? McpEra::k20251125
                : era == "2026-07-28" ? McpEra::k20260728
                                      : McpEra::kAuto;
  return options;
}

}  // namespace

ConnectorConfig ReadConnector(const Node& node) {
  ConnectorConfig config;
  config.binding = ReadBinding(node);
  if (node["kind"].Text() == "mcp") {
    config.reach = ReadMcp(node);
  } else if (node["kind"].Text() == "client") {
    config.binding.tools_of = router::ToolsOf::kDevice;
    config.reach = DeviceToolsConfig{};
  } else if (node["kind"].Text() == "backend") {
    config.binding.tools_of = router::ToolsOf::kBackend;
    const auto signed_calls = ReadCallback(node);
    config.reach = connectors::BackendToolsOptions{signed_calls.url, signed_calls.key};
  } else if (node["kind"].Text() == "openapi") {
    config.reach = ReadOpenApi(node);
  } else {
    config.reach = ReadHttp(node);
  }
  const Node address = node[node["url"].exists() ? "url" : "base_url"];
  config.binding.forwarding =
      ReadForwarding(node, address.exists() ? address.Text() : node["id"].Text());
  if (const Node callback = node["before_call"]["callback"]; callback.exists()) {
    config.before_call = ReadCallback(callback);
  }
  if (config.binding.approver == Approver::kCallback) {
    config.callback = ReadCallback(node["approver"]["callback"]);
  }
  return config;
}

}  // namespace writ::bot
