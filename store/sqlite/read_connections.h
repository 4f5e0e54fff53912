#pragma once

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "store/records.h"
#include "store/sqlite/connection.h"

namespace writ::store {

// Connections for reads, opened as they are wanted, at most `max`; who comes when all are taken
// waits. A read sees the file as of one commit, and no write waits for it.
class ReadConnections {
 public:
  ReadConnections(std::string path, std::size_t max) : path_(std::move(path)), max_(max) {}

  // Engine::Read. `work` must not read again: with all connections taken it would wait for itself.
  void Read(const std::function<void(Records&)>& work);

 private:
  void ReadOn(std::unique_ptr<Connection> connection, const std::function<void(Records&)>& work);
  [[nodiscard]] std::unique_ptr<Connection> Take();
  void GiveBack(std::unique_ptr<Connection> connection);

  const std::string path_;
  const std::size_t max_;

  std::mutex mutex_;  // guards what follows
  std::condition_variable given_back_;
  std::vector<std::unique_ptr<Connection>> free_;
  std::size_t taken_ = 0;
};

}  // namespace writ::store
