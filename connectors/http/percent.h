#pragma once

#include <string>
#include <string_view>

namespace writ::connectors {

// Percent-encodes all but RFC 3986's unreserved characters: fit for one segment of a path, for a
// name or value of a query, and for one of a form.
[[nodiscard]] std::string PercentEncode(std::string_view text);

}  // namespace writ::connectors
