#include "router/tool/on_behalf.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "router/base/digest.h"
#include "router/base/json.h"

namespace writ::router {
namespace {

using namespace std::chrono_literals;

OnBehalf OfAnya() {
  return {.app = AppId("acme"),
          .cid = Cid("callouts:team-1"),
          .call = CallId("call_1"),
          .writer = UserId("anya-1"),
          .initiator = UserId(),
          .approval = ApprovalId("apr_1"),
          .args_digest = "abc",
          .audience = "https://crm.example.org/mcp",
          .now = TimePoint(1795944600s + 900ms)};
}

std::string Part(const std::string& token, int which) {
  std::size_t start = 0;
  for (int i = 0; i < which; ++i) start = token.find('.', start) + 1;
  return Base64UrlDecode(token.substr(start, token.find('.', start) - start)).value();
}

TEST(OnBehalf, ItsClaimsSayForWhomAndForWhat) {
  const std::string token = SignOnBehalf(OfAnya(), "secret");
  EXPECT_EQ(Part(token, 0), R"({"alg":"HS256","typ":"JWT"})");
  EXPECT_EQ(Part(token, 1),
            R"({"app":"acme","cid":"callouts:team-1","call_id":"call_1","writer":"anya-1",)"
            R"("initiator":null,"approval_id":"apr_1","args_digest":"abc",)"
            R"("aud":"https://crm.example.org/mcp","iat":1795944600,"exp":1795944900})");
}

TEST(OnBehalf, NobodyIsNull) {
  OnBehalf nobody = OfAnya();
  nobody.writer = UserId();
  nobody.cid = Cid();
  nobody.approval = ApprovalId();
  const Json claims = ParseJson(Part(SignOnBehalf(nobody, "secret"), 1)).value.value();
  for (const char* name : {"writer", "initiator", "cid", "approval_id"}) {
    ASSERT_NE(claims.Find(name), nullptr);
    EXPECT_TRUE(claims.Find(name)->IsNull()) << name;
  }
}

TEST(OnBehalf, ItIsSignedWithTheSecret) {
  const std::string token = SignOnBehalf(OfAnya(), "secret");
  const std::string input = token.substr(0, token.rfind('.'));
  EXPECT_EQ(Part(token, 2), HmacSha256("secret", input));
  EXPECT_NE(token, SignOnBehalf(OfAnya(), "another"));
}

}  // namespace
}  // namespace writ::router
