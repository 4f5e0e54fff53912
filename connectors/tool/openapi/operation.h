#pragma once

#include <string>
#include <vector>

#include "connectors/tool/http_tool/http_tool.h"
#include "connectors/tool/openapi/openapi.h"
#include "connectors/tool/openapi/references.h"
#include "connectors/tool/openapi/schema_writer.h"
#include "router/base/json.h"

namespace writ::connectors {

// An operation of a document and where it stands.
struct FoundOperation {
  std::string path;    // `/orders/{id}`
  std::string method;  // in upper case
  Place path_item;
  Place operation;
};

// The operation as a tool. What is wrong with it goes into `faults`; then the tool is of no use.
[[nodiscard]] HttpTool ToolOf(const router::Json& document, OpenApiVersion version,
                              const FoundOperation& found, std::vector<OpenApiFault>& faults);

}  // namespace writ::connectors
