#pragma once

#include <string>

#include "router/base/json.h"
#include "tests/chaos/run.h"

namespace writ::chaos {

// What a run was and what it came to, for people (Markdown) and for programs.
[[nodiscard]] std::string TextOf(const RunOptions& options, const RunResult& result);
[[nodiscard]] router::Json JsonOf(const RunOptions& options, const RunResult& result);

}  // namespace writ::chaos
