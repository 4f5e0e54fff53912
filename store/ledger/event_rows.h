#pragma once

#include "router/chat/event.h"
#include "store/records.h"

namespace writ::store {

// The row of an event that came `now`: one that nobody answers is done already.
[[nodiscard]] EventRow RowOf(const router::ChannelEvent& event, router::TimePoint now);

}  // namespace writ::store
