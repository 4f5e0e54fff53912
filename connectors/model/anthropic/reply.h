#pragma once

#include <optional>
#include <string>

#include "connectors/model/dialect.h"

namespace writ::connectors {

// Reads the body of a message; nullopt where it is none. Blocks and fields that are not known are
// kept in `raw` and otherwise skipped. Pure.
//
// model  the configured name: `raw` notes whose content it is
[[nodiscard]] std::optional<Dialect::Read> ReadAnthropicReply(const std::string& model,
                                                              const std::string& body);

// The same of a message that was read or put together already.
[[nodiscard]] std::optional<Dialect::Read> ReadAnthropicMessage(const std::string& model,
                                                                const router::Json& message);

// The content array within `raw`, or nullptr where `raw` is another model's: its thinking blocks
// would be refused.
[[nodiscard]] const router::Json* AnthropicContentIn(const router::Json& raw,
                                                     const std::string& model);

}  // namespace writ::connectors
