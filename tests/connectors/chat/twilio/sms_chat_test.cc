#include "connectors/chat/twilio/sms_chat.h"

#include <gtest/gtest.h>

#include <functional>
#include <optional>

#include "connectors/http/form.h"
#include "router/base/failure.h"
#include "router/base/json.h"
#include "tests/support/fake_clock.h"
#include "tests/support/fake_http.h"
#include "tests/support/recording_log.h"

namespace writ::tests {

using router::ChatFailure;
using router::HttpFailure;
using router::HttpRequest;
using router::HttpResponse;
using router::Json;
using router::Post;
using router::Posted;

namespace {

std::string FieldOf(const HttpRequest& request, std::string_view name) {
  const auto fields = connectors::ParseForm(request.body);
  const std::string* value = fields ? connectors::FindField(*fields, name) : nullptr;
  return value == nullptr ? "(none)" : *value;
}

Post PostOf(const std::string& state, const std::string& text) {
  Post post;
  post.cid = router::Cid("sms:+12025550143");
  post.text = text;
  post.runtime = Json::MakeObject({{"state", state}});
  return post;
}

Post AskFor(const std::vector<std::string>& approvals) {
  Post post = PostOf("awaiting_approval", "Waiting");
  for (const std::string& id : approvals) {
    router::PostedAsk ask;
    ask.approval = router::ApprovalId(id);
    ask.call = router::CallId("call-" + id);
    ask.name = "crm__echo";
    ask.code = "482193";
    post.asks.push_back(ask);
    post.attachments.push_back(Json::MakeObject(
        {{"id", "call-" + id},
         {"approval", Json::MakeObject({{"title", "Allow crm__echo?"}, {"message", "args " + id}})},
         {"expires_at", "2026-11-29T10:00:00Z"}}));
  }
  return post;
}

Json Taken(const std::string& at, const std::string& body) {
  return Json::MakeObject({{"direction", "outbound-api"},
                           {"to", "+12025550143"},
                           {"date_created", at},
                           {"date_sent", Json()},
                           {"body", body}});
}

HttpResponse Listed(const std::vector<Json>& messages) {
  Json list = Json::MakeArray();
  for (const Json& message : messages) list.Push(message);
  return {200, {}, Json::MakeObject({{"messages", std::move(list)}}).Dump()};
}

class SmsChatTest : public testing::Test {
 protected:
  SmsChatTest() {
    http_.Answer([](const HttpRequest&) { return HttpResponse{201, {}, R"({"sid":"SM1"})"}; });
  }
  Posted Send(const Post& post) {
    std::optional<Posted> posted;
    chat_.Send(post, {}, [&](Posted outcome) { posted = std::move(outcome); });
    http_.Run();
    return posted.value();
  }
  [[nodiscard]] std::vector<std::string> Bodies() const {
    std::vector<std::string> bodies;
    for (const HttpRequest& request : http_.sent()) bodies.push_back(FieldOf(request, "Body"));
    return bodies;
  }

