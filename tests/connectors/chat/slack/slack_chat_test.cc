#include "connectors/chat/slack/slack_chat.h"

#include <gtest/gtest.h>

#include <optional>
#include <variant>

#include "connectors/http/form.h"
#include "router/base/json.h"
#include "tests/support/fake_clock.h"
#include "tests/support/fake_http.h"

namespace writ::tests {

using connectors::SlackChat;
using router::ChatFailure;
using router::HttpRequest;
using router::HttpResponse;
using router::Post;
using router::Posted;
using std::chrono::milliseconds;

namespace {

HttpResponse Says(const std::string& body, int status = 200, router::HttpHeaders headers = {}) {
  return {status, std::move(headers), body};
}

HttpResponse Error(const std::string& error) {
  return Says(R"({"ok":false,"error":")" + error + R"("})");
}

std::string MethodOf(const HttpRequest& request) {
  return request.url.substr(request.url.rfind('/') + 1);
}

std::string FieldOf(const HttpRequest& request, std::string_view name) {
  const auto fields = connectors::ParseForm(request.body);
  const std::string* value = fields ? connectors::FindField(*fields, name) : nullptr;
  return value == nullptr ? "(none)" : *value;
}

Post APost() {
  Post post;
  post.cid = router::Cid("slack:T1.C1.1795944500.000050");
  post.thread = router::MessageId("1795944500.000050");
  post.id = router::MessageId("writ-cmd_1");
  post.text = "Hello";
  return post;
}

class SlackChatTest : public testing::Test {
 protected:
  Posted Send(const Post& post) {
    std::optional<Posted> posted;
    chat_.Send(post, {}, [&](Posted outcome) { posted = std::move(outcome); });
    http_.Run();
    return posted.value();
  }
  Posted Edit(const Post& post) {
    std::optional<Posted> posted;
    chat_.Edit(post, {}, [&](Posted outcome) { posted = std::move(outcome); });
    http_.Run();
    return posted.value();
  }
  ChatFailure::Kind KindOf(HttpResponse response) {
    http_.Queue(std::move(response));
    return Edit(Posted_()).failure.value().kind;
  }
  static Post Posted_() {
    Post post = APost();
    post.memo = "C1:1795944610.000150";
    return post;
  }

  FakeClock clock_;
  FakeHttp http_;
  std::shared_ptr<connectors::SlackClient> client_ = std::make_shared<connectors::SlackClient>(
      connectors::SlackAccess{"xoxb-1", "https://slack.example/api"}, http_, clock_);
  SlackChat chat_{{router::AppId("acme"), {}}, client_};
};

constexpr const char* kPosted = R"({"ok":true,"channel":"C1","ts":"1795944610.000150"})";

}  // namespace

TEST_F(SlackChatTest, APostGoesIntoItsThreadAndCarriesItsId) {
  http_.Queue(Says(kPosted));
  const Posted posted = Send(APost());
  EXPECT_FALSE(posted.failure);
  EXPECT_EQ(posted.memo, "C1:1795944610.000150");
  const HttpRequest& request = http_.sent().at(0);
  EXPECT_EQ(MethodOf(request), "chat.postMessage");
  EXPECT_TRUE(request.once) << "a repeat by the client would be seen";
  EXPECT_EQ(FieldOf(request, "channel"), "C1");
  EXPECT_EQ(FieldOf(request, "thread_ts"), "1795944500.000050");
  EXPECT_EQ(FieldOf(request, "text"), "Hello");
  EXPECT_EQ(FieldOf(request, "unfurl_links"), "false");
  EXPECT_NE(FieldOf(request, "metadata").find("writ-cmd_1"), std::string::npos);
}

TEST_F(SlackChatTest, OneThatWasTriedBeforeIsLookedForFirst) {  // fault 35
  Post post = APost();
  post.maybe_there_since = router::TimePoint{};
  http_.Queue(Says(R"({"ok":true,"messages":[{"ts":"1795944500.000050"},
      {"ts":"1795944609.000001","metadata":{"event_type":"writ_message",
       "event_payload":{"id":"writ-cmd_0"}}}],"response_metadata":{"next_cursor":"next"}})"));
  http_.Queue(Says(R"({"ok":true,"messages":[
      {"ts":"1795944610.000150","metadata":{"event_type":"writ_message",
       "event_payload":{"id":"writ-cmd_1"}}}],"response_metadata":{"next_cursor":""}})"));
  http_.Queue(Says(R"({"ok":true})"));
  const Posted posted = Send(post);
  EXPECT_EQ(posted.memo, "C1:1795944610.000150");
  ASSERT_EQ(http_.sent().size(), 3U);
  EXPECT_EQ(MethodOf(http_.sent()[0]), "conversations.replies");
  EXPECT_EQ(FieldOf(http_.sent()[1], "cursor"), "next");
  EXPECT_EQ(MethodOf(http_.sent()[2]), "chat.update") << "its face may be newer";

  http_.Queue(Says(R"({"ok":true,"messages":[]})"));
  http_.Queue(Says(kPosted));
  EXPECT_FALSE(Send(post).failure);
  EXPECT_EQ(MethodOf(http_.sent().back()), "chat.postMessage");

  http_.Queue(Error("internal_error"));
  EXPECT_TRUE(Send(post).failure) << "not sent by a guess";
  EXPECT_EQ(MethodOf(http_.sent().back()), "conversations.replies");
}

