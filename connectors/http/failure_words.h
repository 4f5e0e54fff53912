#pragma once

#include <string>

#include "router/base/http.h"

namespace writ::connectors {

// What a channel and a model may be told of a request that failed: HttpFailure::what names hosts
// and ports, which are for the operator alone.
[[nodiscard]] std::string WordsFor(router::HttpFailure::Kind kind);

}  // namespace writ::connectors
