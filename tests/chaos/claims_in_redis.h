#pragma once

#include <filesystem>
#include <vector>

#include "tests/chaos/evidence.h"

namespace writ::chaos {

// Each row of work that names a node, as the server's append-only file has it: in the order of the
// commits. `folder` is the one of that file's parts, none of which was rewritten.
// throws  std::runtime_error where that can't be read
[[nodiscard]] std::vector<ClaimSeen> ClaimsInAppendOnlyFile(const std::filesystem::path& folder);

}  // namespace writ::chaos