  FakeHttp http_;
  FakeClock clock_;
  RecordingLog log_;
  std::shared_ptr<connectors::SmsClient> client_ = std::make_shared<connectors::SmsClient>(
      connectors::TwilioAccess{"AC1", "token", "+12025550100", "https://api.twilio.com"}, http_,
      clock_, log_);
  std::function<bool(const std::string&)> wants_none_ = [](const std::string&) { return false; };
  connectors::SmsChat chat_{
      {[](const router::PostedAsk& ask, router::TimePoint) { return "Reply " + ask.code; }},
      client_,
      [this](const std::string& number) { return wants_none_(number); }};
};

}  // namespace

TEST_F(SmsChatTest, WhatIsSentIsOneFormOfTheMessagesApi) {
  EXPECT_FALSE(Send(PostOf("completed", "50% + tax")).failure);
  ASSERT_EQ(http_.sent().size(), 1U);
  const HttpRequest& request = http_.sent().front();
  EXPECT_EQ(request.url, "https://api.twilio.com/2010-04-01/Accounts/AC1/Messages.json");
  EXPECT_TRUE(request.once);
  EXPECT_NE(request.body.find("To=%2B12025550143"), std::string::npos);
  EXPECT_EQ(FieldOf(request, "From"), "+12025550100");
  EXPECT_EQ(FieldOf(request, "Body"), "50% + tax");
  EXPECT_EQ(request.headers.front().second, "Basic QUMxOnRva2Vu");
}

TEST_F(SmsChatTest, NothingIsSentWhileItWorksAndEachThingOnce) {
  EXPECT_FALSE(Send(PostOf("running", "Working…")).failure);
  EXPECT_TRUE(http_.sent().empty());

  Post post = AskFor({"apr_0123456789one", "apr_0123456789two"});
  Posted posted = Send(post);
  EXPECT_EQ(Bodies(),
            (std::vector<std::string>{"Allow crm__echo?\nargs apr_0123456789one\nReply 482193",
                                      "Allow crm__echo?\nargs apr_0123456789two\nReply 482193"}));
  post = AskFor({"apr_0123456789two"});  // the other one was answered
  post.memo = posted.memo;
  Send(post);
  EXPECT_EQ(http_.sent().size(), 2U);

  Post end = PostOf("completed", "Done");
  end.memo = posted.memo;
  end.attachments.push_back(
      Json::MakeObject({{"name", "crm__echo"}, {"outcome", "declined"}, {"summary", "Declined"}}));
  posted = Send(end);
  EXPECT_EQ(Bodies().back(), "crm__echo: Declined\nDone");
  end.memo = posted.memo;
  Send(end);
  EXPECT_EQ(http_.sent().size(), 3U);
}

TEST_F(SmsChatTest, ALongTextComesInPiecesAndGoesOnWhereItWas) {
  const std::string text = std::string(1500, 'a') + ' ' + std::string(1500, 'b');
  http_.Queue(HttpResponse{201, {}, "{}"});
  http_.Queue(HttpResponse{429, {{"retry-after", "2"}}, R"({"code":20429})"});
  Post post = PostOf("completed", text);
  const Posted posted = Send(post);
  ASSERT_TRUE(posted.failure);
  EXPECT_EQ(posted.failure->kind, ChatFailure::Kind::kTransient);
  EXPECT_EQ(posted.failure->retry_after, std::chrono::milliseconds(2000));
  post.memo = posted.memo;
  EXPECT_FALSE(Send(post).failure);
  ASSERT_EQ(Bodies().size(), 3U);
  EXPECT_EQ(Bodies()[0], std::string(1500, 'a'));
  EXPECT_EQ(Bodies()[2], std::string(1500, 'b'));
}

TEST_F(SmsChatTest, WhatMayHaveBeenSentIsLeftForLater) {
  for (const router::HttpOutcome& outcome :
       {router::HttpOutcome(HttpResponse{500, {}, ""}),
        router::HttpOutcome(HttpFailure{HttpFailure::Kind::kTimedOut, "time-out"}),
        router::HttpOutcome(HttpFailure{HttpFailure::Kind::kBroken, "reset"})}) {
    http_.Queue(outcome);
    const Posted posted = Send(PostOf("completed", "Done"));
    ASSERT_TRUE(posted.failure);
    EXPECT_EQ(posted.failure->kind, ChatFailure::Kind::kTransient);
    EXPECT_EQ(posted.failure->retry_after, std::chrono::milliseconds(3000)) << "it is listed then";
  }
  http_.Queue(HttpFailure{HttpFailure::Kind::kNotSent, "no connection"});
  const Posted unsent = Send(PostOf("completed", "Done"));
  EXPECT_EQ(unsent.failure->kind, ChatFailure::Kind::kTransient);
  EXPECT_FALSE(unsent.failure->retry_after);
}

TEST_F(SmsChatTest, WhatWasTriedIsLookedForAndOnlyTheRestIsSent) {
  Post post = AskFor({"apr_0123456789one", "apr_0123456789two"});
  post.maybe_there_since = router::ParseTime("2026-11-29T09:30:10.5Z");
  const std::string one = "Allow crm__echo?\nargs apr_0123456789one\nReply 482193";
  http_.Queue(Listed({Taken("Sun, 29 Nov 2026 09:30:11 +0000", one)}));
  const Posted posted = Send(post);
  EXPECT_FALSE(posted.failure);
  ASSERT_EQ(http_.sent().size(), 2U);
  const HttpRequest& look = http_.sent()[0];
  EXPECT_EQ(look.method, "GET");
  EXPECT_EQ(look.url,
            "https://api.twilio.com/2010-04-01/Accounts/AC1/Messages.json"
            "?To=%2B12025550143&PageSize=100&From=%2B12025550100");
  EXPECT_NE(FieldOf(http_.sent()[1], "Body").find("two"), std::string::npos);

  post.memo = posted.memo;
  Send(post);
  EXPECT_EQ(http_.sent().size(), 2U) << "nothing is left to be looked for";
}

TEST_F(SmsChatTest, AnEarlierMessageOfTheSameWordsIsNotTheOneThatIsLookedFor) {
  Post post = PostOf("completed", "Done");
  post.maybe_there_since = router::ParseTime("2026-11-29T09:30:10Z");
  Json inbound = Taken("Sun, 29 Nov 2026 09:30:11 +0000", "Done");
  inbound.Set("direction", "inbound");
  Json others = Taken("Sun, 29 Nov 2026 09:30:11 +0000", "Done");
  others.Set("to", "+12025550144");
  http_.Queue(Listed({inbound, others, Taken("Sun, 29 Nov 2026 09:30:11 +0000", "Done so"),
                      Taken("Sun, 29 Nov 2026 09:30:00 +0000", "Done"), Taken("", "Done")}));
  EXPECT_FALSE(Send(post).failure);
  EXPECT_EQ(http_.sent().size(), 2U);

  http_.Queue(Listed(
      {Taken("Sun, 29 Nov 2026 09:30:10 +0000", "Sent from your Twilio trial account - Done")}));
  EXPECT_FALSE(Send(post).failure);
  EXPECT_EQ(http_.sent().size(), 3U) << "it was there";
}

TEST_F(SmsChatTest, PiecesOfTheSameWordsAreEachThere) {
  Post post = PostOf("completed", std::string(1530, 'a') + ' ' + std::string(1530, 'a'));
  post.memo = "end=1";
  post.maybe_there_since = router::ParseTime("2026-11-29T09:30:10Z");
  const Json one = Taken("Sun, 29 Nov 2026 09:30:11 +0000", std::string(1530, 'a'));
  http_.Queue(Listed({one}));
  Send(post);
  EXPECT_EQ(http_.sent().size(), 2U) << "the first is there, the second is not";
  http_.Queue(Listed({one, one}));
  EXPECT_EQ(Send(post).memo, "end=2");
  EXPECT_EQ(http_.sent().size(), 3U);
}

TEST_F(SmsChatTest, WhereItCannotBeLookedForNothingIsSent) {
  Post post = PostOf("completed", "Done");
  post.maybe_there_since = router::TimePoint{};
  http_.Queue(HttpResponse{429, {{"retry-after", "2"}}, "{}"});
  http_.Queue(HttpResponse{200, {}, "<html>"});
  http_.Queue(HttpResponse{200, {}, R"({"messages":7})"});
  http_.Queue(HttpResponse{404, {}, "{}"});
  http_.Queue(HttpFailure{HttpFailure::Kind::kTimedOut, "time-out"});
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(Send(post).failure->kind, ChatFailure::Kind::kTransient);
  }
  for (const HttpRequest& request : http_.sent()) EXPECT_EQ(request.method, "GET");
}

