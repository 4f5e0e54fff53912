#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace writ::store {

// What waits for a store now, and how large it is.
struct EngineLoad {
  std::size_t commits_waiting = 0;  // for the disk, or (reads too) for a connection to the server
  std::chrono::steady_clock::duration longest_wait{0};  // of those
  std::uint64_t bytes = 0;  // that its rows take; 0 where a server has them
};

// An engine that knows of its load: one on a disk or a server.
class LoadedEngine {
 public:
  virtual ~LoadedEngine() = default;

  [[nodiscard]] virtual EngineLoad LoadNow() = 0;

  // Runs `listener`, on a thread of the engine's, with the number of commits that went to the disk
  // together. Before the first commit. A server does not say.
  virtual void OnBatch(const std::function<void(std::size_t)>& /*listener*/) {}
};

}  // namespace writ::store
