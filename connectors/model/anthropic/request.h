#pragma once

#include "connectors/model/dialect.h"
#include "connectors/model/model_options.h"
#include "router/model/model.h"

namespace writ::connectors {

// A request to Anthropic's Messages API. Pure.
// source: https://docs.anthropic.com/en/api/messages
[[nodiscard]] Dialect::Written WriteAnthropicRequest(const ModelOptions& options,
                                                     const router::ModelRequest& request,
                                                     int patience);

}  // namespace writ::connectors
