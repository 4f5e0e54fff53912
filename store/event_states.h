#pragma once

#include <cstdint>

#include "store/records.h"

namespace writ::store {

// How an engine keeps the state of an event: never another number for the same state.
[[nodiscard]] inline std::int64_t Stored(EventRow::State state) {
  switch (state) {
    case EventRow::State::kWaiting:
      return 0;
    case EventRow::State::kParked:
      return 1;
    case EventRow::State::kDone:
      return 2;
  }
  return 2;
}

[[nodiscard]] inline EventRow::State StateOf(std::int64_t stored) {
  switch (stored) {
    case 0:
      return EventRow::State::kWaiting;
    case 1:
      return EventRow::State::kParked;
    default:
      return EventRow::State::kDone;
  }
}

}  // namespace writ::store
