#pragma once

#include "bot/http/request.h"
#include "router/base/json.h"
#include "tests/support/model_stub.h"

namespace writ::tests {

[[nodiscard]] ModelQuestion ReadOpenAiQuestion(const router::Json& body);
[[nodiscard]] ModelQuestion ReadAnthropicQuestion(const router::Json& body);

// `number` makes ids and differs for each answer.
[[nodiscard]] router::Json OpenAiBody(const ModelAnswer& answer, std::size_t number);
[[nodiscard]] router::Json AnthropicBody(const ModelAnswer& answer, std::size_t number);
[[nodiscard]] router::Json ErrorBody(bool anthropic, const std::string& code,
                                     const std::string& message);

}  // namespace writ::tests
