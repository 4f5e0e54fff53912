#pragma once

#include <string>

#include "store/hints.h"
#include "store/redis/connection.h"
#include "store/shared_clock.h"

namespace writ::store {

// Asks the server for its time.
void AskTime(RedisConnection& connection, SharedClock& clock);

// Hears on `ear` what nodes publish to `channel` (SUBSCRIBE), each its name, and keeps the clock
// right by `asks`, for one that is subscribed answers nothing else; until it is to end.
// `self` is this node's own name, of whose words nobody is told.
void ListenOn(RedisConnection& ear, RedisConnection& asks, const std::string& channel,
              const std::string& self, SharedClock& clock, const Hints::Ear& hints);

}  // namespace writ::store
