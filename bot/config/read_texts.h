#pragma once

#include "bot/config/node.h"
#include "router/turn/texts.h"

namespace writ::bot {

// `texts` of an agent: by language, then by name. A sentence that is none, or that would hide what
// it has to say, is a fault.
[[nodiscard]] router::TextsByLanguage ReadTexts(const Node& node);

}  // namespace writ::bot
