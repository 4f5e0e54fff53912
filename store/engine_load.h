#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace writ::store {

// What waits for a store now, and how large it is.
struct EngineLoad {
  std::size_t commits_waiting = 0;
  std::chrono::steady_clock::duration longest_wait{0};  // of those
  std::uint64_t bytes = 0;                              // that its rows take
};

// An engine that knows of its load: one whose disk is its own.
class LoadedEngine {
 public:
  virtual ~LoadedEngine() = default;

  [[nodiscard]] virtual EngineLoad LoadNow() = 0;

  // Runs `listener`, on a thread of the engine's, with the number of commits that went to the disk
  // together. Before the first commit.
  virtual void OnBatch(std::function<void(std::size_t)> listener) = 0;
};

}  // namespace writ::store
