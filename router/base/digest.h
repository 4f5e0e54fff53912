#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace writ::router {

// 20 bytes. It proves nothing any more: for the WebSocket's handshake, which asks for it.
[[nodiscard]] std::string Sha1(std::string_view data);
[[nodiscard]] std::string Sha256Hex(std::string_view data);                         // lower case
[[nodiscard]] std::string HmacSha256(std::string_view key, std::string_view data);  // 32 bytes
[[nodiscard]] std::string HmacSha256Hex(std::string_view key, std::string_view data);
[[nodiscard]] std::string HexOf(std::string_view bytes);
// Compares in a time that depends on the lengths alone.
[[nodiscard]] bool EqualInConstantTime(std::string_view left, std::string_view right);
[[nodiscard]] std::string RandomBytes(std::size_t count);

// base64url without padding (RFC 7515). Decoding is strict: nullopt for any other character,
// padding, or bits that are left over.
[[nodiscard]] std::string Base64UrlEncode(std::string_view bytes);
[[nodiscard]] std::optional<std::string> Base64UrlDecode(std::string_view text);

}  // namespace writ::router
