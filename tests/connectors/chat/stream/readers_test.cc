#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "connectors/chat/stream/stream_chat.h"
#include "tests/support/fake_clock.h"
#include "tests/support/fake_http.h"

namespace writ::connectors {
namespace {

using router::ChannelEvent;
using router::ChatFailure;
using router::HistoryMessage;
using router::Json;
using tests::HttpFails;
using tests::HttpReply;

const router::Cid kTeam("callouts:team-1");
const router::UserId kHelper("helper");

// A message as the channel has it, `second` seconds past the hour.
Json Message(const std::string& id, const std::string& user, int second) {
  const std::string text = second < 10 ? "0" + std::to_string(second) : std::to_string(second);
  return Json::MakeObject({{"id", id},
                           {"type", "regular"},
                           {"text", "says " + id},
                           {"user", Json::MakeObject({{"id", user}, {"name", user}})},
                           {"created_at", "2026-11-29T09:00:" + text + "Z"}});
}

router::HttpOutcome Page(Json::Array messages) {
  return HttpReply(200, Json::MakeObject({{"messages", Json(std::move(messages))}}).Dump());
}

class StreamReadersTest : public ::testing::Test {
 protected:
  tests::FakeHttp http_;
  tests::FakeClock clock_;
  StreamChat chat_{
      {router::AppId("acme"), {"k1", "s3cret", "http://chat.test"}, {kHelper}}, http_, clock_};

  std::variant<std::vector<HistoryMessage>, ChatFailure> History(
      const std::optional<router::MessageId>& thread = {}, int limit = 30) {
    std::optional<std::variant<std::vector<HistoryMessage>, ChatFailure>> read;
    chat_.History(kTeam, thread, kHelper, limit, {}, [&](auto outcome) { read = outcome; });
    EXPECT_FALSE(read.has_value());
    http_.Run();
    EXPECT_TRUE(read.has_value());
    return read.value_or(std::vector<HistoryMessage>{});
  }

  std::variant<std::vector<ChannelEvent>, ChatFailure> Missed(const char* since) {
    std::optional<std::variant<std::vector<ChannelEvent>, ChatFailure>> read;
    chat_.Missed(kTeam, *router::ParseTime(since), {}, [&](auto outcome) { read = outcome; });
    http_.Run();
    EXPECT_TRUE(read.has_value());
    return read.value_or(std::vector<ChannelEvent>{});
  }

