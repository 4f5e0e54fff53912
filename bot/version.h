#pragma once

#include <string_view>

namespace writ::bot {

// `0.1.0 (1a2b3c4d5e6f)`: the release and the commit that it was built from; `…-changed` where the
// tree had changes beside it, `unknown` where the sources came without their history. Its source is
// written by cmake/version.cmake at each build.
[[nodiscard]] std::string_view Version();

}  // namespace writ::bot
