#pragma once

#include <string>
#include <vector>

#include "router/model/model.h"

namespace writ::connectors {

// The ids under which the calls of a request go back, a list a round in the order of its calls. A
// provider refuses a request in which two calls share an id or one has none, and models do repeat
// them: the provider's own id is kept where it is the first of its kind, else one is made. The
// same request gets the same ids.
[[nodiscard]] std::vector<std::vector<std::string>> CallIdsOf(
    const std::vector<router::TranscriptEntry>& transcript);

// A name that may stand in history. The model may have written one that its provider then refuses
// to read (`a.b`, or nothing at all); what was offered is never changed.
[[nodiscard]] std::string NameForHistory(const std::string& offered_name);

}  // namespace writ::connectors
