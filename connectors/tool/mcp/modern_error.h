#pragma once

#include <cstdint>
#include <string_view>

#include "connectors/tool/mcp/answer.h"

namespace writ::connectors {

inline constexpr std::string_view kStatelessVersion = "2026-07-28";

// Errors of the stateless era. All say that the request was not looked at.
inline constexpr int kHeaderMismatch = -32020;
inline constexpr int kMissingCapability = -32021;
inline constexpr int kUnsupportedVersion = -32022;

// The code of the JSON-RPC error in an answer, with an HTTP status or without; 0 where none is.
[[nodiscard]] std::int64_t ErrorCodeOf(const McpAnswer& answer);

// Whether only a server of the stateless era would answer so.
[[nodiscard]] bool IsModernError(const McpAnswer& answer);

// Whether the answer is kUnsupportedVersion and names `version` among those that are supported.
[[nodiscard]] bool NamesVersion(const McpAnswer& answer, std::string_view version);

}  // namespace writ::connectors
