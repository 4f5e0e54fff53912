#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#ifdef WRIT_LIBFUZZER
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#else
#include <gtest/gtest.h>

#include "tests/fuzz/replay.h"
#endif

namespace writ::fuzz {

// What a target promises of any input. Where it does not hold, both libFuzzer and the replay of the
// kept inputs end with these words.
inline void Require(bool holds, const char* promise) {
  if (!holds) throw std::logic_error(promise);
}

}  // namespace writ::fuzz

// One target, whose name is that of its file and of the folders of its inputs. `function` takes one
// input. Under libFuzzer it is the program; else a test that replays what was kept
// (docs/fuzzing.md). A failed expectation of gtest's within it ends the program, as a crash does.
#ifdef WRIT_LIBFUZZER
// NOLINTNEXTLINE(cppcoreguidelines-macro-usage)
#define WRIT_FUZZ_TARGET(name, function)                                                         \
  extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {            \
    testing::GTEST_FLAG(throw_on_failure) = true;                                                \
    function(std::string_view(reinterpret_cast<const char*>(data), data == nullptr ? 0 : size)); \
    return 0;                                                                                    \
  }
#else
// NOLINTNEXTLINE(cppcoreguidelines-macro-usage)
#define WRIT_FUZZ_TARGET(name, function) \
  TEST(FuzzInputs, name) { writ::fuzz::Replay(#name, function); }
#endif
