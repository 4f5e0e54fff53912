#pragma once

#include <string_view>

namespace writ::bot {

// Files that stand in the program (assets.S).
[[nodiscard]] std::string_view DemoScript();   // the model's
[[nodiscard]] std::string_view DemoPage();     // page/index.html
[[nodiscard]] std::string_view DemoStyle();    // page/demo.css
[[nodiscard]] std::string_view DemoProgram();  // page/demo.js

}  // namespace writ::bot
