#pragma once

#include "connectors/model/dialect.h"
#include "connectors/model/model_options.h"
#include "router/model/model.h"

namespace writ::connectors {

// A request to OpenAI's Chat Completions. Pure.
// source: https://platform.openai.com/docs/api-reference/chat/create
[[nodiscard]] Dialect::Written WriteOpenAiRequest(const ModelOptions& options,
                                                  const router::ModelRequest& request,
                                                  int patience);

}  // namespace writ::connectors