TEST_F(SlackChatTest, AFaceIsChangedWhereItStands) {
  http_.Queue(Says(R"({"ok":true})"));
  EXPECT_EQ(Edit(Posted_()).memo, "C1:1795944610.000150");
  EXPECT_EQ(MethodOf(http_.sent().at(0)), "chat.update");
  EXPECT_EQ(FieldOf(http_.sent().at(0), "ts"), "1795944610.000150");
  EXPECT_NE(FieldOf(http_.sent().at(0), "blocks"), "(none)") << "else the old buttons may stay";

  http_.Queue(Error("edit_window_closed"));
  http_.Queue(Says(R"({"ok":true,"ts":"1795944900.000001"})"));
  EXPECT_EQ(Edit(Posted_()).memo, "C1:1795944900.000001") << "as a message of its own";
}

TEST_F(SlackChatTest, BlocksThatSlackDoesNotTakeAreLeftOut) {
  http_.Queue(Error("invalid_blocks"));
  http_.Queue(Says(kPosted));
  EXPECT_FALSE(Send(APost()).failure);
  EXPECT_EQ(FieldOf(http_.sent().back(), "blocks"), "[]");
  clock_.Advance(std::chrono::seconds(10));  // a message a second
  http_.Queue(Error("invalid_blocks"));
  http_.Queue(Error("invalid_blocks"));
  EXPECT_EQ(Send(APost()).failure->kind, ChatFailure::Kind::kRefused) << "once";
}

TEST_F(SlackChatTest, WhatMayPassIsTriedAgainAndTheRestIsNot) {
  using enum ChatFailure::Kind;
  for (const char* error : {"internal_error", "fatal_error", "request_timeout", "invalid_auth",
                            "token_revoked", "missing_scope"}) {
    EXPECT_EQ(KindOf(Error(error)), kTransient) << error;
  }
  EXPECT_EQ(KindOf(Says("<html>", 200)), kTransient);
  EXPECT_EQ(KindOf(Says("", 503)), kTransient);
  for (const char* error : {"is_archived", "not_in_channel", "msg_too_long", "restricted_action"}) {
    EXPECT_EQ(KindOf(Error(error)), kRefused) << error;
  }
  EXPECT_EQ(KindOf(Error("channel_not_found")), kMissing);
  EXPECT_EQ(KindOf(Error("message_not_found")), kMissing);
}

TEST_F(SlackChatTest, ARateLimitHoldsItsMethodForAsLongAsSlackAsks) {  // fault 37
  struct Case {
    const char* retry_after;
    int seconds;
  };
  for (const Case one : {Case{"2", 2}, Case{"0", 0}, Case{"abc", 5}, Case{"999999", 60}}) {
    http_.Queue(
        Says(R"({"ok":false,"error":"ratelimited"})", 429, {{"retry-after", one.retry_after}}));
    const auto failure = Edit(Posted_()).failure;
    ASSERT_TRUE(failure);
    EXPECT_EQ(failure->retry_after, milliseconds(one.seconds * 1000)) << one.retry_after;
    clock_.Advance(std::chrono::seconds(61));
  }
  http_.Queue(Says(R"({"ok":false,"error":"ratelimited"})", 429, {{"retry-after", "30"}}));
  EXPECT_TRUE(Edit(Posted_()).failure);
  const std::size_t sent = http_.sent().size();
  const auto held = Edit(Posted_()).failure;
  ASSERT_TRUE(held);
  EXPECT_EQ(held->retry_after, milliseconds(30000));
  EXPECT_EQ(http_.sent().size(), sent) << "no storm while Slack wants none";
}

