#include "connectors/chat/slack/intake.h"

#include <gtest/gtest.h>

#include <functional>

#include "connectors/http/form.h"
#include "router/base/digest.h"
#include "tests/connectors/chat/slack/slack_samples.h"

namespace writ::tests {

using connectors::SlackChallenge;
using connectors::SlackClick;
using connectors::SlackIgnored;
using connectors::SlackIntake;
using connectors::SlackRefusal;
using connectors::SlackSubmission;
using router::ChannelEvent;
using router::Json;

namespace {

SlackIntake Read(const std::string& body) {
  const std::string timestamp = "1795944600";
  const std::string signature =
      "v0=" + router::HmacSha256Hex(kSampleSecret, "v0:" + timestamp + ':' + body);
  return connectors::ReadSlackDelivery(router::AppId("acme"), kSampleSecret,
                                       {body, signature, timestamp}, kSampleNow);
}

SlackIntake ReadInteraction(const Json& payload) {
  return Read(connectors::FormBody({{"payload", payload.Dump()}}));
}

using Change = std::function<void(Json& envelope, Json& event)>;

// The recorded message, changed.
SlackIntake ReadMessage(const Change& change) {
  Json envelope = *router::ParseJson(SampleText("slack/event_message.json")).value;
  change(envelope, *envelope.Find("event"));
  return Read(envelope.Dump());
}

const ChannelEvent& EventOf(const SlackIntake& intake) { return std::get<ChannelEvent>(intake); }

bool IsIgnored(const SlackIntake& intake) { return std::holds_alternative<SlackIgnored>(intake); }

Json SamplePayload(const std::string& file) {
  return *router::ParseJson(SampleText("slack/" + file)).value;
}

}  // namespace

TEST(SlackIntake, AMessageInAThreadIsItsConversationsAndItsVerifiedAuthors) {
  const SlackIntake intake = ReadSample("event_message.json");
  const ChannelEvent& event = EventOf(intake);
  EXPECT_EQ(event.app.text(), "acme");
  EXPECT_EQ(event.kind, ChannelEvent::Kind::kMessageNew);
  EXPECT_EQ(event.cid.text(), "slack:T0WRIT001.C0CALLOUTS.1795944500.000050");
  EXPECT_EQ(event.message.text(), "T0WRIT001.C0CALLOUTS.1795944600.000100");
  EXPECT_EQ(event.thread->text(), "1795944500.000050");
  EXPECT_EQ(event.author.text(), "T0WRIT001.U0ANYA0001");
  EXPECT_EQ(event.text, "can you check the crm for my shift? & thanks");
  EXPECT_EQ(event.created_at, router::TimePoint(std::chrono::microseconds{1795944600000100}));
  EXPECT_EQ(event.delivery, "Ev0WRIT0001");
}

TEST(SlackIntake, AMessageInTheChannelBeginsAThreadOfItsOwn) {
  const auto intake = ReadMessage([](Json&, Json& event) { event.Set("thread_ts", Json()); });
  EXPECT_EQ(EventOf(intake).cid.text(), "slack:T0WRIT001.C0CALLOUTS.1795944600.000100");
  EXPECT_EQ(EventOf(intake).thread->text(), "1795944600.000100");
}

TEST(SlackIntake, DirectMessagesAreOneConversationInNoThread) {
  const auto direct = ReadMessage([](Json&, Json& event) {
    event.Set("channel", "D0ANYA");
    event.Set("channel_type", "im");
    event.Set("thread_ts", Json());
  });
  EXPECT_EQ(EventOf(direct).cid.text(), "slack:T0WRIT001.D0ANYA");
  EXPECT_FALSE(EventOf(direct).thread);
  const auto in_thread = ReadMessage([](Json&, Json& event) { event.Set("channel", "D0ANYA"); });
  EXPECT_EQ(EventOf(in_thread).cid.text(), "slack:T0WRIT001.D0ANYA");
  EXPECT_EQ(EventOf(in_thread).thread->text(), "1795944500.000050") << "answered where it stands";
}

TEST(SlackIntake, AMentionAndItsMessageAreOneGesture) {  // fault 9
  const auto mention = ReadMessage([](Json& envelope, Json& event) {
    envelope.Set("event_id", "Ev0WRIT0009");
    event.Set("type", "app_mention");
    event.Set("channel_type", Json());
    event.Set("ts", Json());  // some have event_ts alone
  });
  EXPECT_EQ(router::DedupeKey(EventOf(mention)),
            router::DedupeKey(EventOf(ReadSample("event_message.json"))));
}

TEST(SlackIntake, WhoWroteIsTheirWorkspacesOrTheirGridsNeverAnothers) {  // fault 18
  const auto author = [](const Change& change) {
    return EventOf(ReadMessage(change)).author.text();
  };
  const auto on_grid = [](Json& envelope) {
    envelope.Find("authorizations")->array().front().Set("enterprise_id", "E0GRID");
  };
  EXPECT_EQ(author([](Json&, Json& event) { event.Set("team", "T0OTHER"); }), "T0OTHER.U0ANYA0001");
  EXPECT_EQ(author([](Json&, Json& event) { event.Set("user_team", "T0OTHER"); }),
            "T0OTHER.U0ANYA0001");
  EXPECT_EQ(author([](Json&, Json& event) { event.Set("team", Json()); }), "T0WRIT001.U0ANYA0001");
  EXPECT_EQ(author([&](Json& envelope, Json&) { on_grid(envelope); }), "E0GRID.U0ANYA0001");
  EXPECT_EQ(author([&](Json& envelope, Json& event) {
              on_grid(envelope);
              event.Set("team", "T0SISTER");
            }),
            "E0GRID.U0ANYA0001");
  EXPECT_EQ(author([&](Json& envelope, Json& event) {
              on_grid(envelope);
              envelope.Set("is_ext_shared_channel", true);
              event.Set("user_team", "T0OTHER");
            }),
            "T0OTHER.U0ANYA0001");
}

struct Unanswered {
  const char* name;
  Change change;
};

class NotAPersonsMessage : public testing::TestWithParam<Unanswered> {};

TEST_P(NotAPersonsMessage, IsIgnored) {  // W25, fault 32
  EXPECT_TRUE(IsIgnored(ReadMessage(GetParam().change)));
}

Unanswered OfSubtype(const char* subtype) {
  return {subtype, [subtype](Json&, Json& event) { event.Set("subtype", subtype); }};
}

INSTANTIATE_TEST_SUITE_P(
    Slack, NotAPersonsMessage,
    testing::Values(
        OfSubtype("bot_message"), OfSubtype("message_replied"), OfSubtype("channel_join"),
        OfSubtype("channel_leave"), OfSubtype("channel_topic"), OfSubtype("channel_purpose"),
        OfSubtype("channel_name"), OfSubtype("channel_archive"), OfSubtype("channel_unarchive"),
        OfSubtype("channel_posting_permissions"), OfSubtype("me_message"),
        OfSubtype("ekm_access_denied"), OfSubtype("never_heard_of"),
        Unanswered{"another_bots", [](Json&, Json& event) { event.Set("bot_id", "B0OTHER"); }},
        Unanswered{"our_own", [](Json&, Json& event) { event.Set("user", "U0WRITBOT"); }},
        Unanswered{"nobodys", [](Json&, Json& event) { event.Set("user", Json()); }},
        Unanswered{"hidden", [](Json&, Json& event) { event.Set("hidden", true); }},
        Unanswered{"a_mention_alone",
                   [](Json&, Json& event) { event.Set("text", "<@U0WRITBOT> "); }},
        Unanswered{"a_file_alone",
                   [](Json&, Json& event) {
                     event.Set("subtype", "file_share");
                     event.Set("text", "");
                   }},
        Unanswered{"without_a_time", [](Json&, Json& event) { event.Set("ts", "soon"); }},
        Unanswered{"of_no_workspace", [](Json& envelope, Json&) { envelope.Set("team_id", ""); }},
        Unanswered{"another_event",
                   [](Json&, Json& event) { event.Set("type", "reaction_added"); }},
        Unanswered{"told_of_a_limit",
                   [](Json& envelope, Json&) { envelope.Set("type", "app_rate_limited"); }}),
    [](const auto& unanswered) { return std::string(unanswered.param.name); });

TEST(SlackIntake, AFileWithWordsAndABroadcastReplyAreAPersonsMessages) {
  for (const char* subtype : {"file_share", "thread_broadcast"}) {
    const auto intake = ReadMessage([&](Json&, Json& event) { event.Set("subtype", subtype); });
    EXPECT_EQ(EventOf(intake).text, "can you check the crm for my shift? & thanks");
  }
}

TEST(SlackIntake, OurOwnEditComesBackAndIsIgnored) {
  EXPECT_TRUE(IsIgnored(ReadSample("event_message_changed.json")));
}

// A message_changed of Anya's message, as Slack sends it.
SlackIntake ReadEdit(const std::function<void(Json& message)>& change) {
  return ReadMessage([&](Json&, Json& event) {
    Json message = event;
    message.Set("text", "what I meant");
    message.Set("edited", Json::MakeObject({{"user", "U0ANYA0001"}, {"ts", "1795944700.000000"}}));
    change(message);
    event.Set("subtype", "message_changed");
    event.Set("hidden", true);
    event.Set("user", Json());
    event.Set("ts", "1795944700.000200");
    event.Set("message", message);
  });
}

TEST(SlackIntake, AnEditIsItsEditorsAndOfItsOwnTime) {  // W28
  const auto intake = ReadEdit([](Json&) {});
  const ChannelEvent& edit = EventOf(intake);
  EXPECT_EQ(edit.kind, ChannelEvent::Kind::kMessageUpdated);
  EXPECT_EQ(edit.message.text(), "T0WRIT001.C0CALLOUTS.1795944600.000100");
  EXPECT_EQ(edit.actor.text(), "T0WRIT001.U0ANYA0001");
  EXPECT_EQ(edit.text, "what I meant");
  EXPECT_EQ(edit.happened_at, router::TimePoint(std::chrono::seconds{1795944700}));

  const auto by_ben = ReadEdit([](Json& message) {
    message.Set("edited", Json::MakeObject({{"user", "U0BEN00002"}, {"ts", "1795944700.000000"}}));
  });
  EXPECT_EQ(EventOf(by_ben).actor.text(), "T0WRIT001.U0BEN00002");
  EXPECT_EQ(EventOf(by_ben).author.text(), "T0WRIT001.U0ANYA0001");

  const auto to_nothing = ReadEdit([](Json& message) { message.Set("text", ""); });
  EXPECT_EQ(EventOf(to_nothing).text, "");
  EXPECT_TRUE(IsIgnored(ReadEdit([](Json& message) { message.Set("edited", Json()); })))
      << "a link's preview is no edit";
}

TEST(SlackIntake, WordsThatAnAssistantsThreadTellsOfAsAChangeAreNew) {  // fault 32
  const auto in_assistant = [](const char* channel, const char* changed_at) {
    return ReadMessage([&](Json&, Json& event) {
      Json message = event;
      event.Set("subtype", "message_changed");
      event.Set("user", "U0WRITBOT");
      event.Set("channel", channel);
      event.Set("ts", changed_at);
      event.Set("event_ts", changed_at);
      event.Set("message", message);
    });
  };
  const auto intake = in_assistant("D0ANYA", "1795944601.000000");
  EXPECT_EQ(EventOf(intake).kind, ChannelEvent::Kind::kMessageNew);
  EXPECT_EQ(EventOf(intake).author.text(), "T0WRIT001.U0ANYA0001");
  EXPECT_TRUE(IsIgnored(in_assistant("D0ANYA", "1795945601.000000"))) << "a preview, later";
  EXPECT_TRUE(IsIgnored(in_assistant("C0CALLOUTS", "1795944601.000000")));
}

TEST(SlackIntake, ADeletionNamesItsMessageAndNobody) {  // W27
  const auto intake = ReadMessage([](Json&, Json& event) {
    const Json before = event;
    event.Set("subtype", "message_deleted");
    event.Set("hidden", true);
    event.Set("deleted_ts", "1795944600.000100");
    event.Set("event_ts", "1795944800.000000");
    event.Set("previous_message", before);
  });
  const ChannelEvent& deletion = EventOf(intake);
  EXPECT_EQ(deletion.kind, ChannelEvent::Kind::kMessageDeleted);
  EXPECT_EQ(deletion.message.text(), "T0WRIT001.C0CALLOUTS.1795944600.000100");
  EXPECT_TRUE(deletion.actor.empty());
  EXPECT_EQ(deletion.happened_at, router::TimePoint(std::chrono::seconds{1795944800}));
}

TEST(SlackIntake, TheSetUpsChallengeIsHandedBack) {
  EXPECT_EQ(std::get<SlackChallenge>(ReadSample("url_verification.json")).challenge,
            "writ0Challenge1Made2Up3ForTests4Only5abcdefg");
}

TEST(SlackIntake, WhatIsNoEventAndNoFormIsRefused) {
  const std::string deep = std::string(300, '[') + std::string(300, ']');
  for (const std::string& body :
       {std::string(), std::string("[]"), std::string("{}"), std::string(R"({"type":7})"),
        std::string("{\"type\":"), std::string("payload=%zz"), std::string("payload=[]"),
        std::string("other=1"), std::string("payload={}"),
        R"({"type":"event_callback","event":)" + deep + "}",
        R"(payload={"type":"block_actions","actions":)" + deep + "}",
        std::string(R"({"type":"event_callback","type":"url_verification","challenge":"x"})"),
        std::string(R"(payload={"type":"shortcut"}&payload={"type":"block_actions"})"),
        std::string(R"(payload={"type":"shortcut"}&more=1)")}) {
    const SlackIntake intake = Read(body);
    const auto* refusal = std::get_if<SlackRefusal>(&intake);
    ASSERT_NE(refusal, nullptr) << body;
    EXPECT_EQ(*refusal, SlackRefusal::kMalformed) << body;
  }
}

Json PressedValue(Json payload, const std::string& value) {
  payload.Find("actions")->array().front().Set("value", value);
  return payload;
}

TEST(SlackIntake, APressIsItsPressersWhateverTheButtonSays) {  // F1
  const SlackIntake intake = ReadSample("block_actions.form.txt");
  const auto& click = std::get<SlackClick>(intake);
  EXPECT_EQ(click.button, SlackClick::Button::kAllow);
  EXPECT_EQ(click.approval.text(), "rq-0001");
  EXPECT_EQ(click.call.text(), "toolu_0001");
  EXPECT_EQ(click.presser.id().text(), "T0WRIT001.U0ANYA0001");
  EXPECT_EQ(click.channel, "C0CALLOUTS");
  EXPECT_EQ(click.thread, "1795944500.000050");
  EXPECT_FALSE(click.trigger_id.empty());
  const Json payload = SamplePayload("block_actions.payload.json");
  for (const char* value : {"", "{}", "rq-0001", R"({"request_id":7})"}) {
    EXPECT_TRUE(IsIgnored(ReadInteraction(PressedValue(payload, value)))) << value;
  }
  EXPECT_EQ(connectors::SlackButtonValue(router::CallId("c"), router::ApprovalId("a")),
            R"({"tool_call_id":"c","request_id":"a"})");
}

TEST(SlackIntake, APresserOfAnotherWorkspaceIsAnotherPerson) {  // fault 18
  Json payload = SamplePayload("block_actions.payload.json");
  payload.Find("user")->Set("team_id", "T0OTHER");
  EXPECT_EQ(std::get<SlackClick>(ReadInteraction(payload)).presser.id().text(),
            "T0OTHER.U0ANYA0001");
  payload.Find("user")->Set("team_id", "T0WRIT001");
  payload.Set("enterprise", Json::MakeObject({{"id", "E0GRID"}}));
  EXPECT_EQ(std::get<SlackClick>(ReadInteraction(payload)).presser.id().text(),
            "E0GRID.U0ANYA0001");
}

TEST(SlackIntake, OtherButtonsAndFormsAreNotOurs) {
  Json payload = SamplePayload("block_actions.payload.json");
  payload.Find("actions")->array().front().Set("action_id", "somebody_elses");
  EXPECT_TRUE(IsIgnored(ReadInteraction(payload)));
  payload.Set("type", "shortcut");
  EXPECT_TRUE(IsIgnored(ReadInteraction(payload)));
  Json form = SamplePayload("view_submission.payload.json");
  form.Find("view")->Set("callback_id", "somebody_elses");
  EXPECT_TRUE(IsIgnored(ReadInteraction(form)));
}

TEST(SlackIntake, ASentFormHasItsSenderAndItsText) {
  const SlackIntake intake = ReadSample("view_submission.form.txt");
  const auto& submission = std::get<SlackSubmission>(intake);
  EXPECT_EQ(submission.approval.text(), "rq-0001");
  EXPECT_EQ(submission.presser.id().text(), "T0WRIT001.U0ANYA0001");
  EXPECT_EQ(submission.text, R"({"name": "Anya K"})");
}

}  // namespace writ::tests
