#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "router/base/ids.h"
#include "router/tool/approver.h"
#include "router/tool/budget.h"
#include "router/tool/schema/schema.h"
#include "router/tool/tool.h"

namespace writ::router {

// How a call's arguments are shown in the channel.
enum class ShowArguments { kRedacted, kAll, kNone };

struct ApprovalRule {
  std::string tool;            // a name, or with `*`
  std::optional<Schema> when;  // held where the arguments validate against it; always without
  std::string hint;            // shown with the ask
};

// Arguments that a tool is never called with, whoever asks for it and whoever would allow it.
struct DenyRule {
  std::string tool;            // a name, or with `*`
  std::optional<Schema> when;  // denied where the arguments validate against it; always without
  std::string reason;          // as the model is told
};

// What is looked at before the approval rule (`before_call`); the backend is asked through Check.
struct BeforeCall {
  std::vector<DenyRule> deny;
  std::optional<std::size_t> max_arguments_bytes;  // of their canonical text
  Budgets budgets;                                 // of this connector's calls
};

// `forward_writer`: each call says on whose behalf it is made (on_behalf.h).
struct Forwarding {
  std::string secret;
  std::string audience;  // the connector's address; its id where it has none
};

// A connector as an agent is allowed to use it. Plain data from the configuration.
struct Binding {
  ConnectorId id;
  ToolsOf tools_of = ToolsOf::kServer;
  std::vector<std::string> allow{"*"};  // names or wildcards
  std::vector<std::string> deny;
  bool hold_all = false;               // `require_approval: true`
  bool hold_unless_read_only = false;  // `"unless_read_only"`; believes `trusted` servers alone
  std::vector<ApprovalRule> hold;
  Approver approver = Approver::kWriter;
  std::string auto_deny_reason;
  // kCallback: what it fails to decide is the writer's; else it is the backend's alone.
  bool callback_failure_to_writer = false;
  bool trusted = false;
  std::vector<std::string> idempotent;  // names or wildcards: may be sent again after a crash
  ShowArguments show_arguments = ShowArguments::kRedacted;
  std::vector<std::string> redact;  // JSON pointers, `*` for any key or index
  std::chrono::milliseconds timeout{30000};
  BeforeCall before_call;
  std::optional<Forwarding> forwarding;
  // How long a person may consent to calls like one that they allow; zero: not at all.
  std::chrono::milliseconds remember_max{0};
  // JSON pointers: what such calls must share with it, where each leads to a value; else, and
  // without any, all arguments.
  std::vector<std::string> remember_match;
};

}  // namespace writ::router
