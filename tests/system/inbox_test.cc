// /v1/inbox: what waits for a person across conversations, for an operator, and behind a link.
#include "router/approval/inbox_right.h"
#include "tests/system/story.h"

namespace writ::tests {
namespace {

const std::string kOther = "callouts:team-2";

class Inbox : public testing::Test {
 protected:
  explicit Inbox(const WorldOptions& options = {}) : world_(options) { world_.AddChannel(kOther); }

  HeldCall Ask(const std::string& user, const std::string& word, const std::string& cid) {
    world_.Say(user, AskWith(word), cid);
    return world_.WaitForHeld(cid);
  }
  [[nodiscard]] ApiReply Get(const Caller& caller, const std::string& query = "") {
    return world_.api().Get(caller, "/v1/inbox" + query);
  }
  // The arguments' words of the calls that the caller is shown, newest first.
  [[nodiscard]] std::vector<std::string> WordsFor(const Caller& caller,
                                                  const std::string& query = "") {
    const Json page = Get(caller, query).json();
    std::vector<std::string> words;
    for (const Json& call : page.Find("calls")->array()) {
      words.push_back(call.Find("approval")->Find("arguments")->TextAt("message"));
    }
    return words;
  }
  [[nodiscard]] router::ApprovalRecord RecordOf(const HeldCall& held) {
    const Json told = world_.api().Get(world_.Backend(), "/v1/approvals/" + held.request).json();
    router::ApprovalRecord record;
    record.id = router::ApprovalId(held.request);
    record.app = router::AppId("acme");
    record.asked = router::UserId(told.TextAt("asked"));
    record.expires_at = router::ParseTime(told.TextAt("expires_at")).value();
    return record;
  }
  [[nodiscard]] std::string RightOf(const HeldCall& held) {
    return router::InboxRightFor(RecordOf(held), world_.chat().keys().api_secret);
  }
  [[nodiscard]] ApiReply Exchange(const std::string& approval, const std::string& right) {
    return world_.api().Post({{{"X-Api-Key", "k1"}}}, "/v1/inbox/" + approval + "/right",
                             Json::MakeObject({{"right", right}}));
  }
  // Whoever has the cookie that an exchange gave.
  [[nodiscard]] static Caller WithCookie(const ApiReply& exchanged) {
    const std::size_t at = exchanged.head.find("Set-Cookie: ") + 12;
    return {{{"Cookie", exchanged.head.substr(at, exchanged.head.find(';', at) - at)}}};
  }
  static Json AnswerTo(const HeldCall& held, bool allowed) {
    return Json::MakeObject(
        {{"tool_call_id", held.call}, {"request_id", held.request}, {"allowed", allowed}});
  }

