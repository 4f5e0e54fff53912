#pragma once

#include <chrono>
#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>

#include "bot/http/message.h"

namespace writ::bot {

class Connection;

// Requests that may wait for others: so many of them run at once, so many more stand in line
// without a worker, and what comes beyond is refused. Shared by all workers. A connection whose
// request stands in line belongs to the line.
class WaitingLine {
 public:
  using SteadyPoint = std::chrono::steady_clock::time_point;
  struct Limits {
    std::size_t running = 1;
    std::size_t waiting = 0;
    std::size_t bytes = 0;  // of the bodies in line
    std::chrono::milliseconds longest{0};
  };
  struct Waiting {
    Connection* connection = nullptr;
    Message message;
    SteadyPoint since;
  };

  explicit WaitingLine(Limits limits) : limits_(limits) {}

  enum class Place { kRuns, kWaits, kRefused };
  // kRuns: Leave() follows. kWaits: the message is the line's. kRefused: there is no room, or who
  // is first waits too long already.
  [[nodiscard]] Place Enter(Connection& connection, Message& message, SteadyPoint now);
  // One that ran is over: whoever says so asks for Next() afterwards.
  void Leave();
  // The first in line, where one more may run: Leave() follows.
  [[nodiscard]] std::optional<Waiting> Next();
  // The first in line, where it waited too long.
  [[nodiscard]] std::optional<Waiting> TakeOverdue(SteadyPoint now);
  void Clear();
  [[nodiscard]] std::size_t Count() const;

 private:
  [[nodiscard]] std::optional<Waiting> TakeFirst();

  const Limits limits_;
  mutable std::mutex mutex_;  // guards all below
  std::size_t running_ = 0;
  std::size_t bytes_ = 0;
  std::deque<Waiting> line_;
};

}  // namespace writ::bot
