#include "bot/auth/token.h"

#include <gtest/gtest.h>

#include <chrono>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include "router/base/digest.h"

namespace writ::bot {
namespace {

using router::Json;
using router::TimePoint;

constexpr std::string_view kSecret = "writ-stream-test-secret";
// 2026-11-29T09:30:00Z, the moment of all samples.
constexpr TimePoint kNow{std::chrono::seconds(1795944600)};

// A token signed with the right secret, whatever it says.
std::string Signed(std::string_view header, std::string_view payload) {
  const std::string text = router::Base64UrlEncode(header) + "." + router::Base64UrlEncode(payload);
  return text + "." + router::Base64UrlEncode(router::HmacSha256(kSecret, text));
}

std::string WithClaims(std::string_view payload) {
  return Signed(R"({"alg":"HS256","typ":"JWT"})", payload);
}

bool Holds(std::string_view token) {
  return std::holds_alternative<Json>(VerifyToken(token, kSecret, kNow));
}

std::string FaultOf(std::string_view token) {
  const auto verified = VerifyToken(token, kSecret, kNow);
  const auto* fault = std::get_if<TokenFault>(&verified);
  if (fault == nullptr) return "none";
  return *fault == TokenFault::kBad ? "bad" : "expired";
}

Json Samples() {
  std::ifstream file("tests/data/samples/signatures.json");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  return *router::ParseJson(text).value->Find("jwt");
}

TEST(VerifyToken, AgreesWithTheSamples) {
  int good = 0;
  int bad = 0;
  const Json samples = Samples();
  for (const Json& sample : samples.array()) {
    const std::string token = sample.TextAt("token");
    if (sample.TextAt("what").starts_with("NEGATIVE")) {
      ++bad;
      EXPECT_EQ(FaultOf(token), "bad") << sample.TextAt("what");
    } else {
      ++good;
      const auto verified = VerifyToken(token, kSecret, kNow);
      ASSERT_TRUE(std::holds_alternative<Json>(verified)) << sample.TextAt("what");
      EXPECT_EQ(std::get<Json>(verified), *sample.Find("claims"));
      EXPECT_EQ(MakeToken(*sample.Find("claims"), kSecret), token);
    }
  }
  EXPECT_EQ(good, 3);
  EXPECT_EQ(bad, 3);
}

TEST(VerifyToken, TheAlgorithmIsOursAlone) {
  const std::string_view claims = R"({"user_id":"anya-1"})";
  EXPECT_TRUE(Holds(Signed(R"({"alg":"HS256"})", claims)));
  for (const std::string_view header :
       {R"({"alg":"none"})", R"({"alg":"None"})", R"({"alg":"RS256"})", R"({"alg":"HS512"})",
        R"({"alg":"hs256"})", R"({"alg":["HS256"]})", R"({"alg":null})", R"({"typ":"JWT"})",
        R"({"alg":"none","alg":"HS256"})", R"({"alg":"HS256","crit":["exp"]})", R"("HS256")", "",
        "{"}) {
    EXPECT_EQ(FaultOf(Signed(header, claims)), "bad") << header;
  }
}

TEST(VerifyToken, ASpoiltTokenIsBad) {
  const std::string token = WithClaims(R"({"user_id":"anya-1"})");
  for (std::size_t i = 0; i < token.size(); ++i) {
    std::string spoilt = token;
    spoilt[i] = spoilt[i] == 'A' ? 'B' : 'A';
    EXPECT_EQ(FaultOf(spoilt), "bad") << i;
    EXPECT_EQ(FaultOf(token.substr(0, i)), "bad") << i;
  }
  for (const std::string& other : {token + ".", token + "=", "." + token, token + "\n", " " + token,
                                   token + "." + token, std::string("..")}) {
    EXPECT_EQ(FaultOf(other), "bad") << other;
  }
}

TEST(VerifyToken, ClaimsMustBeAnObjectWithoutRepeats) {
  for (const std::string_view claims :
       {"[]", "null", "1", "", R"({"user_id":"ben-2","user_id":"anya-1"})"}) {
    EXPECT_EQ(FaultOf(WithClaims(claims)), "bad") << claims;
  }
}

TEST(VerifyToken, AnEmptySecretSignsNothing) {
  const auto verified = VerifyToken(MakeToken(Json::MakeObject(), ""), "", kNow);
  EXPECT_TRUE(std::holds_alternative<TokenFault>(verified));
}

TEST(VerifyToken, TimesAreLookedAtWhereTheyAreThere) {
  const struct {
    std::string_view claims;
    std::string_view fault;
  } kCases[] = {
      {R"({"exp":1795944601})", "none"},   {R"({"exp":1795944600})", "expired"},
      {R"({"exp":1795944600.5})", "none"}, {R"({"exp":0})", "expired"},
      {R"({"exp":-1})", "expired"},        {R"({"exp":1e300})", "none"},
      {R"({"exp":"1795944601"})", "bad"},  {R"({"exp":null})", "bad"},
      {R"({"exp":1e999})", "bad"},         {R"({"nbf":1795944600})", "none"},
      {R"({"nbf":1795944601})", "bad"},    {R"({"nbf":false})", "bad"},
      {R"({"iat":1795944660})", "none"},   {R"({"iat":1795944661})", "bad"},
      {R"({"iat":"now"})", "bad"},         {R"({"nbf":1795944601,"exp":1})", "bad"},
  };
  for (const auto& c : kCases) EXPECT_EQ(FaultOf(WithClaims(c.claims)), c.fault) << c.claims;
}

}  // namespace
}  // namespace writ::bot
