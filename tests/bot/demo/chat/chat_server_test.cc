#include "bot/demo/chat/chat_server.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <mutex>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "bot/http/server.h"
#include "connectors/chat/stream/intake.h"
#include "tests/bot/demo/chat/stream_round_trip.h"

namespace writ::tests {
namespace {

using bot::ChatEndpoint;
using bot::ChatFault;
using router::Json;
using Answer = router::Membership::Answer;
using Kind = router::ChatFailure::Kind;

// A hook that remembers what came and answers as the test wants.
class Hook {
 public:
  explicit Hook(router::Log& log)
      : server_(
            {}, [this](bot::Request request) { return Take(std::move(request)); }, log) {
    server_.Start();
  }
  ~Hook() { server_.Stop(); }
  Hook(const Hook&) = delete;
  Hook& operator=(const Hook&) = delete;

  [[nodiscard]] std::string url() const {
    return "http://127.0.0.1:" + std::to_string(server_.port()) + "/v1/hooks/acme";
  }
  void AnswerWith(std::vector<int> statuses) {
    const std::lock_guard lock(mutex_);
    statuses_ = std::move(statuses);
  }
  [[nodiscard]] std::vector<bot::Request> taken() const {
    const std::lock_guard lock(mutex_);
    return taken_;
  }

 private:
  bot::Response Take(bot::Request request) {
    const std::lock_guard lock(mutex_);
    bot::Response response;
    if (taken_.size() < statuses_.size()) response.status = statuses_[taken_.size()];
    taken_.push_back(std::move(request));
    return response;
  }

  mutable std::mutex mutex_;  // guards both
  std::vector<bot::Request> taken_;
  std::vector<int> statuses_;
  bot::Server server_;
};

class ChatServerTest : public ::testing::Test, protected StreamRoundTrip {
 protected:
  void SetUp() override { ASSERT_EQ(EnsureUser(adapter_, agent), std::nullopt); }

