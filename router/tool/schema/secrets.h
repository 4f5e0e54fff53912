#pragma once

#include <set>
#include <string>

#include "router/base/json.h"
#include "router/tool/schema/schema.h"

namespace writ::router {

// The JSON pointers of the values in `data` that are not to be shown: the schema says `writeOnly`
// or `format: password` of them, in any branch that may apply, whatever the data would choose
// (contract section 4). What lies within such a value is secret with it. Where the search takes
// more steps than one Validate() may, everything is: {""}. The same holds for a schema that does
// not compile, which is the caller's to see to.
[[nodiscard]] std::set<std::string> SecretPointers(const Schema& schema, const Json& data);

}  // namespace writ::router
