// Tokens: their header, claims and signature, and the credential that carries them.
#include "bot/auth/token.h"

#include <chrono>
#include <optional>
#include <string>
#include <variant>

#include "bot/auth/caller.h"
#include "router/base/digest.h"
#include "tests/fuzz/pieces.h"
#include "tests/fuzz/target.h"

namespace writ::fuzz {
namespace {

using bot::TokenFault;
using router::Json;

constexpr std::int64_t kNowSeconds = 1795944600;
constexpr router::TimePoint kNow{std::chrono::seconds{kNowSeconds}};
constexpr std::string_view kSecret = "s3cret";

bool IsSignedByUs(std::string_view token) {
  const auto dot = token.rfind('.');
  if (dot == std::string_view::npos) return false;
  return router::Base64UrlDecode(token.substr(dot + 1)) ==
         router::HmacSha256(kSecret, token.substr(0, dot));
}

// Of a time that is claimed: seconds, or none of ours.
double TimeOf(const Json& claims, std::string_view name, double none) {
  const Json* claim = claims.Find(name);
  if (claim == nullptr) return none;
  const auto seconds = claim->ToDouble();
  Require(seconds.has_value(), "a time that is claimed is a number");
  return *seconds;
}

void CheckVerified(std::string_view token, const Json& claims) {
  Require(IsSignedByUs(token), "a token is verified only if its signature is right");
  Require(claims.IsObject(), "claims are an object");
  constexpr auto kAt = static_cast<double>(kNowSeconds);
  Require(TimeOf(claims, "exp", kAt + 1) > kAt, "a verified token has not expired");
  Require(TimeOf(claims, "nbf", kAt) <= kAt, "a verified token has begun");
  Require(TimeOf(claims, "iat", kAt) <= kAt + 60, "nobody was given a token of times to come");
}

void Verify(std::string_view token) {
  const auto verified = bot::VerifyToken(token, kSecret, kNow);
  if (const auto* claims = std::get_if<Json>(&verified)) {
    CheckVerified(token, *claims);
    Require(std::holds_alternative<TokenFault>(bot::VerifyToken(token, "another", kNow)),
            "another secret's token is none");
    Require(std::holds_alternative<TokenFault>(bot::VerifyToken(token, "", kNow)),
            "an empty secret signs nothing");
  }
  const auto* fault = std::get_if<TokenFault>(&verified);
  Require(fault == nullptr || *fault != TokenFault::kExpired || IsSignedByUs(token),
          "only of what we signed is it told that it has expired");
}

// Signed right, whatever header and claims say.
void VerifySigned(std::string_view header, std::string_view claims) {
  const std::string unsigned_token =
      router::Base64UrlEncode(header) + '.' + router::Base64UrlEncode(claims);
  const std::string token =
      unsigned_token + '.' + router::Base64UrlEncode(router::HmacSha256(kSecret, unsigned_token));
  Verify(token);
  for (const char* signature : {"", ".", ".AAAA"}) {
    Require(std::holds_alternative<TokenFault>(
                bot::VerifyToken(unsigned_token + signature, kSecret, kNow)),
            "no signature is none");
  }
  const auto parsed = router::ParseJson(header);
  const bool is_ours = parsed.value && parsed.value->StringAt("alg") == "HS256";
  Require(is_ours || std::holds_alternative<TokenFault>(bot::VerifyToken(token, kSecret, kNow)),
          "no other algorithm counts");
}

void RoundTrip(std::string_view text) {
  auto claims = router::ParseJson(text).value;
  if (!claims || !claims->IsObject() || text.size() > 4096) return;
  for (const char* time : {"exp", "nbf", "iat"}) {
    if (claims->Find(time) != nullptr) return;
  }
  const auto verified = bot::VerifyToken(bot::MakeToken(*claims, kSecret), kSecret, kNow);
  Require(std::holds_alternative<Json>(verified) && std::get<Json>(verified) == *claims,
          "what we sign is what we read");
}

void Identify(std::string_view authorization) {
  bot::Request request;
  request.query = {{"api_key", "key"}};
  request.headers = {{"authorization", std::string(authorization)}};
  const auto identified = bot::Identify(
      request,
      [](std::string_view) {
        return bot::AppKey{router::AppId("acme"), std::string(kSecret)};
      },
      kNow);
  const auto* known = std::get_if<bot::Identified>(&identified);
  if (known == nullptr || std::holds_alternative<router::AnonymousCaller>(known->caller)) return;
  const auto space = authorization.rfind(' ');
  Require(IsSignedByUs(authorization.substr(space == std::string_view::npos ? 0 : space + 1)),
          "nobody is known without a token of ours");
}

// The whole is a token, and a header's value; its first line and the rest are header and claims.
void Fuzz(std::string_view input) {
  Verify(input);
  const auto [header, claims] = AtLineEnd(input);
  VerifySigned(header, claims);
  RoundTrip(claims);
  Identify(input);
}

}  // namespace
}  // namespace writ::fuzz

WRIT_FUZZ_TARGET(token, writ::fuzz::Fuzz)
