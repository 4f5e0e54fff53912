#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <vector>

#include "tests/bench/node_under_load.h"
#include "tests/bench/world.h"
#include "tests/support/temporary_folder.h"

namespace writ::bench {

// What answers took, in milliseconds.
struct AnswerLatencies {
  std::vector<double> answered;  // to the answer's own 204
  std::vector<double> arrived;   // to the call at the CRM

  void Add(const AnswerLatencies& others);
};

// Anya's answers to calls that the node holds.
//
// rate  a second, in open loop; 0: each when the last one was answered
[[nodiscard]] AnswerLatencies GiveAnswers(World& world, const NodeUnderLoad& node,
                                          const std::vector<Held>& calls, double rate);

// A node with its store, which outlives it.
class Subject {
 public:
  Subject(World& world, const std::filesystem::path& folder)
      : world_(world), folder_(folder), setup_(world.SetupIn(folder_.path())) {
    node_.emplace(setup_);
  }

  [[nodiscard]] const NodeUnderLoad& node() const { return *node_; }
  [[nodiscard]] std::string StorePath() const { return folder_.File("writ.db"); }

  void Kill() { node_.reset(); }
  void Start() { node_.emplace(setup_); }

  [[nodiscard]] std::vector<Held> Hold(std::size_t count);
  [[nodiscard]] AnswerLatencies Answer(const std::vector<Held>& calls, double rate) {
    return GiveAnswers(world_, *node_, calls, rate);
  }

 private:
  World& world_;
  const tests::TemporaryFolder folder_;
  const NodeSetup setup_;
  std::optional<NodeUnderLoad> node_;
};

}  // namespace writ::bench
