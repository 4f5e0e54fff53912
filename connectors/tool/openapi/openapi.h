#pragma once

#include <string>
#include <vector>

#include "connectors/tool/http_tool/http_tool.h"
#include "router/base/json.h"

namespace writ::connectors {

struct OpenApiOptions {
  std::vector<std::string> operations;  // operationIds, `*` for any run of characters
  std::string base_url;                 // empty: what the document's `servers` say
};

struct OpenApiFault {
  std::string pointer;  // JSON pointer into the document
  std::string text;     // never a value of the document
};

struct OpenApiTools {
  std::string base_url;
  std::vector<HttpTool> tools;
  std::vector<OpenApiFault> faults;    // where there are any, the tools are not to be used
  std::vector<std::size_t> unmatched;  // of `operations`: those that choose nothing
};

// Makes the chosen operations of an OpenAPI 3.0 or 3.1 document tools: the operationId is the name,
// parameters are properties of the arguments, and a JSON body is the property `body`. References
// within the document are kept (`$defs`), those out of it are faults: nothing is fetched. What a
// tool cannot do as the document says (a body that is no JSON, a required cookie) is a fault, too.
// Pure.
[[nodiscard]] OpenApiTools ToolsOf(const router::Json& document, const OpenApiOptions& options);

}  // namespace writ::connectors
