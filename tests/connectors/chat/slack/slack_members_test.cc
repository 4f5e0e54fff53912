#include "connectors/chat/slack/slack_members.h"

#include <gtest/gtest.h>

#include <optional>

#include "connectors/chat/slack/slack_names.h"
#include "router/base/json.h"
#include "tests/support/fake_clock.h"
#include "tests/support/fake_http.h"

namespace writ::tests {

using connectors::SlackMembers;
using router::HttpRequest;
using router::HttpResponse;
using router::Json;
using router::Membership;
using Answer = router::Membership::Answer;

namespace {

const router::Cid kCid("slack:T1.C1.1795944600.000100");

std::string MethodOf(const HttpRequest& request) {
  return request.url.substr(request.url.rfind('/') + 1);
}

Json Ok(const char* key, Json value) {
  return Json::MakeObject({{"ok", true}, {key, std::move(value)}});
}

Json Person(const std::string& team) {
  return Json::MakeObject({{"id", "U1"}, {"team_id", team}, {"deleted", false}});
}

Json MembersPage(const std::vector<std::string>& members, const std::string& next) {
  Json list = Json::MakeArray();
  for (const std::string& member : members) list.Push(member);
  Json page = Ok("members", std::move(list));
  page.Set("response_metadata", Json::MakeObject({{"next_cursor", next}}));
  return page;
}

class SlackMembersTest : public testing::Test {
 protected:
  // `members` answers the list's pages.
  Answer Ask(const router::UserId& user, const Json& person,
             std::function<HttpResponse(const HttpRequest&)> members) {
    http_.Answer([=](const HttpRequest& request) -> std::optional<router::HttpOutcome> {
      if (MethodOf(request) == "users.info") {
        const Json reply = person.IsObject()
                               ? Ok("user", person)
                               : Json::MakeObject({{"ok", false}, {"error", person.string()}});
        return HttpResponse{200, {}, reply.Dump()};
      }
      return members(request);
    });
    std::optional<Membership> told;
    SlackMembers(client_).Ask(kCid, user, std::chrono::milliseconds(2800),
                              [&](Membership membership) { told = membership; });
    http_.Run();
    return told.value().answer;
  }
  static HttpResponse Only(const HttpRequest& /*request*/) {
    return {200, {}, MembersPage({"U0", "U1"}, "").Dump()};
  }

  FakeClock clock_;
  FakeHttp http_;
  std::shared_ptr<connectors::SlackClient> client_ = std::make_shared<connectors::SlackClient>(
      connectors::SlackAccess{"xoxb-1", "https://slack.example/api"}, http_, clock_);
};

}  // namespace

TEST_F(SlackMembersTest, TheListIsReadUntilThePersonIsFound) {
  const auto pages = [](const HttpRequest& request) -> HttpResponse {
    const bool is_second = request.body.find("cursor=next") != std::string::npos;
    return {
        200, {}, (is_second ? MembersPage({"U1"}, "more") : MembersPage({"U0"}, "next")).Dump()};
  };
  EXPECT_EQ(Ask(router::UserId("T1.U1"), Person("T1"), pages), Answer::kMember);
  EXPECT_EQ(http_.sent().size(), 3U) << "no page after it";
  EXPECT_EQ(http_.sent()[1].headers.front().second, "Bearer xoxb-1");
  const auto without = [](const HttpRequest&) -> HttpResponse {
    return {200, {}, MembersPage({"U0", "U11"}, "").Dump()};
  };
  EXPECT_EQ(Ask(router::UserId("T1.U1"), Person("T1"), without), Answer::kNotMember);
}

TEST_F(SlackMembersTest, TheSameIdOfAnotherWorkspaceIsNoMember) {  // fault 18
  EXPECT_EQ(Ask(router::UserId("T2.U1"), Person("T1"), Only), Answer::kNotMember);
  EXPECT_EQ(Ask(router::UserId("E1.U1"), Person("T1"), Only), Answer::kNotMember);
  Json on_grid = Person("T1");
  on_grid.Set("enterprise_user", Json::MakeObject({{"enterprise_id", "E1"}}));
  EXPECT_EQ(Ask(router::UserId("E1.U1"), on_grid, Only), Answer::kMember);
  EXPECT_EQ(Ask(router::UserId("E2.U1"), on_grid, Only), Answer::kNotMember);
  EXPECT_EQ(Ask(router::UserId(""), on_grid, Only), Answer::kNotMember);
  EXPECT_EQ(Ask(router::UserId("T1.U1"), Json::MakeObject({{"id", "U1"}}), Only), Answer::kMember)
      << "nothing speaks against it";
}

TEST_F(SlackMembersTest, WhoWasDeactivatedIsNoMember) {
  Json gone = Person("T1");
  gone.Set("deleted", true);
  EXPECT_EQ(Ask(router::UserId("T1.U1"), gone, Only), Answer::kNotMember);
  EXPECT_EQ(Ask(router::UserId("T1.U1"), Json("user_not_found"), Only), Answer::kNotMember);
}

TEST_F(SlackMembersTest, WhatCannotBeHadIsNoGuess) {
  const router::UserId anya("T1.U1");
  EXPECT_EQ(Ask(anya, Json("internal_error"), Only), Answer::kUnknown);
  const auto answers = [](int status, std::string body) {
    return [=](const HttpRequest&) -> HttpResponse { return {status, {}, body}; };
  };
  EXPECT_EQ(Ask(anya, Person("T1"), answers(500, "oops")), Answer::kUnknown);
  EXPECT_EQ(Ask(anya, Person("T1"), answers(200, "<html>")), Answer::kUnknown);
  EXPECT_EQ(Ask(anya, Person("T1"), answers(200, R"({"ok":true})")), Answer::kUnknown);
  EXPECT_EQ(Ask(anya, Person("T1"), answers(200, R"({"ok":false,"error":"missing_scope"})")),
            Answer::kUnknown);
  EXPECT_EQ(Ask(anya, Person("T1"), answers(200, R"({"ok":false,"error":"channel_not_found"})")),
            Answer::kNotMember);
  EXPECT_EQ(Ask(anya, Person("T1"), answers(429, R"({"ok":false,"error":"ratelimited"})")),
            Answer::kUnknown);
}

TEST_F(SlackMembersTest, ANameIsKnownTheNextTime) {
  http_.Answer([](const HttpRequest&) -> std::optional<router::HttpOutcome> {
    return HttpResponse{200, {}, R"({"ok":true,"user":{"name":"anya","profile":
        {"display_name":"Anya","real_name":"Anya K"}}})"};
  });
  const auto names = std::make_shared<connectors::SlackNames>(client_);
  EXPECT_EQ(names->NameOf("U1"), "");
  http_.Run();
  EXPECT_EQ(names->NameOf("U1"), "Anya");
  EXPECT_EQ(names->NameOf("U1"), "Anya");
  http_.Run();
  EXPECT_EQ(http_.sent().size(), 1U) << "asked once";
  clock_.Advance(std::chrono::hours(2));
  EXPECT_EQ(names->NameOf("U1"), "Anya");
  http_.Run();
  EXPECT_EQ(http_.sent().size(), 2U) << "people change their names";
}

}  // namespace writ::tests
