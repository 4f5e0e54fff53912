#pragma once

#include <string>
#include <string_view>

#include "bot/http/request.h"

namespace writ::bot {

// The head of a response of server-sent events.
[[nodiscard]] Response EventStreamHead();
// One event. `id` empty: whoever comes back stays at the one before it. `data` may have lines.
// source: the HTML standard, 9.2
[[nodiscard]] std::string EventText(std::string_view id, std::string_view type,
                                    std::string_view data);
// A line that says nothing: it shows that both sides are there.
inline constexpr std::string_view kEventBeat = ":\n\n";

}  // namespace writ::bot
