#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "router/base/time.h"

namespace writ::connectors {

// The bodies of the messages to the number that Twilio took at `since` or later, of a page of its
// list of messages. nullopt where the page is none.
// source: the platforms' page, 3.4; Twilio's description of ListMessage
[[nodiscard]] std::optional<std::vector<std::string>> BodiesSentSince(std::string_view page,
                                                                      std::string_view number,
                                                                      router::TimePoint since);

}  // namespace writ::connectors