  Json LastBody() {
    auto parsed = router::ParseJson(http_.sent().back().body);
    return parsed.value ? *std::move(parsed.value) : Json();
  }
};

template <class Entry, class Id>
std::string Ids(const std::variant<std::vector<Entry>, ChatFailure>& read, Id id) {
  if (!std::holds_alternative<std::vector<Entry>>(read)) return "failed";
  std::string ids;
  for (const Entry& entry : std::get<std::vector<Entry>>(read)) ids += id(entry).text() + " ";
  return ids;
}

std::string Ids(const std::variant<std::vector<HistoryMessage>, ChatFailure>& read) {
  return Ids(read, [](const HistoryMessage& message) { return message.id; });
}

std::string Ids(const std::variant<std::vector<ChannelEvent>, ChatFailure>& read) {
  return Ids(read, [](const ChannelEvent& event) { return event.message; });
}

TEST_F(StreamReadersTest, HistoryIsOldestFirstAndKnowsTheAgentsOwn) {
  http_.Queue(Page({Message("m-2", "helper", 2), Message("m-1", "anya-1", 1)}));
  const auto read = History();
  EXPECT_EQ(Ids(read), "m-1 m-2 ");
  const auto& messages = std::get<0>(read);
  EXPECT_FALSE(messages.at(0).from_agent);
  EXPECT_TRUE(messages.at(1).from_agent);
  EXPECT_EQ(messages.at(0).author.text(), "anya-1");
  EXPECT_EQ(http_.sent().back().url, "http://chat.test/channels/callouts/team-1/query?api_key=k1");
  EXPECT_EQ(LastBody().Find("messages")->IntAt("limit"), 30);
}

TEST_F(StreamReadersTest, HistoryLeavesOutWhatNotEverybodyReads) {
  Json deleted = Message("m-1", "anya-1", 1);
  deleted.Set("type", "deleted");
  Json system = Message("m-2", "anya-1", 2);
  system.Set("type", "system");
  Json shadowed = Message("m-3", "anya-1", 3);
  shadowed.Set("shadowed", true);
  Json whispered = Message("m-4", "anya-1", 4);
  whispered.Set("restricted_visibility", Json(Json::Array{"ben-2"}));
  Json image = Message("m-5", "anya-1", 5);
  image.Set("text", "");
  http_.Queue(Page({deleted, system, shadowed, whispered, image, Message("m-6", "ben-2", 6)}));
  EXPECT_EQ(Ids(History()), "m-6 ");
}

TEST_F(StreamReadersTest, AThreadsHistoryBeginsWithWhatItHangsFrom) {
  http_.Queue(
      Page({Message("r-1", "ben-2", 2), Message("r-2", "anya-1", 3), Message("r-3", "anya-1", 4)}));
  http_.Queue(HttpReply(200, Json::MakeObject({{"message", Message("m-0", "anya-1", 1)}}).Dump()));
  EXPECT_EQ(Ids(History(router::MessageId("m-0"), 3)), "m-0 r-2 r-3 ");
  EXPECT_EQ(http_.sent().at(0).url, "http://chat.test/messages/m-0/replies?api_key=k1&limit=3");
  EXPECT_EQ(http_.sent().at(1).url, "http://chat.test/messages/m-0?api_key=k1");
}

TEST_F(StreamReadersTest, AThreadWhoseParentIsGoneIsReadAllTheSame) {
  http_.Queue(Page({Message("r-1", "ben-2", 2)}));
  http_.Queue(HttpReply(404, R"({"code":16})"));
  EXPECT_EQ(Ids(History(router::MessageId("m-0"))), "r-1 ");
}

TEST_F(StreamReadersTest, AFailureOfTheReadingIsTold) {
  http_.Queue(HttpFails(router::HttpFailure::Kind::kTimedOut));
  EXPECT_EQ(Ids(History()), "failed");
  http_.Queue(Page({}));
  http_.Queue(HttpReply(500, ""));
  EXPECT_EQ(Ids(History(router::MessageId("m-0"))), "failed");
  http_.Queue(HttpReply(429, "", {{"retry-after", "2"}}));
  EXPECT_EQ(Ids(Missed("2026-11-29T09:00:02Z")), "failed");
}

TEST_F(StreamReadersTest, NothingIsAskedForNoMessages) {
  EXPECT_EQ(Ids(History({}, 0)), "");
  EXPECT_TRUE(http_.sent().empty());
}

TEST_F(StreamReadersTest, WhatWasMissedComesAsItsEventsWithoutTheBotsOwn) {
  http_.Queue(Page({Message("m-1", "anya-1", 1), Message("m-2", "anya-1", 2),
                    Message("m-3", "helper", 3), Message("m-4", "ben-2", 4)}));
  const auto read = Missed("2026-11-29T09:00:01Z");
  EXPECT_EQ(Ids(read), "m-2 m-4 ");
  const ChannelEvent& event = std::get<0>(read).at(0);
  EXPECT_EQ(event.app.text(), "acme");
  EXPECT_EQ(event.cid, kTeam);
  EXPECT_EQ(event.author.text(), "anya-1");
  EXPECT_EQ(event.ignored_because, "");
  EXPECT_EQ(router::DedupeKey(event), "new:m-2");
}

TEST_F(StreamReadersTest, WordsThatWereEditedMeanwhileAreNotAnswered) {
  Json edited = Message("m-1", "anya-1", 1);
  edited.Set("message_text_updated_at", "2026-11-29T09:00:09Z");
  http_.Queue(Page({edited}));
  const auto read = Missed("2026-11-29T09:00:00Z");
  ASSERT_EQ(Ids(read), "m-1 ");
  EXPECT_EQ(std::get<0>(read).at(0).ignored_because, "edited");
}

TEST_F(StreamReadersTest, RepliesOfThreadsAreFoundOnce) {
  Json parent = Message("m-1", "anya-1", 1);
  parent.Set("reply_count", 2);
  Json shown = Message("r-1", "ben-2", 5);
  shown.Set("parent_id", "m-1");
  Json reply = Message("r-2", "anya-1", 6);
  reply.Set("parent_id", "m-1");
  http_.Queue(Page({parent, shown}));
  http_.Queue(Page({shown, reply}));
  const auto read = Missed("2026-11-29T09:00:03Z");
  EXPECT_EQ(Ids(read), "r-1 r-2 ");
  EXPECT_EQ(std::get<0>(read).at(1).thread, router::MessageId("m-1"));
}

TEST_F(StreamReadersTest, PagesAreReadBackToTheMomentAskedFor) {
  Json::Array newest;
  for (int i = 0; i < 100; ++i) {
    newest.push_back(Message("n-" + std::to_string(i), "anya-1", 30 + i / 10));
  }
  http_.Queue(Page(newest));
  http_.Queue(Page({Message("m-1", "anya-1", 1), Message("m-2", "anya-1", 20)}));
  const auto read = Missed("2026-11-29T09:00:10Z");
  EXPECT_EQ(std::get<0>(read).size(), 101U);
  EXPECT_EQ(std::get<0>(read).front().message.text(), "m-2");
  ASSERT_EQ(http_.sent().size(), 2U);
  EXPECT_EQ(LastBody().Find("messages")->TextAt("id_lt"), "n-0");
}

}  // namespace
}  // namespace writ::connectors
