#pragma once

#include <string>

#include "router/base/json.h"
#include "router/tool/binding.h"
#include "router/tool/shelf.h"

namespace writ::router {

// Arguments as a channel may show them: one `key: value` a line in canonical order of keys, nested
// paths as `a.b[0]`, invisible characters as `\u202e`. contract section 4, `show_arguments`.
struct ShownArguments {
  std::string text;
  bool cut = false;  // something longer than 64 characters was cut; keys and shorter scalars never
};
[[nodiscard]] ShownArguments ShowArgumentsOf(const Binding& binding, const ShelvedTool& tool,
                                             const Json& arguments);

}  // namespace writ::router
