#pragma once

#include <optional>
#include <string_view>

#include "router/base/time.h"

namespace writ::connectors {

// An HTTP date in any of the three forms that a recipient has to know:
//   Sun, 06 Nov 1994 08:49:37 GMT
//   Sunday, 06-Nov-94 08:49:37 GMT   (two digits of a year: never more than 50 years from `now`)
//   Sun Nov  6 08:49:37 1994
// nullopt for anything else. The day's name is not compared with the date.
// source: RFC 9110, section 5.6.7
[[nodiscard]] std::optional<router::TimePoint> ParseHttpDate(std::string_view text,
                                                             router::TimePoint now);

}  // namespace writ::connectors
