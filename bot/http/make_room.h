#pragma once

#include <chrono>
#include <vector>

#include "bot/http/connection.h"

namespace writ::bot {

// Where all places are taken and somebody waits for one: ends connections whose clients have kept
// theirs waiting for longest, a hundredth of all at a time. With what is idle, half-sent or unread
// a few clients could keep everybody else out.
//
// all       the open ones; none of them is closed for good meanwhile
// patience  so long a request may take to come, and its answer to be read; who is idle has none
void MakeRoom(const std::vector<Connection*>& all, Connection::SteadyPoint now,
              std::chrono::milliseconds patience);

}  // namespace writ::bot
