#pragma once

#include "router/base/ids.h"
#include "router/turn/event.h"
#include "store/records.h"

namespace writ::store {

// The event with those calls of its reply blocked that would be held beyond the app's quota.
[[nodiscard]] router::TurnEvent HoldWithinQuota(Records& records, const router::AppId& app,
                                                router::TurnEvent event);

}  // namespace writ::store