  World world_;
};

using Words = std::vector<std::string>;

TEST_F(Inbox, APersonSeesWhatIsAskedOfThemInAllTheirConversations) {
  const HeldCall first = Ask("anya-1", "one", kTeam);
  const HeldCall second = Ask("anya-1", "two", kOther);
  world_.AddChannel("callouts:team-3");
  const HeldCall bens = Ask("ben-2", "three", "callouts:team-3");

  EXPECT_EQ(WordsFor(world_.As("anya-1")), (Words{"two", "one"}));
  EXPECT_EQ(WordsFor(world_.As("ben-2")), (Words{"three"}));
  EXPECT_EQ(WordsFor(world_.As("cleo-3")), (Words{}));
  EXPECT_EQ(Get(world_.Anonymous()).text(), "403 anonymous_caller");
  EXPECT_EQ(Get({}).text(), "401 unknown_api_key");
  EXPECT_EQ(Get(world_.As("anya-1"), "?limit=0").text(), "422 invalid_request");

  const Json page = Get(world_.As("anya-1"), "?limit=1").json();
  ASSERT_EQ(page.Find("calls")->array().size(), 1U);
  EXPECT_EQ(WordsFor(world_.As("anya-1"), "?cursor=" + page.TextAt("next_cursor")), (Words{"one"}));

  // All that one needs to decide it.
  const ApiReply one = Get(world_.As("anya-1"), "/" + first.request);
  const Json call = one.json();
  EXPECT_EQ(call.Find("said")->TextAt("text"), AskWith("one"));
  EXPECT_EQ(call.Find("said")->TextAt("author_name"), "Anya");
  EXPECT_EQ(call.Find("turn")->TextAt("state"), "awaiting_approval");
  EXPECT_EQ(call.Find("step")->TextAt("status"), "awaiting_approval");
  EXPECT_NE(call.Find("tool")->Find("input_schema")->Find("properties")->Find("message"), nullptr);
  EXPECT_NE(one.head.find("no-store"), std::string::npos);
  EXPECT_EQ(Get(world_.As("ben-2"), "/" + first.request).text(), "404 approval_not_found");
  EXPECT_EQ(Get(world_.As("anya-1"), "/apr_none").text(), "404 approval_not_found");

  // Where it says that it is answered, it is; afterwards one sees what became of it.
  EXPECT_EQ(world_.api()
                .Post(world_.As("anya-1"), call.TextAt("answer_to"), AnswerTo(first, true))
                .status,
            204);
  world_.WaitForOutcome(first);
  EXPECT_EQ(WordsFor(world_.As("anya-1")), (Words{"two"}));
  EXPECT_EQ(Get(world_.As("anya-1"), "/" + first.request).json().Find("step")->TextAt("outcome"),
            "done");
}

TEST_F(Inbox, WhereMembershipIsOverOrUnknownNothingIsShown) {
  const HeldCall left = Ask("anya-1", "left", kTeam);
  const HeldCall unsure = Ask("anya-1", "unsure", kOther);
  world_.chat().world().RemoveMember(kTeam, "anya-1");
  EXPECT_EQ(Get(world_.As("anya-1"), "/" + left.request).text(), "404 approval_not_found");
  world_.chat().faults().Order(bot::ChatEndpoint::kQueryMembers, {}, 1000);
  EXPECT_EQ(Get(world_.As("anya-1"), "/" + unsure.request).text(), "503 membership_unknown");
  const Json page = Get(world_.As("anya-1")).json();
  EXPECT_TRUE(page.Find("calls")->array().empty());
  EXPECT_EQ(page.Find("membership_unknown")->array().size(), 2U);
  world_.chat().faults().Clear();
  EXPECT_EQ(WordsFor(world_.As("anya-1")), (Words{"unsure"}));
}

TEST_F(Inbox, LookingOftenDoesNotUseUpThePlatformsLimit) {
  Ask("anya-1", "one", kTeam);
  const auto asked = [&] {
    return world_.chat().faults().Requests(bot::ChatEndpoint::kQueryMembers);
  };
  EXPECT_EQ(WordsFor(world_.As("anya-1")), (Words{"one"}));
  const std::size_t before = asked();
  for (int i = 0; i < 20; ++i) EXPECT_EQ(WordsFor(world_.As("anya-1")), (Words{"one"}));
  EXPECT_EQ(asked(), before);
}

TEST_F(Inbox, TheBackendSeesAllOfItsAppAndSearches) {
  const HeldCall one = Ask("anya-1", "Apples", kTeam);
  Ask("ben-2", "pears", kOther);
  EXPECT_EQ(WordsFor(world_.Backend()), (Words{"pears", "Apples"}));
  EXPECT_EQ(WordsFor(world_.Backend(), "?asked=ben-2"), (Words{"pears"}));
  EXPECT_EQ(WordsFor(world_.Backend(), "?cid=" + kTeam), (Words{"Apples"}));
  EXPECT_EQ(WordsFor(world_.Backend(), "?text=aPPle"), (Words{"Apples"}));
  EXPECT_EQ(WordsFor(world_.Backend(), "?text=Anya"), (Words{"Apples"}));
  EXPECT_EQ(WordsFor(world_.Backend(), "?tool=refund"), (Words{}));
  EXPECT_EQ(WordsFor(world_.Backend(), "?tool=CHO&status=pending"), (Words{"pears", "Apples"}));
  EXPECT_EQ(Get(world_.Backend(), "?status=held").text(), "422 invalid_request");
  const Json page = Get(world_.Backend(), "?limit=1&text=callouts").json();
  EXPECT_EQ(WordsFor(world_.Backend(), "?text=callouts&cursor=" + page.TextAt("next_cursor")),
            (Words{"Apples"}));
  const Json call = Get(world_.Backend(), "/" + one.request).json();
  EXPECT_EQ(call.TextAt("answer_to"), "/v1/approvals/" + one.request + "/decision");
}

TEST_F(Inbox, AToolThatCannotBeListedIsShownWithoutItsSchema) {
  const HeldCall held = Ask("anya-1", "one", kTeam);
  world_.crm().RefuseLists(true);
  world_.Restart();
  const Json call = Get(world_.As("anya-1"), "/" + held.request).json();
  ASSERT_NE(call.Find("tool"), nullptr);
  EXPECT_TRUE(call.Find("tool")->IsNull());
  EXPECT_EQ(call.Find("approval")->Find("arguments")->TextAt("message"), "one");
}

TEST_F(Inbox, ALinksRightIsForOneCallOfOnePerson) {
  const HeldCall held = Ask("anya-1", "one", kTeam);
  const HeldCall other = Ask("anya-1", "two", kOther);
  const std::string right = RightOf(held);
  EXPECT_EQ(Exchange(held.request, right + "x").text(), "401 bad_token");
  EXPECT_EQ(Exchange(other.request, right).text(), "401 bad_token");
  EXPECT_EQ(Exchange("apr_none", right).text(), "401 bad_token");
  router::ApprovalRecord bens = RecordOf(held);
  bens.asked = router::UserId("ben-2");
  EXPECT_EQ(
      Exchange(held.request, router::InboxRightFor(bens, world_.chat().keys().api_secret)).text(),
      "401 bad_token");
  EXPECT_EQ(world_.api()
                .Post({{{"X-Api-Key", "none"}}}, "/v1/inbox/" + held.request + "/right",
                      Json::MakeObject({{"right", right}}))
                .text(),
            "401 unknown_api_key");

  const ApiReply exchanged = Exchange(held.request, right);
  ASSERT_EQ(exchanged.status, 204);
  for (const std::string& part : {"; Path=/v1/inbox/" + held.request, std::string("; HttpOnly"),
                                  std::string("; SameSite=Strict"), std::string("; Max-Age=")}) {
    EXPECT_NE(exchanged.head.find(part), std::string::npos) << part;
  }
  const Caller link = WithCookie(exchanged);
  EXPECT_TRUE(world_.IsHeld(held));  // nothing was decided
  EXPECT_EQ(Get(link, "/" + held.request).status, 200);
  EXPECT_EQ(Get(link, "/" + other.request).text(), "401 bad_token");
  EXPECT_EQ(Get(link).text(), "401 unknown_api_key");
  const auto answer = [&](const HeldCall& named, const HeldCall& path) {
    return world_.api()
        .Post(link, "/v1/inbox/" + path.request + "/answer", AnswerTo(named, true))
        .text();
  };
  EXPECT_EQ(answer(other, other), "401 bad_token");
  EXPECT_EQ(answer(other, held), "404 no_session");
  // It is not worth more than the person: whoever left can't answer with it.
  world_.chat().world().RemoveMember(kTeam, "anya-1");
  EXPECT_EQ(answer(held, held), "404 no_session");
  world_.chat().world().AddMember(kTeam, "anya-1");
  EXPECT_EQ(answer(held, held), "204");
  EXPECT_EQ(world_.WaitForOutcome(held), "done");
  EXPECT_EQ(answer(held, held).substr(0, 3), "404");
  EXPECT_TRUE(world_.IsHeld(other));
}

class InboxWithLog : public Inbox {
 protected:
  InboxWithLog() : Inbox(Options()) {}
  static WorldOptions Options() {
    WorldOptions options;
    options.agent = Limits({{"approval_wait_s", 12}});
    options.config = [](Json& config) {
      config.Set("audit", Json::MakeObject({{"secret", "of the log, and long enough to be one"}}));
      config.Set("public_url", "https://bot.example.org/writ");
    };
    return options;
  }
};

TEST_F(InboxWithLog, ALinkEndsWithItsCallAndTheLogSaysHowItsReaderWasKnown) {
  const HeldCall late = Ask("anya-1", "late", kTeam);
  const HeldCall held = Ask("anya-1", "one", kOther);
  const std::string right = RightOf(late);
  const ApiReply exchanged = Exchange(held.request, RightOf(held));
  EXPECT_NE(exchanged.head.find("; Path=/writ/v1/inbox/"), std::string::npos);
  EXPECT_NE(exchanged.head.find("; Secure"), std::string::npos);
  const Caller link = WithCookie(exchanged);
  EXPECT_EQ(
      world_.api().Post(link, "/v1/inbox/" + held.request + "/answer", AnswerTo(held, true)).status,
      204);
  EXPECT_EQ(world_.WaitForOutcome(held), "done");
  EXPECT_EQ(world_.WaitForOutcome(late), "expired");
  EXPECT_EQ(Exchange(late.request, right).text(), "401 token_expired");

  const auto entries = [&] {
    const Json page =
        world_.api().Get(world_.Backend(), "/v1/audit?approval_id=" + held.request).json();
    return page.Find("entries")->array();
  };
  ASSERT_TRUE(Eventually([&] { return entries().size() == 4; }));
  std::vector<std::string> types;
  for (const Json& entry : entries()) types.push_back(entry.Find("entry")->TextAt("type"));
  EXPECT_EQ(types, (Words{"asked", "decided", "used", "finished"}));
  EXPECT_EQ(entries().at(1).Find("entry")->TextAt("authenticated_by"), "inbox_link");
  EXPECT_EQ(entries().at(1).Find("entry")->TextAt("decided_by"), "user:anya-1");
  EXPECT_EQ(world_.api().Get(world_.Backend(), "/v1/audit?approval_id=apr_none").text(),
            "404 approval_not_found");
  EXPECT_EQ(world_.api().Get(world_.As("anya-1"), "/v1/audit?approval_id=" + held.request).text(),
            "403 forbidden");
}

}  // namespace
}  // namespace writ::tests
