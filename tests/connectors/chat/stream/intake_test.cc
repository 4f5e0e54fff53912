#include "connectors/chat/stream/intake.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <variant>
#include <vector>

#include "connectors/http/inflate.h"
#include "router/base/digest.h"
#include "router/base/json.h"
#include "router/base/time.h"

namespace writ::connectors {
namespace {

using router::ChannelEvent;
using router::Json;

constexpr router::TimePoint kNow{std::chrono::hours{24 * 20000}};
const StreamIdentity kAcme{
    router::AppId("acme"), {"old-secret", "s3cret"}, {router::UserId("helper-bot")}};

StreamIntake Take(const std::string& body, const std::string& signature) {
  return VerifyAndParse(kAcme, {body, signature, "hook-1"}, kNow);
}

StreamIntake TakeSigned(const std::string& body) {
  return Take(body, router::HmacSha256Hex("s3cret", body));
}

StreamIntake TakeSigned(const Json& event) { return TakeSigned(event.Dump()); }

Json AnyasMessage() {
  return Json::MakeObject(
      {{"id", "m-1"},
       {"text", "Who works on Monday?"},
       {"type", "regular"},
       {"user", Json::MakeObject({{"id", "anya-1"}, {"name", "Anya"}, {"role", "user"}})},
       {"created_at", "2026-11-29T09:30:00.394479Z"}});
}

Json EventWith(Json message, const char* type = "message.new") {
  return Json::MakeObject({{"type", type},
                           {"cid", "callouts:team-1"},
                           {"channel_type", "callouts"},
                           {"channel_id", "team-1"},
                           {"created_at", "2026-11-29T09:30:00.460717068Z"},
                           {"user", Json::MakeObject({{"id", "anya-1"}})},
                           {"message", std::move(message)}});
}

Json MessageWith(const char* key, Json value) {
  Json message = AnyasMessage();
  message.Set(key, std::move(value));
  return message;
}

ChannelEvent EventOf(const StreamIntake& intake) {
  const auto* event = std::get_if<ChannelEvent>(&intake);
  EXPECT_NE(event, nullptr) << "no event, alternative " << intake.index();
  return event == nullptr ? ChannelEvent{} : *event;
}

bool IsIgnored(const StreamIntake& intake) { return std::holds_alternative<StreamIgnored>(intake); }

bool Refuses(const StreamIntake& intake, StreamRefusal why) {
  const auto* refusal = std::get_if<StreamRefusal>(&intake);
  return refusal != nullptr && *refusal == why;
}

std::string ReasonFor(Json message) {
  return EventOf(TakeSigned(EventWith(std::move(message)))).ignored_because;
}

TEST(StreamIntake, AMessageOfAPersonIsAnEventWithItsVerifiedAuthor) {
  const ChannelEvent event = EventOf(TakeSigned(EventWith(AnyasMessage())));
  EXPECT_EQ(event.kind, ChannelEvent::Kind::kMessageNew);
  EXPECT_EQ(event.app.text(), "acme");
  EXPECT_EQ(event.cid.text(), "callouts:team-1");
  EXPECT_EQ(event.message.text(), "m-1");
  EXPECT_EQ(event.thread, std::nullopt);
  EXPECT_EQ(event.author.text(), "anya-1");
  EXPECT_EQ(event.author_name, "Anya");
  EXPECT_EQ(event.text, "Who works on Monday?");
  EXPECT_EQ(router::FormatTime(event.created_at), "2026-11-29T09:30:00.394479Z");
  EXPECT_EQ(router::FormatTime(event.happened_at), "2026-11-29T09:30:00.460717Z");
  EXPECT_EQ(event.ignored_because, "");
  EXPECT_EQ(event.delivery, "hook-1");
}

TEST(StreamIntake, AnySecretOfTheAppSignsAndNothingElseDoes) {
  const std::string body = EventWith(AnyasMessage()).Dump();
  const std::string right = router::HmacSha256Hex("s3cret", body);
  EXPECT_FALSE(Refuses(Take(body, right), StreamRefusal::kBadSignature));
  EXPECT_FALSE(
      Refuses(Take(body, router::HmacSha256Hex("old-secret", body)), StreamRefusal::kBadSignature));
  for (const std::string& wrong :
       {std::string(), right.substr(1), right + "0", router::HmacSha256Hex("other", body),
        router::HmacSha256Hex("", body)}) {
    EXPECT_TRUE(Refuses(Take(body, wrong), StreamRefusal::kBadSignature)) << wrong;
  }
  EXPECT_TRUE(Refuses(Take(body + "\n", right), StreamRefusal::kBadSignature));
}

TEST(StreamIntake, AnEmptySecretSignsNothing) {
  const StreamIdentity nobody{router::AppId("acme"), {""}, {}};
  const std::string body = EventWith(AnyasMessage()).Dump();
  const std::string signature = router::HmacSha256Hex("", body);
  EXPECT_TRUE(
      Refuses(VerifyAndParse(nobody, {body, signature, ""}, kNow), StreamRefusal::kBadSignature));
}

TEST(StreamIntake, TheBytesAreVerifiedAsTheyCame) {
  const std::string odd =
      "{ \"type\":\"message.new\" ,\"cid\":\"callouts:team-1\",\"message\":{\"id\":\"m\\/1\","
      "\"user\":{\"id\":\"anya-1\"},\"text\":\"caf\\u00e9 \xe2\x98\x95\"}}\n";
  const ChannelEvent event = EventOf(TakeSigned(odd));
  EXPECT_EQ(event.message.text(), "m/1");
  EXPECT_EQ(event.text, "caf\xc3\xa9 \xe2\x98\x95");
}

TEST(StreamIntake, ThePackedBodyIsSignedOverWhatItInflatesTo) {
  const std::string body = EventWith(AnyasMessage()).Dump();
  const std::string packed = Gzip(body);
  EXPECT_EQ(EventOf(Take(packed, router::HmacSha256Hex("s3cret", body))).message.text(), "m-1");
  EXPECT_TRUE(Refuses(TakeSigned(packed), StreamRefusal::kBadSignature));
}

TEST(StreamIntake, ABombIsTooLargeWhateverItsSignature) {
  EXPECT_TRUE(Refuses(TakeSigned(Gzip(std::string((std::size_t{8} << 20) + 1, ' '))),
                      StreamRefusal::kTooLarge));
  EXPECT_TRUE(Refuses(TakeSigned(Gzip("{}").substr(0, 12)), StreamRefusal::kBadSignature));
}

TEST(StreamIntake, WhatIsNoObjectWithATypeIsMalformed) {
  for (const char* body :
       {"", "nonsense", "[]", "5", "null", "{}", R"({"type":null})", R"({"type":5})",
        R"({"type":"message.new")", R"({"type":"message.new","type":"message.new"})"}) {
    EXPECT_TRUE(Refuses(TakeSigned(std::string(body)), StreamRefusal::kMalformed)) << body;
  }
}

TEST(StreamIntake, EventsOfNoInterestOrWithoutWhatMattersAreAcknowledged) {
  for (const char* body : {
           R"({"type":"health.check"})",
           R"({"type":"notification.message_new","message":{"id":"m"}})",
           R"({"type":"message.new"})",
           R"({"type":"message.new","message":null})",
           R"({"type":"message.new","message":[]})",
           R"({"type":"message.new","message":{"id":"m","user":{"id":"anya-1"}}})",
           R"({"type":"message.new","cid":"callouts","message":{"id":"m","user":{"id":"a"}}})",
           R"({"type":"message.new","cid":"callouts:","message":{"id":"m","user":{"id":"a"}}})",
           R"({"type":"message.new","cid":"a:b","message":{"user":{"id":"anya-1"}}})",
           R"({"type":"message.new","cid":"a:b","message":{"id":"","user":{"id":"anya-1"}}})",
           R"({"type":"message.new","cid":"a:b","message":{"id":5,"user":{"id":"anya-1"}}})",
           R"({"type":"message.new","cid":"a:b","message":{"id":"m"}})",
           R"({"type":"message.new","cid":"a:b","message":{"id":"m","user":{}}})",
           R"({"type":"message.new","cid":"a:b","message":{"id":"m","user":"anya-1"}})",
           R"({"type":"message.deleted","cid":"a:b","message":{}})",
       }) {
    EXPECT_TRUE(IsIgnored(TakeSigned(std::string(body)))) << body;
  }
}

TEST(StreamIntake, TheCidMayComeInPartsOrWithTheMessageAndIsSplitAtItsFirstColon) {
  EXPECT_EQ(EventOf(TakeSigned(std::string(
                        R"({"type":"message.new","channel_type":"callouts","channel_id":"!m-1",)"
                        R"("message":{"id":"m","user":{"id":"anya-1"}}})")))
                .cid.text(),
            "callouts:!m-1");
  const ChannelEvent nested = EventOf(TakeSigned(std::string(
      R"({"type":"message.new","message":{"id":"m","cid":"a:b:c","user":{"id":"anya-1"}}})")));
  EXPECT_EQ(nested.cid.text(), "a:b:c");
  EXPECT_EQ(router::ChannelType(nested.cid), "a");
}

TEST(StreamIntake, TimesAreTextOrWholeNanosecondsAndMayBeMissing) {
  Json event = EventWith(MessageWith("created_at", Json(std::int64_t{1795944600394479123})));
  EXPECT_EQ(router::FormatTime(EventOf(TakeSigned(event)).created_at),
            "2026-11-29T09:30:00.394479Z");
  event.Find("message")->Set("created_at", "2026-11-29T11:30:00.5+02:00");
  EXPECT_EQ(router::FormatTime(EventOf(TakeSigned(event)).created_at),
            "2026-11-29T09:30:00.500000Z");
  event.Find("message")->Set("created_at", nullptr);
  EXPECT_EQ(router::FormatTime(EventOf(TakeSigned(event)).created_at),
            "2026-11-29T09:30:00.460717Z");
  event.Set("created_at", "yesterday");
  EXPECT_EQ(EventOf(TakeSigned(event)).created_at, kNow);
}

TEST(StreamIntake, AReplyStandsInItsThread) {
  const ChannelEvent event = EventOf(TakeSigned(EventWith(MessageWith("parent_id", "m-0"))));
  EXPECT_EQ(event.thread, router::MessageId("m-0"));
  EXPECT_EQ(EventOf(TakeSigned(EventWith(MessageWith("parent_id", "")))).thread, std::nullopt);
  EXPECT_EQ(EventOf(TakeSigned(EventWith(MessageWith("parent_id", nullptr)))).thread, std::nullopt);
}

TEST(StreamIntake, WhatMustNotBeAnsweredIsStoredAsSeenWithItsReason) {
  const auto user_with = [](const char* key, Json value) {
    Json user = *AnyasMessage().Find("user");
    user.Set(key, std::move(value));
    return MessageWith("user", std::move(user));
  };
  EXPECT_EQ(ReasonFor(user_with("id", "helper-bot")), "own");
  EXPECT_EQ(ReasonFor(MessageWith("ai_generated", true)), "ai_generated");
  EXPECT_EQ(ReasonFor(MessageWith("custom", Json::MakeObject({{"ai_generated", true}}))),
            "ai_generated");
  EXPECT_EQ(ReasonFor(MessageWith("type", "system")), "system");
  EXPECT_EQ(ReasonFor(MessageWith("type", "ephemeral")), "ephemeral");
  EXPECT_EQ(ReasonFor(MessageWith("type", "error")), "error");
  EXPECT_EQ(ReasonFor(MessageWith("type", "deleted")), "deleted");
  EXPECT_EQ(ReasonFor(MessageWith("deleted_at", "2026-11-29T09:31:00Z")), "deleted");
  EXPECT_EQ(ReasonFor(MessageWith("silent", true)), "silent");
  EXPECT_EQ(ReasonFor(MessageWith("shadowed", true)), "shadowed");
  EXPECT_EQ(ReasonFor(user_with("shadow_banned", true)), "shadowed");
  EXPECT_EQ(ReasonFor(user_with("banned", true)), "banned");
  EXPECT_EQ(ReasonFor(user_with("role", "anonymous")), "anonymous");
  EXPECT_EQ(ReasonFor(MessageWith("command", "giphy")), "command");
  EXPECT_EQ(ReasonFor(MessageWith("restricted_visibility", Json(Json::Array{"ben-2"}))),
            "restricted");
  EXPECT_EQ(ReasonFor(MessageWith("text", "")), "no_text");
  EXPECT_EQ(ReasonFor(MessageWith("text", " \t\n\xe2\x80\x83")), "no_text");
  EXPECT_EQ(ReasonFor(MessageWith("text", nullptr)), "no_text");
}

TEST(StreamIntake, FalseNullAndEmptyMarksAreNone) {
  Json message = AnyasMessage();
  message.Set("ai_generated", false);
  message.Set("silent", false);
  message.Set("deleted_at", nullptr);
  message.Set("command", "");
  message.Set("restricted_visibility", Json::MakeArray());
  message.Set("type", "reply");
  EXPECT_EQ(ReasonFor(message), "");
  message.Set("type", nullptr);
  EXPECT_EQ(ReasonFor(message), "");
}

TEST(StreamIntake, AMessageSentByTheBotForSomebodyIsItsOwn) {
  Json event = EventWith(AnyasMessage());
  event.Set("user", Json::MakeObject({{"id", "helper-bot"}}));
  EXPECT_EQ(EventOf(TakeSigned(event)).ignored_because, "own");
}

TEST(StreamIntake, ForgedStepsAndMarksOfAMemberChangeNothing) {
  Json message = AnyasMessage();
  message.Set(
      "attachments",
      Json(Json::Array{Json::MakeObject({{"type", "ai_tool_call"}, {"status", "completed"}})}));
  message.Set("support_runtime", Json::MakeObject({{"state", "completed"}}));
  const ChannelEvent event = EventOf(TakeSigned(EventWith(message)));
  EXPECT_EQ(event.ignored_because, "");
  EXPECT_EQ(event.author.text(), "anya-1");
}

TEST(StreamIntake, AnUpdateNamesItsEditorFromTheEventAndNotFromTheMessage) {
  Json event = EventWith(MessageWith("text", "Who works on Tuesday?"), "message.updated");
  ChannelEvent update = EventOf(TakeSigned(event));
  EXPECT_EQ(update.kind, ChannelEvent::Kind::kMessageUpdated);
  EXPECT_EQ(update.actor.text(), "anya-1");
  EXPECT_EQ(update.text, "Who works on Tuesday?");
  EXPECT_EQ(router::DedupeKey(update), "updated:m-1:2026-11-29T09:30:00.460717Z");

  event.Set("user", Json::MakeObject({{"id", "ben-2"}}));
  update = EventOf(TakeSigned(event));
  EXPECT_EQ(update.actor.text(), "ben-2");
  EXPECT_EQ(update.author.text(), "anya-1");

  event.Set("user", nullptr);
  EXPECT_TRUE(EventOf(TakeSigned(event)).actor.empty());
}

TEST(StreamIntake, ADeletionNeedsTheMessageAlone) {
  Json event = EventWith(AnyasMessage(), "message.deleted");
  event.Set("user", nullptr);
  event.Find("message")->Set("user", nullptr);
  const ChannelEvent deletion = EventOf(TakeSigned(event));
  EXPECT_EQ(deletion.kind, ChannelEvent::Kind::kMessageDeleted);
  EXPECT_EQ(deletion.message.text(), "m-1");
  EXPECT_TRUE(deletion.actor.empty());
}

TEST(StreamIntake, ChangesOfTheBotsOwnMessagesAreOfNoInterest) {
  Json message = MessageWith("user", Json::MakeObject({{"id", "helper-bot"}}));
  EXPECT_TRUE(IsIgnored(TakeSigned(EventWith(message, "message.updated"))));
  EXPECT_TRUE(IsIgnored(TakeSigned(EventWith(message, "message.deleted"))));
}

}  // namespace
}  // namespace writ::connectors
