#pragma once

#include <string>
#include <string_view>

#include "router/base/json.h"
#include "router/tool/schema/schema.h"

namespace writ::router {

// The value of a JSON text, which the test knows to be one.
[[nodiscard]] Json Parsed(std::string_view text);

// The schema of a JSON text. Fails the test where it has a fault.
[[nodiscard]] Schema Compiled(std::string_view text, SchemaOptions options = {});

// The pointer of the schema's first fault and its text, `/items: must be a schema`; "" without one.
[[nodiscard]] std::string FaultOf(std::string_view text, SchemaOptions options = {});

// "valid", "invalid", "cannot judge", or "fault" where the schema does not compile.
[[nodiscard]] std::string JudgedValue(const Json& schema, const Json& data);
[[nodiscard]] std::string Judged(std::string_view schema, std::string_view data);

}  // namespace writ::router
