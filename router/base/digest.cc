#include "router/base/digest.h"

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <openssl/rand.h>

#include <array>
#include <cstdint>
#include <memory>

#include "router/base/failure.h"

namespace writ::router {
namespace {

constexpr std::size_t kSha256Bytes = 32;

[[noreturn]] void Fail(const char* what) {
  throw Failure(Failure::Kind::kPermanent, std::string("OpenSSL: ") + what);
}

const unsigned char* BytesOf(std::string_view text) {
  // An empty view may point nowhere, which OpenSSL takes for "no key".
  return reinterpret_cast<const unsigned char*>(text.empty() ? "" : text.data());
}

unsigned char* BytesOf(std::string& text) { return reinterpret_cast<unsigned char*>(text.data()); }

struct MacContextFree {
  void operator()(EVP_MAC_CTX* context) const { EVP_MAC_CTX_free(context); }
};
using MacContext = std::unique_ptr<EVP_MAC_CTX, MacContextFree>;

// Looking an algorithm up takes longer than a short text's digest, so it is done once. Both live
// until the process ends; OpenSSL may be gone before our destructors run.
const EVP_MD* Sha256() {
  static const EVP_MD* const digest = EVP_MD_fetch(nullptr, "SHA256", nullptr);
  if (digest == nullptr) Fail("no SHA-256");
  return digest;
}

// HMAC-SHA-256 without a key: copied for each use, which all threads may do at once.
const EVP_MAC_CTX* HmacWithoutKey() {
  static const EVP_MAC_CTX* const context = []() -> EVP_MAC_CTX* {
    EVP_MAC* mac = EVP_MAC_fetch(nullptr, "HMAC", nullptr);
    if (mac == nullptr) return nullptr;
    EVP_MAC_CTX* made = EVP_MAC_CTX_new(mac);
    EVP_MAC_free(mac);  // the context holds it
    std::string name = "SHA256";
    const std::array<OSSL_PARAM, 2> parameters{
        OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, name.data(), 0),
        OSSL_PARAM_construct_end()};
    if (made != nullptr && EVP_MAC_CTX_set_params(made, parameters.data()) != 1) {
      EVP_MAC_CTX_free(made);
      return nullptr;
    }
    return made;
  }();
  if (context == nullptr) Fail("no HMAC");
  return context;
}

constexpr std::string_view kBase64Url =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

constexpr std::array<std::uint8_t, 256> kBase64UrlValues = [] {
  std::array<std::uint8_t, 256> values{};
  values.fill(64);
  for (std::size_t i = 0; i < kBase64Url.size(); ++i) {
    values[static_cast<unsigned char>(kBase64Url[i])] = static_cast<std::uint8_t>(i);
  }
  return values;
}();

}  // namespace

std::string Sha1(std::string_view data) {
  constexpr std::size_t kSha1Bytes = 20;
  std::string digest(kSha1Bytes, '\0');
  if (EVP_Digest(BytesOf(data), data.size(), BytesOf(digest), nullptr, EVP_sha1(), nullptr) != 1) {
    Fail("SHA-1 failed");
  }
  return digest;
}

std::string Sha256Hex(std::string_view data) {
  std::string digest(kSha256Bytes, '\0');
  if (EVP_Digest(BytesOf(data), data.size(), BytesOf(digest), nullptr, Sha256(), nullptr) != 1) {
    Fail("SHA-256 failed");
  }
  return HexOf(digest);
}

std::string HmacSha256(std::string_view key, std::string_view data) {
  const MacContext context(EVP_MAC_CTX_dup(HmacWithoutKey()));
  std::string mac(kSha256Bytes, '\0');
  std::size_t size = 0;
  if (!context || EVP_MAC_init(context.get(), BytesOf(key), key.size(), nullptr) != 1 ||
      EVP_MAC_update(context.get(), BytesOf(data), data.size()) != 1 ||
      EVP_MAC_final(context.get(), BytesOf(mac), &size, mac.size()) != 1) {
    Fail("HMAC failed");
  }
  return mac;
}

std::string HmacSha256Hex(std::string_view key, std::string_view data) {
  return HexOf(HmacSha256(key, data));
}

std::string HexOf(std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string hex;
  hex.reserve(bytes.size() * 2);
  for (const char character : bytes) {
    const auto byte = static_cast<unsigned char>(character);
    hex += kDigits[byte >> 4U];
    hex += kDigits[byte & 15U];
  }
  return hex;
}

bool EqualInConstantTime(std::string_view left, std::string_view right) {
  if (left.size() != right.size()) return false;
  return CRYPTO_memcmp(BytesOf(left), BytesOf(right), left.size()) == 0;
}

std::string RandomBytes(std::size_t count) {
  std::string bytes(count, '\0');
  if (RAND_bytes_ex(nullptr, BytesOf(bytes), count, 0) != 1) Fail("no random bytes");
  return bytes;
}

std::string Base64UrlEncode(std::string_view bytes) {
  std::string text;
  text.reserve((bytes.size() * 4 + 2) / 3);
  std::uint32_t held = 0;  // bits that no character has yet, at the low end
  unsigned bits = 0;
  for (const char character : bytes) {
    held = (held << 8U) | static_cast<unsigned char>(character);
    for (bits += 8; bits >= 6; bits -= 6) text += kBase64Url[(held >> (bits - 6)) & 63U];
  }
  if (bits > 0) text += kBase64Url[(held << (6 - bits)) & 63U];
  return text;
}

std::optional<std::string> Base64UrlDecode(std::string_view text) {
  if (text.size() % 4 == 1) return std::nullopt;
  std::string bytes;
  bytes.reserve(text.size() * 3 / 4);
  std::uint32_t held = 0;
  unsigned bits = 0;
  for (const char character : text) {
    const std::uint32_t value = kBase64UrlValues[static_cast<unsigned char>(character)];
    if (value > 63) return std::nullopt;
    held = (held << 6U) | value;
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      bytes += static_cast<char>((held >> bits) & 255U);
    }
  }
  // Another text with the same bytes would be another name for one thing.
  if ((held & ((1U << bits) - 1)) != 0) return std::nullopt;
  return bytes;
}

}  // namespace writ::router
