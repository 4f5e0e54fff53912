#pragma once

#include <string>

#include "store/hints.h"
#include "store/postgres/connection.h"
#include "store/shared_clock.h"

namespace writ::store {

// Asks the database for its time.
void AskTime(PostgresConnection& connection, SharedClock& clock);

// Hears on this connection what nodes notify on `channel` (LISTEN), and keeps the clock right,
// until it is to end. `self` is this node's own name, of whose words nobody is told.
void ListenOn(PostgresConnection& connection, const std::string& channel, const std::string& self,
              SharedClock& clock, const Hints::Ear& hints);

}  // namespace writ::store
