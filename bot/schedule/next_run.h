#pragma once

#include <functional>
#include <optional>
#include <string>

#include "bot/config/cron.h"
#include "router/base/time.h"

namespace writ::bot {

// Whether the IANA database of this machine has that zone.
[[nodiscard]] bool IsTimeZone(const std::string& name);

// When the expression comes next by the wall clock of a zone. What the clock jumps over in spring
// comes at the jump, once. What it shows twice in autumn comes the first time alone, but where the
// expression names every hour: then it goes on as if nothing had happened.
//
// throws  Failure{kPermanent} where there is no such zone
[[nodiscard]] std::function<std::optional<router::TimePoint>(router::TimePoint)> NextRunIn(
    const Cron& cron, const std::string& time_zone);

}  // namespace writ::bot
