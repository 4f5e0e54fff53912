#pragma once

#include <span>
#include <string_view>

#include "bot/pages/page_files.h"

namespace writ::bot {

// What of the demo stands in the program (assets.S).
[[nodiscard]] std::string_view DemoScript();              // the model's
[[nodiscard]] std::span<const PageFile> DemoPageFiles();  // / and what it loads

}  // namespace writ::bot
