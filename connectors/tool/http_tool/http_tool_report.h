#pragma once

#include "router/base/http.h"
#include "router/tool/connector.h"

namespace writ::connectors {

// What an endpoint's answer proves. A 2xx is the tool's result; a 4xx is the tool's own word that
// it looked and said no. 408, 429 and every 5xx are in doubt, a `Retry-After` beside them or not:
// they may come from something in between that had passed the request on, and an approval covers
// one execution. What never left, or was told to go to another address, was refused: redirects are
// not followed anywhere, for what a call carries is for the configured address alone. Pure.
//
// cut  the body is only a beginning
[[nodiscard]] router::CallReport ReportOf(const router::HttpOutcome& outcome, bool cut = false);

}  // namespace writ::connectors
