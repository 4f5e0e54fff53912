#include "tests/fuzz/replay.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

namespace writ::fuzz {
namespace {

namespace fs = std::filesystem;

std::string ReadFile(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<fs::path> InputsOf(const std::string& target) {
  std::vector<fs::path> inputs;
  for (const char* kept : {"corpus", "crashes"}) {
    const fs::path folder = fs::path("tests/fuzz") / kept / target;
    if (!fs::exists(folder)) continue;
    for (const auto& entry : fs::directory_iterator(folder)) inputs.push_back(entry.path());
  }
  std::ranges::sort(inputs);
  return inputs;
}

}  // namespace

void Replay(const std::string& target, const std::function<void(std::string_view)>& fuzz) {
  fuzz("");
  const std::vector<fs::path> inputs = InputsOf(target);
  ASSERT_FALSE(inputs.empty()) << "nothing is kept for " << target;
  for (const fs::path& input : inputs) {
    SCOPED_TRACE(input.string());
    try {
      fuzz(ReadFile(input));
    } catch (const std::exception& fault) {
      ADD_FAILURE() << fault.what();
    }
  }
}

}  // namespace writ::fuzz
