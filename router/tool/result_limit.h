#pragma once

#include <cstddef>

namespace writ::router {

// So much is kept of what a tool answers, in bytes. A result that no provider would take whole
// would end the conversation (docs of both say 400).
inline constexpr std::size_t kLongestResult = 200'000;

}  // namespace writ::router
