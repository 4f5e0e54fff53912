#include "bot/auth/caller.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <string_view>
#include <utility>

#include "bot/auth/token.h"
#include "router/base/json.h"

namespace writ::bot {
namespace {

using router::Json;
using router::TimePoint;

constexpr TimePoint kNow{std::chrono::seconds(1795944600)};
constexpr std::string_view kSecret = "acme's secret";

std::optional<AppKey> Lookup(std::string_view api_key) {
  if (api_key == "k1") return AppKey{router::AppId("acme"), std::string(kSecret)};
  if (api_key == "k2") return AppKey{router::AppId("other"), "another secret"};
  return std::nullopt;
}

std::string TokenOf(std::string_view claims, std::string_view secret = kSecret) {
  return MakeToken(*router::ParseJson(claims).value, secret);
}

// `user anya-1`, `backend`, `operator`, `anonymous`, or the problem's code.
std::string Who(const Request& request) {
  const auto identified = Identify(request, Lookup, kNow);
  if (const auto* problem = std::get_if<Problem>(&identified)) {
    return std::string(TextOf(problem->code));
  }
  const Caller& caller = std::get<Identified>(identified).caller;
  EXPECT_EQ(std::get<Identified>(identified).app, router::AppId("acme"));
  if (const auto* user = std::get_if<UserCaller>(&caller)) return "user " + user->id.text();
  if (const auto* backend = std::get_if<BackendCaller>(&caller)) {
    return backend->is_operator ? "operator" : "backend";
  }
  return "anonymous";
}

Request With(std::string_view claims, NamedValues more = {}) {
  Request request;
  request.headers = {{"x-api-key", "k1"}, {"authorization", TokenOf(claims)}};
  for (auto& header : more) request.headers.push_back(std::move(header));
  return request;
}

TEST(Identify, ATokenSaysWhoIsCalling) {
  const struct {
    std::string_view claims;
    std::string_view who;
  } kCases[] = {
      {R"({"user_id":"anya-1"})", "user anya-1"},
      {R"({"user_id":"anya-1","role":"admin"})", "user anya-1"},
      {R"({"server":true})", "backend"},
      {R"({"server":true,"user_id":"anya-1"})", "backend"},
      {R"({"server":true,"user_id":"!anon"})", "backend"},
      {R"({"server":false,"user_id":"anya-1"})", "user anya-1"},
      {R"({"server":"true","user_id":"anya-1"})", "user anya-1"},
      {R"({"server":1})", "bad_token"},
      {R"({"user_id":"!anon"})", "anonymous"},
      {R"({"user_id":""})", "bad_token"},
      {R"({"user_id":7})", "bad_token"},
      {R"({"user_id":null})", "bad_token"},
      {R"({})", "bad_token"},
      {R"({"writ":"operator","exp":1795944700})", "operator"},
      {R"({"writ":"operator","exp":1795944500})", "token_expired"},
      {R"({"writ":"operator"})", "bad_token"},
      {R"({"writ":"operator","exp":1795944700,"user_id":"anya-1"})", "bad_token"},
      {R"({"writ":"operator","exp":1795944700,"server":false})", "bad_token"},
      {R"({"writ":"admin","exp":1795944700})", "bad_token"},
      {R"({"user_id":"anya-1","exp":1})", "token_expired"},
  };
  for (const auto& c : kCases) EXPECT_EQ(Who(With(c.claims)), c.who) << c.claims;
}

TEST(Identify, ATokenMayStandWithOrWithoutBearer) {
  const std::string token = TokenOf(R"({"user_id":"anya-1"})");
  for (const std::string& value : {token, "Bearer " + token, "bearer  " + token}) {
    Request request;
    request.headers = {{"x-api-key", "k1"}, {"authorization", value}};
    EXPECT_EQ(Who(request), "user anya-1");
  }
  for (const std::string& value :
       {"Basic " + token, std::string("Bearer"), token + ", " + token, std::string()}) {
    Request request;
    request.headers = {{"x-api-key", "k1"}, {"authorization", value}};
    EXPECT_EQ(Who(request), "bad_token") << value;
  }
}

TEST(Identify, TheAppIsNamedByHeaderOrQuery) {
  const NamedValues token = {{"authorization", TokenOf(R"({"user_id":"anya-1"})")}};
  Request request;
  request.headers = token;
  EXPECT_EQ(Who(request), "unknown_api_key");
  request.query = {{"api_key", "k1"}};
  EXPECT_EQ(Who(request), "user anya-1");
  request.query = {{"api_key", "k9"}};
  EXPECT_EQ(Who(request), "unknown_api_key");
  request.query = {{"api_key", "k1"}, {"api_key", "k1"}};
  EXPECT_EQ(Who(request), "unknown_api_key");
  request.query = {{"api_key", "k1"}};
  request.headers.emplace_back("x-api-key", "k2");
  EXPECT_EQ(Who(request), "unknown_api_key") << "two apps are named";
}

TEST(Identify, ATokenOfAnotherAppIsBad) {
  Request request;
  request.headers = {{"x-api-key", "k1"},
                     {"authorization", TokenOf(R"({"server":true})", "another secret")}};
  EXPECT_EQ(Who(request), "bad_token");
}

TEST(Identify, WhoSaysAnonymousIsAnonymousWhateverTheTokenSays) {
  const NamedValues anonymous = {{"stream-auth-type", "Anonymous"}};
  EXPECT_EQ(Who(With(R"({"server":true})", anonymous)), "anonymous");
  EXPECT_EQ(Who(With(R"({"user_id":"anya-1"})", anonymous)), "anonymous");
  EXPECT_EQ(Who(With(R"({"user_id":"anya-1"})", {{"stream-auth-type", "jwt"}})), "user anya-1");
  Request request;
  request.query = {{"api_key", "k1"}, {"user_id", "!anon"}};
  EXPECT_EQ(Who(request), "anonymous");
  request.query = {{"api_key", "k9"}, {"user_id", "!anon"}};
  EXPECT_EQ(Who(request), "unknown_api_key");
}

TEST(Identify, AUsersTokenTellsWhenItWasIssued) {
  const auto issued = [](std::string_view claims) {
    const auto identified = Identify(With(claims), Lookup, kNow);
    return std::get<UserCaller>(std::get<Identified>(identified).caller).issued_at;
  };
  EXPECT_EQ(issued(R"({"user_id":"anya-1"})"), std::nullopt);
  EXPECT_EQ(issued(R"({"user_id":"anya-1","iat":1795944595})"),
            TimePoint(std::chrono::seconds(1795944595)));
  EXPECT_EQ(issued(R"({"user_id":"anya-1","iat":-1e300})"), TimePoint{});
}

}  // namespace
}  // namespace writ::bot
