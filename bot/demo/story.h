#pragma once

#include <stop_token>

#include "bot/demo/demo_world.h"

namespace writ::bot {

// Plays Anya's story on stdout, each line as it happens: she writes, the call is held, Ben is
// refused, she allows it, the CRM is called once, the reply appears.
//
// stop     ends the story where it is
// returns  an exit code: done (stopped, too), or failed, and stderr has what went wrong
[[nodiscard]] int PlayStory(DemoWorld& world, const std::stop_token& stop);

}  // namespace writ::bot
