#pragma once

#include <string>

#include "connectors/tool/http_tool/http_tool.h"
#include "router/base/json.h"

namespace writ::connectors {

// Adds `value` to a query (`?a=1&b=2`, or empty), percent-encoded; a null adds nothing.
void AddToQuery(const QueryParameter& parameter, const router::Json& value, std::string& query);

}  // namespace writ::connectors
