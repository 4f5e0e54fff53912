#pragma once

#include <variant>

#include "connectors/tool/http_tool/http_tool.h"
#include "connectors/tool/http_tool/path_template.h"
#include "router/base/http.h"
#include "router/tool/connector.h"

namespace writ::connectors {

// The request of a call: each argument goes where the tool has a place for it, and what has none is
// the query of a GET or DELETE, else the JSON body, digit for digit. Pure.
[[nodiscard]] std::variant<router::HttpRequest, BadArgument> RequestOf(
    const HttpToolOptions& options, const HttpTool& tool, const router::CallRequest& call);

}  // namespace writ::connectors
