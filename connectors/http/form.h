#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace writ::connectors {

// Fields of application/x-www-form-urlencoded, decoded, in their order; a repeated name is there
// twice.
using FormFields = std::vector<std::pair<std::string, std::string>>;

// nullopt where an escape is broken.  source: WHATWG URL, section 5.1
[[nodiscard]] std::optional<FormFields> ParseForm(std::string_view body);
[[nodiscard]] std::string FormBody(const FormFields& fields);

// The first field of that name, or nullptr.
[[nodiscard]] const std::string* FindField(const FormFields& fields, std::string_view name);

}  // namespace writ::connectors
