#pragma once

#include <memory>

#include "connectors/model/model_options.h"
#include "router/base/http.h"
#include "router/base/log.h"
#include "router/base/time.h"
#include "router/model/model.h"

namespace writ::connectors {

// A model behind OpenAI's Chat Completions, or any server that speaks it. The references must
// outlive the model, and the model every request that it sent.
[[nodiscard]] std::unique_ptr<router::Model> MakeOpenAiModel(router::HttpClient& http,
                                                             const router::Clock& clock,
                                                             router::Log& log,
                                                             ModelOptions options);

}  // namespace writ::connectors
