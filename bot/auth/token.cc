#include "bot/auth/token.h"

#include <chrono>
#include <cmath>
#include <cstddef>
#include <optional>

#include "router/base/digest.h"

namespace writ::bot {
namespace {

using router::Json;

// Headers of more are no token of anybody's.
constexpr std::size_t kMaxTokenBytes = 8192;
// How far a caller's clock may be ahead of ours (platforms sign `iat` with theirs).
constexpr double kClockSkewSeconds = 60;

struct Parts {
  std::string_view signed_text;  // header.payload
  std::string_view header;
  std::string_view payload;
  std::string_view signature;
};

std::optional<Parts> Split(std::string_view token) {
  const auto first = token.find('.');
  if (first == std::string_view::npos) return std::nullopt;
  const auto second = token.find('.', first + 1);
  if (second == std::string_view::npos) return std::nullopt;
  // A third dot makes the signature no base64url.
  return Parts{token.substr(0, second), token.substr(0, first),
               token.substr(first + 1, second - first - 1), token.substr(second + 1)};
}

std::optional<Json> DecodeObject(std::string_view part) {
  const auto text = router::Base64UrlDecode(part);
  if (!text) return std::nullopt;
  auto parsed = router::ParseJson(*text);
  if (!parsed.value || !parsed.value->IsObject()) return std::nullopt;
  return std::move(parsed.value);
}

// The algorithm is ours, not the token's: its header may only agree. An extension that must be
// understood (`crit`) is not.
bool IsOurs(const Json& header) {
  return header.StringAt("alg") == "HS256" && header.Find("crit") == nullptr;
}

// Whether a claim of a time holds; one that is there and no number never does.
template <class Holds>
bool TimeHolds(const Json& claims, std::string_view name, Holds holds) {
  const Json* claim = claims.Find(name);
  if (claim == nullptr) return true;
  const auto seconds = claim->IsNumber() ? claim->ToDouble() : std::nullopt;
  return seconds && std::isfinite(*seconds) && holds(*seconds);
}

}  // namespace

std::string MakeToken(const Json& claims, std::string_view secret) {
  std::string token = router::Base64UrlEncode(R"({"alg":"HS256","typ":"JWT"})");
  token += "." + router::Base64UrlEncode(claims.Dump());
  return token + "." + router::Base64UrlEncode(router::HmacSha256(secret, token));
}

std::variant<Json, TokenFault> VerifyToken(std::string_view token, std::string_view secret,
                                           router::TimePoint now) {
  if (secret.empty() || token.size() > kMaxTokenBytes) return TokenFault::kBad;
  const auto parts = Split(token);
  if (!parts) return TokenFault::kBad;
  const auto header = DecodeObject(parts->header);
  const auto signature = router::Base64UrlDecode(parts->signature);
  if (!header || !IsOurs(*header) || !signature) return TokenFault::kBad;
  if (!router::EqualInConstantTime(*signature, router::HmacSha256(secret, parts->signed_text))) {
    return TokenFault::kBad;
  }
  auto claims = DecodeObject(parts->payload);
  if (!claims) return TokenFault::kBad;

  const double at = std::chrono::duration<double>(now.time_since_epoch()).count();
  const auto any = [](double) { return true; };
  if (!TimeHolds(*claims, "nbf", [&](double nbf) { return nbf <= at; }) ||
      !TimeHolds(*claims, "iat", [&](double iat) { return iat <= at + kClockSkewSeconds; }) ||
      !TimeHolds(*claims, "exp", any)) {
    return TokenFault::kBad;
  }
  if (!TimeHolds(*claims, "exp", [&](double exp) { return exp > at; })) return TokenFault::kExpired;
  return std::move(*claims);
}

}  // namespace writ::bot