TEST_F(SlackChatTest, HistoryIsTheThreadWithItsBeginning) {
  http_.Queue(Says(R"({"ok":true,"user_id":"U0BOT","team_id":"T1"})"));
  http_.Queue(Says(R"({"ok":true,"messages":[
      {"user":"U1","team":"T1","text":"the question","ts":"1795944500.000050"},
      {"user":"U2","team":"T1","text":"left out","ts":"1795944501.000000"},
      {"user":"U0BOT","team":"T1","text":"an answer","ts":"1795944502.000000","bot_id":"B1"},
      {"user":"U1","team":"T1","text":"thanks","ts":"1795944503.000000"}]})"));
  std::optional<std::vector<router::HistoryMessage>> read;
  chat_.History(APost().cid, APost().thread, router::UserId("helper"), 3, {}, [&](auto outcome) {
    read = std::get<std::vector<router::HistoryMessage>>(std::move(outcome));
  });
  http_.Run();
  ASSERT_TRUE(read);
  ASSERT_EQ(read->size(), 3U);
  EXPECT_EQ((*read)[0].text, "the question");
  EXPECT_EQ((*read)[1].text, "an answer");
  EXPECT_TRUE((*read)[1].from_agent);
  EXPECT_EQ((*read)[2].text, "thanks");
}

TEST_F(SlackChatTest, WhatWasMissedIsWhatPeopleWroteSince) {
  http_.Queue(Says(R"({"ok":true,"user_id":"U0BOT","team_id":"T1"})"));
  http_.Queue(Says(R"({"ok":true,"messages":[
      {"user":"U1","team":"T1","text":"before","ts":"1795944500.000050","thread_ts":"1795944500.000050"},
      {"user":"U0BOT","team":"T1","text":"mine","ts":"1795944602.000000","thread_ts":"1795944500.000050"},
      {"user":"U1","team":"T1","text":"since","ts":"1795944603.000000","thread_ts":"1795944500.000050"}]})"));
  std::optional<std::vector<router::ChannelEvent>> missed;
  chat_.Missed(APost().cid, router::TimePoint(std::chrono::seconds(1795944600)), {},
               [&](auto outcome) {
                 missed = std::get<std::vector<router::ChannelEvent>>(std::move(outcome));
               });
  http_.Run();
  ASSERT_TRUE(missed);
  ASSERT_EQ(missed->size(), 1U);
  EXPECT_EQ((*missed)[0].text, "since");
  EXPECT_EQ((*missed)[0].cid, APost().cid);
  EXPECT_EQ((*missed)[0].author.text(), "T1.U1");
  EXPECT_EQ(FieldOf(http_.sent().back(), "oldest"), "1795944600.000000");
}

TEST_F(SlackChatTest, APressersNoticeGoesToSlackAlone) {
  http_.Answer([](const HttpRequest&) { return Says(R"({"ok":true})"); });
  client_->Tell({"C1", "1.000001", "U1", "https://hooks.slack.com/actions/T1/1/x", "<No>"});
  http_.Run();
  EXPECT_EQ(http_.sent().back().url, "https://hooks.slack.com/actions/T1/1/x");
  EXPECT_NE(http_.sent().back().body.find("&lt;No&gt;"), std::string::npos);
  EXPECT_TRUE(http_.sent().back().headers.front().first != "authorization");
  for (const char* url : {"", "https://evil.example/x", "https://hooks.slack.com.evil.example/",
                          "http://169.254.169.254/"}) {
    client_->Tell({"C1", "1.000001", "U1", url, "No"});
    http_.Run();
    EXPECT_EQ(MethodOf(http_.sent().back()), "chat.postEphemeral") << url;
    EXPECT_EQ(FieldOf(http_.sent().back(), "user"), "U1");
  }
}

}  // namespace writ::tests
