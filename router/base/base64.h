#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace writ::router {

// base64 with padding (RFC 4648, section 4). base64url is in digest.h.
[[nodiscard]] std::string Base64Encode(std::string_view bytes);
// With or without padding; nullopt for any other character, or bits that are left over.
[[nodiscard]] std::optional<std::string> Base64Decode(std::string_view text);

}  // namespace writ::router