TEST_F(SmsChatTest, WhoeverOptedOutIsSentNothing) {
  http_.Queue(HttpResponse{400, {}, R"({"code":21610})"});
  EXPECT_EQ(Send(PostOf("completed", "Done")).failure->kind, ChatFailure::Kind::kRefused);
  wants_none_ = [](const std::string& number) { return number == "+12025550143"; };
  EXPECT_EQ(Send(PostOf("completed", "More")).failure->kind, ChatFailure::Kind::kRefused);
  EXPECT_EQ(http_.sent().size(), 1U);
  wants_none_ = [](const std::string&) -> bool {
    throw router::Failure(router::Failure::Kind::kTransient, "no store");
  };
  EXPECT_EQ(Send(PostOf("completed", "More")).failure->kind, ChatFailure::Kind::kTransient);
  EXPECT_EQ(http_.sent().size(), 1U);
  wants_none_ = [](const std::string&) { return false; };
  EXPECT_FALSE(Send(PostOf("completed", "Done")).failure);
}

TEST_F(SmsChatTest, ANumberIsTheOneMemberOfItsConversation) {
  connectors::SmsMembers members(http_);
  const auto ask = [&](const char* cid, const char* user) {
    std::optional<router::Membership> said;
    members.Ask(router::Cid(cid), router::UserId(user), std::chrono::milliseconds(100),
                [&](router::Membership membership) { said = membership; });
    http_.Run();
    return said.value().answer;
  };
  EXPECT_EQ(ask("sms:+12025550143", "sms:+12025550143"), router::Membership::Answer::kMember);
  EXPECT_EQ(ask("sms:+12025550143", "sms:+12025550144"), router::Membership::Answer::kNotMember);
  EXPECT_EQ(ask("team:1", "team:1"), router::Membership::Answer::kNotMember);
}

}  // namespace writ::tests
