#pragma once

#include "bot/config/config.h"
#include "bot/config/node.h"

namespace writ::bot {

// A signed call to the app's backend: `url`, `secret`, `timeout_s`.
[[nodiscard]] connectors::BackendCheckOptions ReadCallback(const Node& node);

// `calls_per_minute` and `tokens_per_day` of `writer` and `channel`.
[[nodiscard]] router::Budgets ReadBudgets(const Node& node);

// `before_call` of a connector but for its callback.
[[nodiscard]] router::BeforeCall ReadBeforeCall(const Node& node);

}  // namespace writ::bot
