#pragma once

#include <string>

#include "router/base/ids.h"
#include "router/base/json.h"

namespace writ::router {

// A tool as its connector lists it. Everything in here was written by the server: its hints are
// believed only where the binding says `trusted`, and its prose is never shown as ours.
struct Tool {
  std::string name;  // the connector's own
  std::string title;
  std::string description;
  Json input_schema;
  bool read_only_hint = false;
  bool idempotent_hint = false;
};

// Whose tools a connector's are, and who runs their calls.
enum class ToolsOf {
  kServer,  // the connector lists them
  kDevice,  // the session's owner declared them: they run on the device of theirs that takes a call
  kBackend,  // the app's backend declared them for the session, and runs them
};

// One that was declared when its session was opened.
struct DeclaredTool {
  Tool tool;
  bool require_approval = false;  // held, whatever the binding's own rules say
};

// `connector__tool`: the name that people, rules and records have.
[[nodiscard]] std::string TrueName(const ConnectorId& connector, const std::string& tool);

}  // namespace writ::router
