// Input that is wrong gets the documented status, and the next good request works.
#include <functional>

#include "tests/system/story.h"

namespace writ::tests {
namespace {

std::string Nested(int levels) {
  return R"({"type":"message.new","x":)" + std::string(static_cast<std::size_t>(levels), '[') +
         std::string(static_cast<std::size_t>(levels), ']') + "}";
}

// A message is answered after all that.
void ExpectTheNextGoodOneWorks(World& world) {
  world.Say("anya-1", kAsk);
  const HeldCall held = world.WaitForHeld();
  EXPECT_EQ(world.Answer(world.As("anya-1"), held, true).status, 204);
  world.WaitForReply("Results: ");
}

}  // namespace

TEST(BadInput, OfHooksGetsItsStatus) {
  World world;
  const auto signed_hook = [&](const std::string& body) {
    return world.Hook(body, world.SignedHeaders(body)).text();
  };
  EXPECT_EQ(signed_hook("{\"type\":"), "400 malformed_json");
  EXPECT_EQ(signed_hook("{\"type\":\"message.new\",\"text\":\"\xff\xfe\"}"), "400 malformed_json");
  EXPECT_EQ(signed_hook(Nested(300)), "400 malformed_json");
  EXPECT_EQ(signed_hook("[]"), "400 malformed_json");
  EXPECT_EQ(signed_hook(R"({"type":"message.new","type":"message.new"})"), "400 malformed_json");
  EXPECT_EQ(signed_hook(""), "400 malformed_json");
  const std::string too_large(1024 * 1024 + 1, ' ');
  EXPECT_EQ(signed_hook(too_large), "413 body_too_large");
  EXPECT_EQ(world.Hook(too_large, {}).text(), "413 body_too_large") << "before the signature";

  const std::string good = R"({"type":"health.check"})";
  EXPECT_EQ(signed_hook(good), "200");
  ApiHeaders headers = world.SignedHeaders(good);
  headers.back().second = std::string(64, '0');
  EXPECT_EQ(world.Hook(good, headers).text(), "401 bad_signature");
  headers.back().second.clear();
  EXPECT_EQ(world.Hook(good, headers).text(), "401 bad_signature");
  headers.pop_back();
  EXPECT_EQ(world.Hook(good, headers).text(), "401 bad_signature");
  headers = world.SignedHeaders(good);
  headers.emplace_back("X-Signature", headers.back().second);
  EXPECT_EQ(world.Hook(good, headers).text(), "401 bad_signature") << "two are none";
  headers = world.SignedHeaders(good);
  headers[0].second = "text/plain";
  EXPECT_EQ(world.Hook(good, headers).text(), "200") << "the content type does not matter";
  EXPECT_EQ(
      Send(world.api().port(), "POST", "/v1/hooks/nobody", world.SignedHeaders(good), good).text(),
      "404 unknown_app");
  EXPECT_EQ(Send(world.api().port(), "GET", "/v1/hooks/acme", {}, "").text(),
            "405 method_not_allowed");
  ExpectTheNextGoodOneWorks(world);
}

TEST(BadInput, OfHooksIsVerifiedOverTheBytesAsTheyCame) {  // fault 33
  World world;
  for (const std::string& body :
       {std::string(R"({ "type" :  "health.check", "a":"\/ \u00e9 \ud83d\ude00" })"),
        std::string("{\"type\":\"health.check\",\"a\":\"\xc3\xa9\"}\n"),
        std::string("\n{\"type\":\"health.check\",\"n\":1.10}")}) {
    EXPECT_EQ(world.Hook(body, world.SignedHeaders(body)).text(), "200") << body;
    ApiHeaders headers = world.SignedHeaders(body);
    EXPECT_EQ(world.Hook(body + " ", headers).text(), "401 bad_signature");
  }
}

TEST(BadInput, OfTheApiGetsItsStatusAndLeavesTheCallHeld) {
  World world;
  world.Say("anya-1", kAsk);
  const HeldCall held = world.WaitForHeld();
  const std::string path = "/v1/agents/conversations/" + kTeam + "/tool_approvals";
  const auto post = [&](const std::string& body, const std::string& type = "application/json",
                        const std::string& target = "") {
    ApiHeaders headers = world.As("anya-1").headers;
    if (!type.empty()) headers.emplace_back("Content-Type", type);
    return Send(world.api().port(), "POST", target.empty() ? path : target, headers, body).text();
  };
  const std::string good = R"({"tool_call_id":")" + held.call + R"(","request_id":")" +
                           held.request + R"(","allowed":true})";
  const std::string open = good.substr(0, good.size() - 1);
  EXPECT_EQ(post(open), "400 malformed_json");
  EXPECT_EQ(post(open + ",\"summary\":\"\xff\"}"), "400 malformed_json");
  EXPECT_EQ(post(open + R"(,"allowed":true})"), "400 malformed_json");
  EXPECT_EQ(
      post(open + ",\"edited_arguments\":" + std::string(300, '[') + std::string(300, ']') + "}"),
      "400 malformed_json");
  EXPECT_EQ(post(good + std::string(1024 * 1024, ' ')), "413 body_too_large");
  EXPECT_EQ(post(good, "text/plain"), "415 unsupported_media_type");
  EXPECT_EQ(post(good, ""), "415 unsupported_media_type");
  EXPECT_EQ(post(open + R"(,"extra":1})"), "422 invalid_request");
  EXPECT_EQ(post(R"({"allowed":true})"), "422 invalid_request");
  EXPECT_EQ(post(R"({"tool_call_id":1,"request_id":"x","allowed":true})"), "422 invalid_request");
  EXPECT_EQ(post(open + R"(,"summary":")" + std::string(501, 's') + R"("})"),
            "422 invalid_request");
  EXPECT_EQ(post(open + R"(,"edited_arguments":{"message":"x","n":1e999}})").substr(0, 4), "422 ");
  EXPECT_EQ(
      post(good, "application/json",
           "/v1/agents/conversations/callouts:" + std::string(10'000, 'c') + "/tool_approvals"),
      "404 no_session");
  EXPECT_EQ(post(good, "application/json", "/v1/agents/conversations/no-cid/tool_approvals"),
            "404 no_session");
  EXPECT_EQ(post(good, "application/json", "/v1/nothing"), "404 not_found");
  EXPECT_TRUE(world.IsHeld(held));
  EXPECT_TRUE(world.crm().Calls().empty());
  EXPECT_EQ(post(good, "application/json; charset=utf-8"), "204");
  EXPECT_EQ(world.WaitForOutcome(held), "done");
}

TEST(BadInput, AProblemTellsItsFieldAndRepeatsNoValue) {
  World world;
  const ApiReply reply = world.PostAnswer(
      world.As("anya-1"), kTeam,
      Json::MakeObject({{"tool_call_id", 7}, {"request_id", "x"}, {"allowed", true}}));
  EXPECT_EQ(reply.status, 422);
  EXPECT_NE(reply.head.find("application/problem+json"), std::string::npos);
  const Json problem = reply.json();
  EXPECT_EQ(problem.IntAt("status"), 422);
  EXPECT_FALSE(problem.TextAt("title").empty());
  EXPECT_EQ(problem.Find("errors")->array().at(0).TextAt("pointer"), "/tool_call_id");
}

TEST(BadInput, RefusalsComeInTheirOrder) {
  World world;
  const std::string path = "/v1/agents/conversations/" + kTeam + "/tool_approvals";
  const std::string too_large(1024 * 1024 + 1, ' ');
  const auto post = [&](const ApiHeaders& headers, const std::string& body) {
    return Send(world.api().port(), "POST", path, headers, body).text();
  };
  EXPECT_EQ(post({}, too_large), "413 body_too_large") << "before the credential";
  EXPECT_EQ(post({{"X-Api-Key", "k1"}}, "{"), "401 bad_token") << "before the body";
  EXPECT_EQ(post(world.Anonymous().headers, "{"), "403 anonymous_caller");
  ApiHeaders headers = world.As("anya-1").headers;
  headers.emplace_back("Content-Type", "application/json");
  EXPECT_EQ(post(headers, "{"), "400 malformed_json") << "before the session";
}

TEST(BadInput, APathMayBePercentEncoded) {
  World world;
  world.Say("anya-1", kAsk);
  HeldCall held = world.WaitForHeld();
  held.cid = "callouts%3Ateam-1";
  EXPECT_EQ(world.Answer(world.As("anya-1"), held, true).status, 204);
}

}  // namespace writ::tests