  connectors::StreamChat adapter_{
      {router::AppId("acme"), AccessAt(chat.url()), {agent}}, http, clock};
  connectors::StreamMembers members_{AccessAt(chat.url()), http, clock};
};

TEST_F(ChatServerTest, AReplyIsPostedOnceAndEdited) {
  EXPECT_EQ(Send(adapter_, Reply("writ-cmd_1", "Looking…")), std::nullopt);
  const auto again = Send(adapter_, Reply("writ-cmd_1", "Looking…"));
  ASSERT_TRUE(again.has_value());
  EXPECT_EQ(again->kind, Kind::kAlreadyThere);
  EXPECT_EQ(Edit(adapter_, Reply("writ-cmd_1", "Ben works on Monday.")), std::nullopt);
  ASSERT_EQ(chat.world().Messages(cid.text()).size(), 1U);
  const Json message = chat.world().Messages(cid.text()).front();
  EXPECT_EQ(message.TextAt("text"), "Ben works on Monday.");
  EXPECT_EQ(message.BoolAt("ai_generated"), true);
  EXPECT_EQ(message.Find("support_runtime")->TextAt("command_id"), "cmd_1");
  EXPECT_EQ(message.Find("user")->TextAt("id"), "helper-bot");
}

TEST_F(ChatServerTest, WhatIsNotThereIsMissing) {
  EXPECT_EQ(Edit(adapter_, Reply("writ-cmd_9", "hello"))->kind, Kind::kMissing);
  router::Post elsewhere = Reply("writ-cmd_1", "hello");
  elsewhere.cid = router::Cid("callouts:nowhere");
  EXPECT_EQ(Send(adapter_, elsewhere)->kind, Kind::kMissing);
}

TEST_F(ChatServerTest, AWrongSecretIsRefused) {
  connectors::StreamAccess access = AccessAt(chat.url());
  access.api_secret = "another";
  connectors::StreamChat stranger({router::AppId("acme"), access, {agent}}, http, clock);
  EXPECT_EQ(Send(stranger, Reply("writ-cmd_1", "hello"))->kind, Kind::kTransient);
  connectors::StreamMembers asking(access, http, clock);
  EXPECT_EQ(Ask(asking, "anya-1"), Answer::kUnknown);
}

TEST_F(ChatServerTest, MembershipIsWhatItIsAtThatMoment) {
  EXPECT_EQ(Ask(members_, "anya-1"), Answer::kMember);
  EXPECT_EQ(Ask(members_, "cleo"), Answer::kNotMember);
  chat.world().SetMemberField(cid.text(), "anya-1", "banned", true);
  EXPECT_EQ(Ask(members_, "anya-1"), Answer::kNotMember);
  chat.world().SetMemberField(cid.text(), "anya-1", "banned", false);
  chat.world().SetUserField("anya-1", "deactivated_at", "2026-11-29T09:30:00Z");
  EXPECT_EQ(Ask(members_, "anya-1"), Answer::kNotMember);
  chat.world().SetUserField("anya-1", "deactivated_at", nullptr);
  EXPECT_EQ(Ask(members_, "anya-1"), Answer::kMember);
  chat.world().RemoveMember(cid.text(), "anya-1");
  EXPECT_EQ(Ask(members_, "anya-1"), Answer::kNotMember);
}

TEST_F(ChatServerTest, MembershipThatCannotBeHadIsUnknown) {
  chat.faults().Order(ChatEndpoint::kQueryMembers, {ChatFault::Kind::kStatus, 500});
  EXPECT_EQ(Ask(members_, "anya-1"), Answer::kUnknown);
  chat.faults().Order(ChatEndpoint::kQueryMembers, {ChatFault::Kind::kStatus, 429, "2"});
  EXPECT_EQ(Ask(members_, "anya-1"), Answer::kUnknown);
  chat.faults().Order(ChatEndpoint::kQueryMembers, {ChatFault::Kind::kHang});
  EXPECT_EQ(Ask(members_, "anya-1", std::chrono::seconds(2)), Answer::kUnknown);
  chat.faults().Order(ChatEndpoint::kQueryMembers, {ChatFault::Kind::kClose});
  EXPECT_EQ(Ask(members_, "anya-1"), Answer::kUnknown);
  EXPECT_EQ(Ask(members_, "anya-1"), Answer::kMember);
  EXPECT_EQ(chat.faults().Requests(ChatEndpoint::kQueryMembers), 5U);
}

TEST_F(ChatServerTest, APostWhoseAnswerIsLostIsFoundThereByItsRepeat) {
  chat.faults().Order(ChatEndpoint::kSendMessage, {ChatFault::Kind::kDoThenClose});
  EXPECT_EQ(Send(adapter_, Reply("writ-cmd_1", "hello"))->kind, Kind::kTransient);
  EXPECT_EQ(Send(adapter_, Reply("writ-cmd_1", "hello"))->kind, Kind::kAlreadyThere);
  EXPECT_EQ(chat.world().Messages(cid.text()).size(), 1U);
  EXPECT_EQ(chat.world().Counts("writ-cmd_1").posts, 2U);
}

TEST_F(ChatServerTest, ARateLimitIsToldWithItsWait) {
  chat.faults().Order(ChatEndpoint::kSendMessage, {ChatFault::Kind::kStatus, 429, "2"});
  const auto failure = Send(adapter_, Reply("writ-cmd_1", "hello"));
  ASSERT_TRUE(failure.has_value());
  EXPECT_EQ(failure->kind, Kind::kTransient);
  EXPECT_EQ(failure->retry_after, std::chrono::milliseconds(2000));
  chat.faults().Order(ChatEndpoint::kSendMessage,
                      {ChatFault::Kind::kStatus, 502, std::nullopt, false});
  EXPECT_EQ(Send(adapter_, Reply("writ-cmd_1", "hello"))->kind, Kind::kTransient);
}

TEST_F(ChatServerTest, HistoryOfChannelAndThreadIsRead) {
  const std::string question = chat.Send("anya-1", cid.text(), "Who works on Monday?");
  ASSERT_EQ(Send(adapter_, Reply("writ-cmd_1", "Ben.")), std::nullopt);
  chat.Send("ben-2", cid.text(), "Really?", question);
  EXPECT_EQ(History(adapter_), "anya-1: Who works on Monday?\nagent: Ben.\n");
  EXPECT_EQ(History(adapter_, router::MessageId(question)),
            "anya-1: Who works on Monday?\nben-2: Really?\n");
}

TEST_F(ChatServerTest, AnIndicatorReachesTheChannel) {
  adapter_.Indicate(cid, agent, router::MessageId("writ-cmd_1"), router::Indicator::kThinking);
  ASSERT_TRUE(chat.WaitFor([&] { return !chat.world().Events(cid.text()).empty(); }, kPatience));
  EXPECT_EQ(chat.world().Events(cid.text()).front().TextAt("ai_state"), "AI_STATE_THINKING");
}

TEST_F(ChatServerTest, AHookTellsWhatTheIntakeUnderstands) {
  Hook hook(log);
  chat.webhooks().SetUrls({hook.url()});
  const std::string id = chat.Send("anya-1", cid.text(), "Who works on Monday?");
  chat.Edit(id, "ben-2", "Who works on Tuesday?");
  chat.Delete(id, "anya-1");
  ASSERT_TRUE(chat.WaitFor([&] { return hook.taken().size() == 3; }, kPatience));

  const connectors::StreamIdentity identity{
      router::AppId("acme"), {chat.keys().api_secret}, {agent}};
  std::vector<router::ChannelEvent> events;
  for (const bot::Request& request : hook.taken()) {
    const auto intake = connectors::VerifyAndParse(
        identity, {request.body, *request.Header("x-signature"), *request.Header("x-webhook-id")},
        clock.Now());
    ASSERT_TRUE(std::holds_alternative<router::ChannelEvent>(intake));
    events.push_back(std::get<router::ChannelEvent>(intake));
  }
  // Deliveries may overtake each other: their own times tell the order.
  std::ranges::sort(events, {}, &router::ChannelEvent::happened_at);
  using EventKind = router::ChannelEvent::Kind;
  EXPECT_EQ(events[0].kind, EventKind::kMessageNew);
  EXPECT_EQ(events[0].author.text(), "anya-1");
  EXPECT_EQ(events[0].ignored_because, "");
  EXPECT_EQ(events[1].kind, EventKind::kMessageUpdated);
  EXPECT_EQ(events[1].actor.text(), "ben-2");
  EXPECT_EQ(events[1].text, "Who works on Tuesday?");
  EXPECT_EQ(events[2].kind, EventKind::kMessageDeleted);
  EXPECT_EQ(events[2].actor.text(), "anya-1");
}

TEST_F(ChatServerTest, TheBotsOwnPostComesBackAsItsOwn) {
  Hook hook(log);
  chat.webhooks().SetUrls({hook.url()});
  ASSERT_EQ(Send(adapter_, Reply("writ-cmd_1", "hello")), std::nullopt);
  ASSERT_TRUE(chat.WaitFor([&] { return hook.taken().size() == 1; }, kPatience));
  const bot::Request request = hook.taken().front();
  const auto intake =
      connectors::VerifyAndParse({router::AppId("acme"), {chat.keys().api_secret}, {agent}},
                                 {request.body, *request.Header("x-signature"), ""}, clock.Now());
  EXPECT_EQ(std::get<router::ChannelEvent>(intake).ignored_because, "own");
}

TEST_F(ChatServerTest, WhatWasMissedIsFoundInTheChannel) {
  const router::TimePoint since = clock.Now() - std::chrono::hours(1);
  const std::string question = chat.Send("anya-1", cid.text(), "Who works on Monday?");
  const std::string reply = chat.Send("ben-2", cid.text(), "Really?", question);
  using Read = std::variant<std::vector<router::ChannelEvent>, router::ChatFailure>;
  const Read read =
      Await<Read>([&](auto done) { adapter_.Missed(cid, since, {}, std::move(done)); });
  ASSERT_TRUE(std::holds_alternative<std::vector<router::ChannelEvent>>(read));
  const auto& events = std::get<0>(read);
  ASSERT_EQ(events.size(), 2U);
  EXPECT_EQ(events[0].message.text(), question);
  EXPECT_EQ(events[1].message.text(), reply);
  EXPECT_EQ(events[1].thread, router::MessageId(question));
}

}  // namespace
}  // namespace writ::tests
