#pragma once

#include <optional>
#include <string>

#include "connectors/model/dialect.h"

namespace writ::connectors {

// Reads the body of a chat completion; nullopt where it is none. Whether there are calls is told by
// their presence, never by `finish_reason`: compatible servers say `stop` beside calls. Pure.
//
// model  the configured name: `raw` notes whose message it is
[[nodiscard]] std::optional<Dialect::Read> ReadOpenAiReply(const std::string& model,
                                                           const std::string& body);

// The assistant message within `raw`, or nullptr where `raw` is another model's.
[[nodiscard]] const router::Json* OpenAiMessageIn(const router::Json& raw,
                                                  const std::string& model);

}  // namespace writ::connectors
