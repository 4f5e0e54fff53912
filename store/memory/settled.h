#pragma once

#include <cstddef>

#include "store/memory/tables.h"

namespace writ::store {

// Keeps the memory bounded. Where there are more than `max` events, sessions, turns or approvals,
// settled ones of that kind leave, the oldest first, until there are no more than `max`:
//
//   event     done
//   session   closed, without a turn that is not ended
//   turn      ended, without work, and its face is shown or was given up; the face leaves with it
//   approval  decided, expired or cancelled, and its turn has ended or left
//
// What is not settled stays, even where that alone is more than `max`: nobody is left waiting for
// an answer that was dropped in silence.
void DropSettled(Tables& tables, std::size_t max);

}  // namespace writ::store
