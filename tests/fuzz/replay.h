#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace writ::fuzz {

// Gives the target each input that was kept for it: tests/fuzz/corpus/TARGET, tests/fuzz/crashes/
// TARGET. A failure names the file.
void Replay(const std::string& target, const std::function<void(std::string_view)>& fuzz);

}  // namespace writ::fuzz
