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

// `connector__tool`: the name that people, rules and records have.
[[nodiscard]] std::string TrueName(const ConnectorId& connector, const std::string& tool);

}  // namespace writ::router
