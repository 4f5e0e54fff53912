#include "bot/routes/admission.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace writ::bot {
namespace {

Message RequestOf(std::string target, std::string body) {
  Message message;
  message.method = "POST";
  message.target = std::move(target);
  message.body = std::move(body);
  return message;
}

TEST(Admission, OnlyAPlatformsEventMayWait) {
  EXPECT_TRUE(MayWait(RequestOf("/v1/hooks/acme", R"({"type":"message.new"})")));
  EXPECT_TRUE(MayWait(RequestOf("/v1/hooks/acme", "\x1f\x8b packed")));
  EXPECT_TRUE(MayWait(RequestOf("/v1/hooks/acme", "")));
  EXPECT_FALSE(MayWait(RequestOf("/v1/hooks/acme", "payload=%7B%22type%22"))) << "a click";
  EXPECT_FALSE(MayWait(RequestOf("/v1/hooks/acme", "Body=APPROVE+K7"))) << "a text";
  EXPECT_FALSE(MayWait(RequestOf("/v1/agents/conversations/a:b/tool_approvals", "{}")));
  EXPECT_FALSE(MayWait(RequestOf("/v1/approvals/apr_1/decision", "{}")));
  EXPECT_FALSE(MayWait(RequestOf("/healthz", "")));
}

}  // namespace
}  // namespace writ::bot
