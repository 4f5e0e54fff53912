#pragma once

#include "bot/demo/demo_world.h"
#include "router/base/json.h"
#include "router/base/time.h"

namespace writ::bot {

// What the page draws: `now`, `run` (another one after a restart), `cid`, `answers` (where answers
// are posted to), `api_key`, `node` (its process), `rule` (which calls are held), `people` (with a
// token each, and whether they are in the channel), the channel's newest `messages`, and the CRM's
// `counts` and `log`.
[[nodiscard]] router::Json PageState(DemoWorld& world, router::TimePoint now);

}  // namespace writ::bot
