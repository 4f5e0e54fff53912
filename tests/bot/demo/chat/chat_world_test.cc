#include "bot/demo/chat/chat_world.h"

#include <gtest/gtest.h>

#include <string>
#include <variant>
#include <vector>

#include "tests/support/fake_clock.h"

namespace writ::bot {
namespace {

using router::Json;

const ChatCaller kBackend{true, ""};
const ChatCaller kAnya{false, "anya-1"};
const std::string kTeam = "callouts:team-1";

class ChatWorldTest : public ::testing::Test {
 protected:
  ChatWorldTest() {
    world_.AddUser("anya-1", "Anya");
    world_.AddUser("ben-2", "Ben");
    world_.AddUser("helper-bot", "Helper");
    world_.AddChannel(kTeam, {"anya-1", "ben-2"});
  }

  ChatResult Post(const ChatCaller& caller, Json message) {
    return world_.SendMessage(caller, kTeam, Json::MakeObject({{"message", std::move(message)}}));
  }
  ChatResult Post(Json message) {
    message.Set("user_id", "helper-bot");
    return Post(kBackend, std::move(message));
  }
  static ChatErrorCode CodeOf(const ChatResult& result) {
    const auto* error = std::get_if<ChatError>(&result);
    return error == nullptr ? ChatErrorCode::kInternal : error->code;
  }
  static Json BodyOf(const ChatResult& result) {
    const auto* done = std::get_if<ChatDone>(&result);
    EXPECT_NE(done, nullptr);
    return done == nullptr ? Json::MakeObject() : done->body;
  }
  static std::vector<Json> EventsOf(const ChatResult& result) {
    const auto* done = std::get_if<ChatDone>(&result);
    return done == nullptr ? std::vector<Json>{} : done->events;
  }
  Json::Array MembersOf(const std::string& user_id) {
    const ChatResult result = world_.QueryMembers(Json::MakeObject(
        {{"type", "callouts"},
         {"id", "team-1"},
         {"filter_conditions", Json::MakeObject({{"id", Json::MakeObject({{"$eq", user_id}})}})}}));
    return BodyOf(result).Find("members")->array();
  }

