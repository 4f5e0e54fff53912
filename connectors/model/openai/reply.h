#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "connectors/model/dialect.h"

namespace writ::connectors {

// Reads the body of a chat completion; nullopt where it is none. Whether there are calls is told by
// their presence, never by `finish_reason`: compatible servers say `stop` beside calls. Pure.
//
// model  the configured name: `raw` notes whose message it is
[[nodiscard]] std::optional<Dialect::Read> ReadOpenAiReply(const std::string& model,
                                                           const std::string& body);

// The same of a message that was read or put together already.
[[nodiscard]] Dialect::Read ReadOpenAiMessage(const std::string& model, const router::Json& message,
                                              std::string_view finish_reason);
// Whether a choice says that its reply is none: a gateway's way to pass on that it broke off.
[[nodiscard]] bool IsBrokenOff(const router::Json& choice);
[[nodiscard]] router::ModelUsage OpenAiUsageIn(const router::Json& body);

// A text, or the texts of a list of parts, as some servers have it.
[[nodiscard]] std::string OpenAiTextOf(const router::Json* content);
// A call's arguments: text, or the object itself at some servers.
[[nodiscard]] std::string OpenAiArgumentsOf(const router::Json& function);

// The assistant message within `raw`, or nullptr where `raw` is another model's.
[[nodiscard]] const router::Json* OpenAiMessageIn(const router::Json& raw,
                                                  const std::string& model);

}  // namespace writ::connectors
