#pragma once

#include <cstdint>

namespace writ::router {

// What may be used up: calls in each minute, tokens of the model in each day, both by the clock of
// UTC. 0: as much as you like.
struct Budget {
  std::int64_t calls_per_minute = 0;
  std::int64_t tokens_per_day = 0;
};

struct Budgets {
  Budget writer;   // of each person: the writer, or the initiator where nobody wrote
  Budget channel;  // of each conversation
};

}  // namespace writ::router