  tests::FakeClock clock_;
  ChatWorld world_{clock_};
};

TEST_F(ChatWorldTest, AMessageIsStoredOnceUnderTheIdThatItsSenderChose) {
  const ChatResult first = Post(Json::MakeObject({{"id", "writ-1"}, {"text", "Monday"}}));
  EXPECT_EQ(std::get<ChatDone>(first).status, 201);
  const ChatResult again = Post(Json::MakeObject({{"id", "writ-1"}, {"text", "Tuesday"}}));
  ASSERT_EQ(CodeOf(again), ChatErrorCode::kInput);
  EXPECT_NE(std::get<ChatError>(again).what.find("already exists"), std::string::npos);
  ASSERT_EQ(world_.Messages(kTeam).size(), 1U);
  EXPECT_EQ(world_.Messages(kTeam).front().TextAt("text"), "Monday");
  EXPECT_EQ(world_.Counts("writ-1").posts, 2U);
}

TEST_F(ChatWorldTest, AUserIsWhoTheirTokenSaysWhateverTheBodyClaims) {
  const ChatResult sent =
      Post(kAnya, Json::MakeObject({{"text", "I am Ben"}, {"user_id", "ben-2"}}));
  EXPECT_EQ(BodyOf(sent).Find("message")->Find("user")->TextAt("id"), "anya-1");
  const std::vector<Json> events = EventsOf(sent);
  ASSERT_EQ(events.size(), 1U);
  EXPECT_EQ(events.front().TextAt("type"), "message.new");
  EXPECT_EQ(events.front().Find("user")->TextAt("id"), "anya-1");
  EXPECT_EQ(events.front().Find("request_info")->TextAt("type"), "client");
}

TEST_F(ChatWorldTest, OnlyMembersWriteAndTheBackendNamesAUserWhoExists) {
  world_.AddUser("cleo", "Cleo");
  const Json message = Json::MakeObject({{"text", "hello"}});
  EXPECT_EQ(CodeOf(Post({false, "cleo"}, message)), ChatErrorCode::kNotAllowed);
  EXPECT_EQ(CodeOf(Post(kBackend, message)), ChatErrorCode::kInput);
  EXPECT_EQ(CodeOf(Post(kBackend, Json::MakeObject({{"text", "x"}, {"user_id", "nobody"}}))),
            ChatErrorCode::kInput);
  world_.SetMemberField(kTeam, "anya-1", "banned", true);
  EXPECT_EQ(CodeOf(Post(kAnya, message)), ChatErrorCode::kNotAllowed);
  EXPECT_EQ(
      CodeOf(world_.SendMessage(kAnya, "callouts:other", Json::MakeObject({{"message", message}}))),
      ChatErrorCode::kDoesNotExist);
}

TEST_F(ChatWorldTest, TheServicesLimitsHold) {
  const auto with = [](const char* key, Json value) {
    Json message = Json::MakeObject({{"text", "x"}});
    message.Set(key, std::move(value));
    return message;
  };
  EXPECT_EQ(CodeOf(Post(with("text", std::string(5001, 'a')))), ChatErrorCode::kTooLong);
  EXPECT_EQ(CodeOf(Post(with("attachments", Json(Json::Array(31, Json::MakeObject()))))),
            ChatErrorCode::kInput);
  const Json large = Json::MakeObject({{"type", std::string(5200, 'a')}});
  EXPECT_EQ(CodeOf(Post(with("attachments", Json(Json::Array{large})))),
            ChatErrorCode::kPayloadTooBig);
  EXPECT_EQ(CodeOf(Post(with("mine", std::string(5200, 'a')))), ChatErrorCode::kPayloadTooBig);
  EXPECT_EQ(CodeOf(Post(with("type", "reply"))), ChatErrorCode::kInput);
  EXPECT_EQ(CodeOf(Post(with("id", "a,b"))), ChatErrorCode::kInput);
  EXPECT_EQ(CodeOf(Post(with("mentioned_users", Json(Json::Array(26, Json("ben-2")))))),
            ChatErrorCode::kInput);
  EXPECT_TRUE(world_.Messages(kTeam).empty());
}

TEST_F(ChatWorldTest, AThreadHasOneLevelAndIsNoPartOfTheChannel) {
  static_cast<void>(Post(Json::MakeObject({{"id", "m-1"}, {"text", "question"}})));
  static_cast<void>(
      Post(Json::MakeObject({{"id", "r-1"}, {"text", "answer"}, {"parent_id", "m-1"}})));
  EXPECT_EQ(CodeOf(Post(Json::MakeObject({{"text", "deeper"}, {"parent_id", "r-1"}}))),
            ChatErrorCode::kReplyToReply);
  EXPECT_EQ(CodeOf(Post(Json::MakeObject({{"text", "lost"}, {"parent_id", "m-9"}}))),
            ChatErrorCode::kDoesNotExist);
  const Json replies = BodyOf(world_.Replies("m-1", {}));
  ASSERT_EQ(replies.Find("messages")->array().size(), 1U);
  EXPECT_EQ(replies.Find("messages")->array().at(0).TextAt("type"), "reply");
  const Json channel = BodyOf(
      world_.QueryChannel(kBackend, "callouts", "team-1", Json::MakeObject({{"state", true}})));
  ASSERT_EQ(channel.Find("messages")->array().size(), 1U);
  EXPECT_EQ(channel.Find("messages")->array().at(0).IntAt("reply_count"), 1);
}

TEST_F(ChatWorldTest, APartialUpdateChangesWhatItNamesAndTellsTheHooksWhoDidIt) {
  const ChatResult sent = Post(kAnya, Json::MakeObject({{"id", "m-1"}, {"text", "Monday"}}));
  const Json update =
      *router::ParseJson(R"({"set":{"text":"Tuesday","details.state":"new"},"user_id":"ben-2"})")
           .value;
  const ChatResult done = world_.UpdateMessage(kBackend, "m-1", update);
  const Json message = *BodyOf(done).Find("message");
  EXPECT_EQ(message.TextAt("text"), "Tuesday");
  EXPECT_EQ(message.Find("details")->TextAt("state"), "new");
  EXPECT_EQ(message.Find("user")->TextAt("id"), "anya-1");
  EXPECT_NE(message.Find("message_text_updated_at"), nullptr);
  ASSERT_EQ(EventsOf(done).size(), 1U);
  EXPECT_EQ(EventsOf(done).front().TextAt("type"), "message.updated");
  EXPECT_EQ(EventsOf(done).front().Find("user")->TextAt("id"), "ben-2");
  EXPECT_EQ(world_.Faces("m-1").size(), 2U);

  EXPECT_EQ(CodeOf(world_.UpdateMessage({false, "ben-2"}, "m-1", update)),
            ChatErrorCode::kNotAllowed);
  const Json reserved =
      *router::ParseJson(R"({"set":{"user":{"id":"ben-2"}},"user_id":"ben-2"})").value;
  EXPECT_EQ(CodeOf(world_.UpdateMessage(kBackend, "m-1", reserved)), ChatErrorCode::kInput);
  EXPECT_EQ(CodeOf(world_.UpdateMessage(kBackend, "m-9", update)), ChatErrorCode::kDoesNotExist);
}

TEST_F(ChatWorldTest, AnEphemeralUpdateIsSeenAndNotStored) {
  static_cast<void>(Post(Json::MakeObject({{"id", "m-1"}, {"text", "Mon"}})));
  const Json update =
      *router::ParseJson(R"({"set":{"text":"Monday is"},"user_id":"helper-bot"})").value;
  const ChatResult done = world_.UpdateEphemeral(kBackend, "m-1", update);
  EXPECT_EQ(BodyOf(done).Find("message")->TextAt("text"), "Monday is");
  EXPECT_TRUE(EventsOf(done).empty());
  EXPECT_EQ(world_.Message("m-1")->TextAt("text"), "Mon");
  EXPECT_EQ(world_.Counts("m-1").ephemeral_updates, 1U);
}

TEST_F(ChatWorldTest, ADeletedMessageLeavesATombstone) {
  static_cast<void>(Post(kAnya, Json::MakeObject({{"id", "m-1"}, {"text", "Monday"}})));
  EXPECT_EQ(CodeOf(world_.DeleteMessage({false, "ben-2"}, "m-1", false)),
            ChatErrorCode::kNotAllowed);
  const ChatResult done = world_.DeleteMessage(kAnya, "m-1", false);
  ASSERT_EQ(EventsOf(done).size(), 1U);
  EXPECT_EQ(EventsOf(done).front().TextAt("type"), "message.deleted");
  EXPECT_EQ(world_.Message("m-1")->TextAt("type"), "deleted");
  EXPECT_EQ(world_.Message("m-1")->TextAt("text"), "");
  EXPECT_EQ(CodeOf(world_.DeleteMessage(kAnya, "m-1", false)), ChatErrorCode::kDoesNotExist);
}

TEST_F(ChatWorldTest, MembersAreFoundByIdAndGoneWhenRemoved) {
  ASSERT_EQ(MembersOf("anya-1").size(), 1U);
  EXPECT_EQ(MembersOf("anya-1").front().TextAt("user_id"), "anya-1");
  EXPECT_TRUE(MembersOf("cleo").empty());
  world_.RemoveMember(kTeam, "anya-1");
  EXPECT_TRUE(MembersOf("anya-1").empty());
}

TEST_F(ChatWorldTest, AHooksMemberListIsCutSoThatAbsenceProvesNothing) {
  for (int i = 0; i < 60; ++i) world_.AddMember(kTeam, "user-" + std::to_string(i));
  const ChatResult sent = Post(kAnya, Json::MakeObject({{"text", "hello"}}));
  EXPECT_EQ(EventsOf(sent).front().Find("members")->array().size(), 50U);
}

TEST_F(ChatWorldTest, PagesEndAtTheNewestAndGoBack) {
  for (int i = 0; i < 5; ++i) {
    static_cast<void>(Post(Json::MakeObject({{"id", "m-" + std::to_string(i)}, {"text", "x"}})));
  }
  const auto page = [&](const char* messages) {
    Json body = Json::MakeObject({{"state", true}});
    body.Set("messages", *router::ParseJson(messages).value);
    std::string ids;
    const Json answer = BodyOf(world_.QueryChannel(kBackend, "callouts", "team-1", body));
    for (const Json& message : answer.Find("messages")->array()) ids += message.TextAt("id") + " ";
    return ids;
  };
  EXPECT_EQ(page(R"({"limit":2})"), "m-3 m-4 ");
  EXPECT_EQ(page(R"({"limit":2,"id_lt":"m-3"})"), "m-1 m-2 ");
  EXPECT_EQ(page(R"({"limit":2,"id_lte":"m-3"})"), "m-2 m-3 ");
  EXPECT_EQ(page(R"({"limit":2,"id_gt":"m-1"})"), "m-2 m-3 ");
}

TEST_F(ChatWorldTest, AnUpsertedUserIsWhatWasSentAndNothingElse) {
  world_.SetUserField("anya-1", "shift_team", "north");
  const Json body =
      *router::ParseJson(R"({"users":{"anya-1":{"id":"anya-1","name":"Anya B."}}})").value;
  const Json answer = BodyOf(world_.UpsertUsers(body));
  EXPECT_EQ(answer.Find("users")->Find("anya-1")->TextAt("name"), "Anya B.");
  EXPECT_EQ(answer.Find("users")->Find("anya-1")->Find("shift_team"), nullptr);
}

}  // namespace
}  // namespace writ::bot
