#pragma once

#include <optional>
#include <string>
#include <vector>

#include "router/base/http.h"
#include "router/base/json.h"

namespace writ::connectors {

// One tool of an `http` connector, as the configuration has it (contract section 2).
struct HttpTool {
  std::string name;
  std::string description;
  std::string method = "POST";
  std::string path;           // `/orders/{order_id}/cancel`
  router::Json input_schema;  // an object
};

struct HttpToolOptions {
  std::string name;             // the binding's id, for the log
  std::string base_url;         // what stands before each path
  router::HttpHeaders headers;  // on every request; never logged
  std::vector<HttpTool> tools;
};

// What is wrong with a tool of the configuration (its method, a placeholder of its path that is
// no required property of the schema, …); nullopt: nothing.
[[nodiscard]] std::optional<std::string> FaultOf(const HttpTool& tool);

}  // namespace writ::connectors
