#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <utility>

#include "bot/http/message.h"
#include "store/engine_load.h"

namespace writ::bot {

// Whether the request is an event that a platform delivers, a command or a new session: one that
// may wait, and be refused where the node has too much to do. What is sent to a hook as a form is a
// click or a text, and may be an answer.
[[nodiscard]] bool MayWait(const Message& message);

// Whether new events, commands and sessions are taken now. Asked once it is known who brings them.
class Admission {
 public:
  struct Limits {
    std::chrono::milliseconds store_wait{2000};  // of the commit that waits the longest
    std::size_t to_open = 10000;                 // stored events that wait for a worker
    std::optional<std::uint64_t> store_bytes;
  };

  // What they say is as it is now: of the store, how many events wait, and whether one more turn
  // may be under way.
  Admission(Limits limits, std::function<store::EngineLoad()> store,
            std::function<std::size_t()> to_open, std::function<bool()> has_room)
      : limits_(limits),
        store_(std::move(store)),
        to_open_(std::move(to_open)),
        has_room_(std::move(has_room)) {}

  // Why none is taken: `store_slow`, `store_full`, `behind`, `turns`. nullopt: they are.
  [[nodiscard]] std::optional<std::string_view> WhyNot() const;

 private:
  const Limits limits_;
  const std::function<store::EngineLoad()> store_;
  const std::function<std::size_t()> to_open_;
  const std::function<bool()> has_room_;
};

}  // namespace writ::bot
