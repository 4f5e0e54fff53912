// Answers from Slack: buttons, the form in which a call is edited, and what is told to whom (F1 to
// F4), with signed deliveries and Slack's own limits.
#include <algorithm>
#include <fstream>
#include <future>
#include <sstream>
#include <string>
#include <vector>

#include "router/base/text.h"
#include "tests/support/child_process.h"
#include "tests/system/slack_world.h"

namespace writ::tests {
namespace {

constexpr const char* kForm = "application/x-www-form-urlencoded";

std::string InitialTextOf(const Json& form) {
  return form.Find("blocks")->array().front().Find("element")->TextAt("initial_value");
}

std::string ErrorOf(const ApiReply& reply) {
  const Json answer = reply.json();
  const Json* errors = answer.Find("errors");
  return errors == nullptr ? "" : errors->TextAt("args");
}

}  // namespace

TEST(Slack, TheAskedPersonsPressTurnsTheMessageIntoTheOutcome) {  // F1
  SlackWorld slack;
  const Json ask = slack.AskAnya();
  const Json message = slack.stage().MessageOf(ask);
  EXPECT_EQ(ButtonsOf(message, ask),
            (std::vector<std::string>{"writ_approve", "writ_deny", "writ_edit"}));
  EXPECT_EQ(message.TextAt("thread_ts"), slack.stage().thread());
  EXPECT_NE(WordsOf(message).find("<@" + kAnya + ">"), std::string::npos);
  EXPECT_NE(WordsOf(message).find("message: \"shift 42\""), std::string::npos);

  const ApiReply reply = slack.slack().Press(kAnya, message, "writ_approve");
  EXPECT_EQ(reply.status, 200);
  EXPECT_EQ(reply.body, "") << "anything else would be shown as an error";
  EXPECT_TRUE(slack.WaitForWords("Results: echo: "));
  ASSERT_EQ(slack.BotMessages().size(), 1U);
  EXPECT_TRUE(ButtonsOf(slack.BotMessages().front(), ask).empty());
  EXPECT_NE(WordsOf(slack.BotMessages().front()).find("crm__echo: Done"), std::string::npos);
  EXPECT_EQ(slack.world().crm().Calls().size(), 1U);
  EXPECT_TRUE(slack.slack().Whispers().empty());
  const Json decision = *slack.Record(ask).Find("decision");
  EXPECT_EQ(decision.TextAt("decided_by"), "user:T0WRIT001." + kAnya);
}

TEST(Slack, AMessageThatSomebodyTookAwayIsPostedAnewOnce) {
  SlackWorld slack;
  const Json ask = slack.AskAnya();
  slack.slack().DeleteMessage(kChannel, slack.stage().MessageOf(ask).TextAt("ts"));
  EXPECT_EQ(
      slack.world()
          .api()
          .Post(slack.world().Backend(), "/v1/approvals/" + ask.TextAt("approval_id") + "/decision",
                Json::MakeObject({{"allowed", true}}))
          .status,
      200);
  EXPECT_TRUE(slack.WaitForWords("Results: echo: "));
  EXPECT_EQ(slack.BotMessages().size(), 1U);
}

TEST(Slack, AnotherPersonsPressIsToldToThemAlone) {  // F2, faults 17, 53
  SlackWorld slack;
  const Json ask = slack.AskAnya();
  const Json message = slack.stage().MessageOf(ask);
  for (const char* button : {"writ_approve", "writ_deny", "writ_edit"}) {
    EXPECT_EQ(slack.slack().Press(kBen, message, button).status, 200);
  }
  EXPECT_TRUE(slack.WaitForWhisper(kBen, "Only "));
  EXPECT_TRUE(Eventually([&] { return slack.slack().Whispers().size() == 3; }));
  EXPECT_TRUE(slack.slack().Forms().empty()) << "nobody else sees the arguments in a form";
  EXPECT_EQ(slack.slack().BotMessages(kChannel), std::vector<Json>{message}) << "untouched";
  EXPECT_EQ(slack.StatusOf(ask), "pending");

  const std::string cleo = SlackStage::IdOf("cleo");
  EXPECT_EQ(slack.slack().Press(cleo, message, "writ_approve").status, 200);
  EXPECT_TRUE(slack.WaitForWhisper(cleo, "Nothing here waits")) << "a stranger learns nothing";
}

TEST(Slack, TheSamePersonOfAnotherWorkspaceIsAStranger) {  // fault 18
  SlackWorld slack;
  const Json ask = slack.AskAnya();
  const Json message = slack.stage().MessageOf(ask);
  slack.slack().AddUser({.id = kAnya, .team = "T0OTHER"});
  EXPECT_EQ(slack.slack().Press(kAnya, message, "writ_approve").status, 200);
  EXPECT_TRUE(Eventually([&] { return slack.slack().Whispers().size() == 1; }));
  EXPECT_EQ(slack.StatusOf(ask), "pending");
  slack.slack().AddUser({.id = kAnya});
  EXPECT_EQ(slack.slack().Press(kAnya, message, "writ_approve").status, 200);
  EXPECT_TRUE(slack.WaitForStatus(ask, "approved"));
}

TEST(Slack, OnAGridAPersonIsOneInEachOfItsWorkspaces) {  // fault 18
  SlackWorld slack;
  slack.slack().SetEnterprise("E0GRID");
  slack.slack().AddUser({.id = kAnya, .team = "T0SISTER", .enterprise = "E0GRID"});
  const Json ask = slack.AskAnya();
  EXPECT_EQ(ask.TextAt("asked"), "E0GRID." + kAnya);
  slack.slack().Press(kAnya, slack.stage().MessageOf(ask), "writ_approve");
  EXPECT_TRUE(slack.WaitForStatus(ask, "approved"));
}

TEST(Slack, PressesAfterTheFirstSeeTheTrueState) {  // F3, fault 23
  SlackWorld slack;
  const Json ask = slack.AskAnya();
  const Json message = slack.stage().MessageOf(ask);
  constexpr int kPresses = 8;
  std::vector<std::future<int>> presses;
  presses.reserve(kPresses);
  for (int i = 0; i < kPresses; ++i) {
    presses.push_back(std::async(std::launch::async, [&, i] {
      return slack.slack().Press(kAnya, message, i % 2 == 0 ? "writ_approve" : "writ_deny").status;
    }));
  }
  for (auto& press : presses) EXPECT_EQ(press.get(), 200);
  EXPECT_TRUE(Eventually([&] { return slack.slack().Whispers().size() == 7; }));
  EXPECT_TRUE(slack.WaitForWords("Results: "));
  EXPECT_LE(slack.world().crm().Calls().size(), 1U);
  const std::string state = slack.StatusOf(ask);

  const std::size_t before = slack.slack().Whispers().size();
  EXPECT_EQ(slack.slack().Press(kAnya, message, "writ_deny").status, 200);
  EXPECT_TRUE(Eventually([&] { return slack.slack().Whispers().size() == before + 1; }));
  EXPECT_NE(slack.slack().Whispers().back().text.find(state == "approved" ? "allowed already"
                                                                          : "declined already"),
            std::string::npos);
  EXPECT_EQ(slack.StatusOf(ask), state);
}

TEST(Slack, OnlyWhatSlackSignedJustNowCounts) {  // F4, fault 49
  SlackWorld slack;
  const Json ask = slack.AskAnya();
  const std::string press =
      slack.slack().PressBody(kAnya, slack.stage().MessageOf(ask), "writ_approve");
  EXPECT_EQ(slack.slack().Deliver(press, kForm, 301).text(), "401 bad_signature");
  EXPECT_EQ(slack.slack().Deliver(press, kForm, -310).text(), "401 bad_signature");
  const int port = slack.world().program().port();
  ApiHeaders headers = SlackEmulator::Signed(press + "x", kForm);
  EXPECT_EQ(Send(port, "POST", "/v1/hooks/acme", headers, press).text(), "401 bad_signature");
  EXPECT_EQ(Send(port, "POST", "/v1/hooks/acme", {}, press).text(), "401 bad_signature");
  EXPECT_EQ(slack.StatusOf(ask), "pending");

  headers = SlackEmulator::Signed(press, kForm);
  EXPECT_EQ(Send(port, "POST", "/v1/hooks/acme", headers, press).status, 200);
  EXPECT_TRUE(slack.WaitForWords("Results: echo: "));
  EXPECT_EQ(Send(port, "POST", "/v1/hooks/acme", headers, press).status, 200) << "a replay";
  EXPECT_EQ(slack.world().crm().Calls().size(), 1U);
}

TEST(Slack, TheSetUpsChallengeIsAnswered) {
  SlackWorld slack;
  const std::string body =
      R"({"token":"x","challenge":"writ0Challenge","type":"url_verification"})";
  const ApiReply reply = slack.slack().Deliver(body);
  EXPECT_EQ(reply.status, 200);
  EXPECT_EQ(reply.json().TextAt("challenge"), "writ0Challenge");
  EXPECT_EQ(slack.slack().Deliver(body, "application/json", 400).status, 401);
  EXPECT_EQ(slack.slack().Deliver("{}").text(), "400 malformed_json");
}

TEST(Slack, AMentionThatComesTwiceIsAnsweredOnce) {  // fault 9
  SlackWorld slack;
  for (const bool mention_first : {true, false}) {
    const std::string words = mention_first ? "first the mention" : "first the message";
    const std::string ts = slack.slack().Write(kAnya, kChannel, "<@U0WRITBOT> " + words,
                                               slack.stage().thread(), Json::MakeObject(), false);
    const Json message = slack.slack().MessageEvent(kChannel, ts);
    Json mention = message;
    mention.Set("type", "app_mention");
    for (const Json& event :
         mention_first ? std::vector{mention, message} : std::vector{message, mention}) {
      EXPECT_EQ(slack.slack().Deliver(slack.slack().Envelope(event)).status, 200);
    }
    EXPECT_TRUE(slack.WaitForWords(words));
    EXPECT_EQ(slack.world().model().AskedAbout(words).size(), 1U);
  }
}

TEST(Slack, RetriesThatComeAtOnceAreOneMessage) {  // W26, fault 35
  SlackWorld slack;
  const std::string ts =
      slack.slack().Write(kAnya, kChannel, kAsk, slack.stage().thread(), Json::MakeObject(), false);
  const std::string body = slack.slack().Envelope(slack.slack().MessageEvent(kChannel, ts));
  ApiHeaders headers = SlackEmulator::Signed(body, "application/json");
  headers.emplace_back("X-Slack-Retry-Reason", "http_timeout");
  std::vector<std::future<int>> retries;
  for (int i = 1; i <= 8; ++i) {
    ApiHeaders retry = headers;
    retry.emplace_back("X-Slack-Retry-Num", std::to_string(i));
    retries.push_back(std::async(std::launch::async, [&slack, &body, retry] {
      return Send(slack.world().program().port(), "POST", "/v1/hooks/acme", retry, body).status;
    }));
  }
  for (auto& retry : retries) EXPECT_EQ(retry.get(), 200) << "also where the first was not seen";
  const Json ask = slack.WaitForAsk();
  slack.slack().Press(kAnya, slack.stage().MessageOf(ask), "writ_approve");
  EXPECT_TRUE(slack.WaitForWords("Results: echo: "));
  EXPECT_EQ(slack.world().crm().Calls().size(), 1U);
  EXPECT_EQ(slack.BotMessages().size(), 1U);
}

TEST(Slack, AForgedPressChangesNothing) {  // W5, faults 45 and 49
  SlackWorld slack;
  const Json ask = slack.AskAnya(AskWith("one") + "\n" + AskWith("two"));
  const Json all =
      slack.world().api().Get(slack.world().Backend(), "/v1/approvals?status=pending").json();
  const Json other = *std::ranges::find_if(all.Find("approvals")->array(), [&](const Json& one) {
    return one.TextAt("approval_id") != ask.TextAt("approval_id");
  });
  const std::string press = slack.slack().PressBody(kAnya, slack.stage().MessageOf(ask),
                                                    "writ_approve", ask.TextAt("approval_id"));
  const Json payload = *router::ParseJson(connectors::ParseForm(press)->front().second).value;
  const auto deliver = [&](const Json& forged, const std::string& type = kForm) {
    return slack.slack().Deliver(connectors::FormBody({{"payload", forged.Dump()}}), type);
  };
  const auto with = [&](const std::string& key, Json value) {
    Json forged = payload;
    forged.Set(key, std::move(value));
    return forged;
  };
  Json of_two = payload;
  of_two.Find("actions")->array().front().Set(
      "value", Json::MakeObject({{"request_id", ask.TextAt("approval_id")},
                                 {"tool_call_id", other.TextAt("call_id")}})
                   .Dump());
  EXPECT_EQ(deliver(of_two).status, 200);
  EXPECT_TRUE(slack.WaitForWhisper(kAnya, "Nothing here waits"));
  for (const Json& nobodys :
       {with("user", Json()), with("user", "U0ANYA0001"), with("actions", Json::MakeArray()),
        with("type", "message_action"),
        with("user", Json::MakeObject({{"username", kAnya}, {"name", kAnya}}))}) {
    EXPECT_EQ(deliver(nobodys).status, 200);
  }
  // A name, or a place in the payload that says so, makes nobody somebody else.
  Json cleo = with("user", Json::MakeObject({{"id", SlackStage::IdOf("cleo")},
                                             {"username", kAnya},
                                             {"name", kAnya},
                                             {"team_id", "T0WRIT001"}}));
  cleo.Set("channel", Json::MakeObject({{"id", "C0ELSEWHERE"}}));
  EXPECT_EQ(deliver(cleo).status, 200);
  EXPECT_EQ(deliver(Json("text")).text(), "400 malformed_json");
  EXPECT_EQ(slack.slack().Deliver(press + "&payload=%7B%7D", kForm).text(), "400 malformed_json");
  EXPECT_EQ(slack.slack().Deliver(press + std::string(2 << 20, 'x'), kForm).text(),
            "413 body_too_large");
  for (const char* approval : {"one", "two"}) {
    EXPECT_TRUE(slack.world().crm().CallsWith(approval).empty());
  }
  EXPECT_EQ(slack.StatusOf(ask), "pending");
  EXPECT_EQ(slack.StatusOf(other), "pending");
  EXPECT_EQ(deliver(payload, "text/plain").status, 200) << "the type does not matter";
  EXPECT_TRUE(slack.WaitForStatus(ask, "approved"));
}

TEST(Slack, IsAnsweredInTimeHoweverSlowTheStoreAndTheMembership) {  // W12, fault 36
  SlackWorld slack;
  const Json ask = slack.AskAnya();
  const Json message = slack.stage().MessageOf(ask);
  slack.slack().Press(kAnya, message, "writ_edit");
  const Json form = slack.WaitForForm();
  const auto answer_both = [&] {
    auto press = std::async(std::launch::async, [&] {
      return slack.slack().Press(kAnya, message, "writ_approve").text();
    });
    const ApiReply sent = slack.slack().Submit(kAnya, form, kShift);
    EXPECT_EQ(sent.status, 200);
    EXPECT_NE(ErrorOf(sent).find("try again"), std::string::npos) << sent.text();
    EXPECT_EQ(press.get(), "200");
    EXPECT_EQ(slack.StatusOf(ask), "pending");
  };
  slack.slack().Order("conversations.members", {.hangs = true});
  answer_both();
  EXPECT_TRUE(slack.WaitForWhisper(kAnya, "I could not check"));
  slack.slack().Clear();

  slack.SlowStore(true);
  answer_both();
  slack.SlowStore(false);
  EXPECT_TRUE(slack.WaitForWords("Results: echo: ")) << "the store was slow and not away";
  EXPECT_EQ(slack.world().crm().Calls().size(), 1U);
}

TEST(Slack, MoreClicksThanMayWaitAreRefusedAndCountedAndTheCallStillWaits) {
  SlackWorld slack({}, {}, [](Json& config) { config.Find("limits")->Set("answers_in_line", 1); });
  const Json ask = slack.AskAnya();
  const Json message = slack.stage().MessageOf(ask);
  slack.slack().Order("conversations.members", {.hangs = true});
  const auto press = [&] { return slack.slack().Press(kAnya, message, "writ_approve").text(); };
  EXPECT_TRUE(Eventually([&] {
    std::vector<std::future<std::string>> crowd(12);
    for (auto& each : crowd) each = std::async(std::launch::async, press);
    std::ptrdiff_t refused = 0;
    for (auto& each : crowd) {
      const std::string said = each.get();
      EXPECT_TRUE(said == "200" || said == "503 overloaded") << said;
      if (said != "200") ++refused;
    }
    return refused > 0;
  }));
  const std::string figures = slack.world().api().Get(slack.world().Anonymous(), "/metrics").body;
  EXPECT_NE(figures.find("writ_shed_total{why=\"answers\"} "), std::string::npos);
  EXPECT_EQ(slack.StatusOf(ask), "pending");

  slack.slack().Clear();
  EXPECT_TRUE(Eventually([&] { return press() == "200"; })) << "once there is room";
  EXPECT_TRUE(slack.WaitForWords("Results: echo: "));
  EXPECT_EQ(slack.world().crm().Calls().size(), 1U);
}

TEST(Slack, ItAnswersPeopleAloneAndNeverItself) {  // W25, fault 32
  SlackWorld slack;
  Json bots = Json::MakeObject({{"bot_id", "B0OTHER"}, {"user", "U0OTHERBOT"}});
  slack.slack().Write("U0OTHERBOT", kChannel, "from a bot", slack.stage().thread(), bots);
  slack.slack().Write(kAnya, kChannel, "has joined", "",
                      Json::MakeObject({{"subtype", "channel_join"}}));
  slack.stage().Say("anya", "and from me", true);
  EXPECT_TRUE(slack.WaitForWords("and from me"));
  slack.slack().WaitUntilTold();  // its own message and its changes among them
  slack.stage().Say("anya", "once more", true);
  EXPECT_TRUE(slack.WaitForWords("once more"));
  EXPECT_EQ(slack.BotMessages().size(), 2U);
  EXPECT_TRUE(slack.slack().Refusals().empty());
}

TEST(Slack, ItRepliesWhereTheWriterWrote) {  // fault 40
  SlackWorld slack;
  slack.slack().AddChannel(kDirect, {kAnya});
  const std::string ts = slack.slack().Write(kAnya, kChannel, "a new subject");
  EXPECT_TRUE(slack.WaitForWords("a new subject"));
  EXPECT_EQ(slack.BotMessages().back().TextAt("thread_ts"), ts) << "a thread of its own";
  slack.slack().Write(kAnya, kDirect, "just between us");
  EXPECT_TRUE(slack.WaitForWords("just between us", kDirect));
  EXPECT_EQ(slack.BotMessages(kDirect).back().TextAt("thread_ts"), "");
  slack.slack().Write(kAnya, kDirect, kAsk);
  const Json ask = slack.WaitForAsk();
  EXPECT_EQ(ask.TextAt("cid"), "slack:T0WRIT001.D0ANYA");
}

TEST(Slack, AnEditRunsAsItWasEdited) {
  SlackWorld slack;
  const Json ask = slack.AskAnya();
  const Json message = slack.stage().MessageOf(ask);
  EXPECT_EQ(slack.slack().Press(kAnya, message, "writ_edit").status, 200);
  const Json form = slack.WaitForForm();
  EXPECT_EQ(router::ParseJson(InitialTextOf(form)).value, router::ParseJson(kShift).value);

  EXPECT_NE(ErrorOf(slack.slack().Submit(kAnya, form, "{\"message\":")), "") << "no JSON";
  const ApiReply misfit = slack.slack().Submit(kAnya, form, R"({"message":7})");
  EXPECT_EQ(misfit.json().TextAt("response_action"), "errors");
  EXPECT_NE(ErrorOf(misfit).find("/message"), std::string::npos) << ErrorOf(misfit);
  EXPECT_NE(ErrorOf(slack.slack().Submit(kBen, form, kShift)).find("Only "), std::string::npos);
  EXPECT_EQ(slack.StatusOf(ask), "pending");

  const ApiReply sent = slack.slack().Submit(kAnya, form, R"({"message": "shift 43"})");
  EXPECT_EQ(sent.status, 200);
  EXPECT_EQ(sent.body, "") << "closes the form";
  EXPECT_TRUE(slack.WaitForWords("Results: "));
  EXPECT_EQ(slack.world().crm().CallsWith("shift 43").size(), 1U);
  EXPECT_TRUE(slack.world().crm().CallsWith("shift 42").empty());
  EXPECT_NE(ErrorOf(slack.slack().Submit(kAnya, form, kShift)).find("allowed already"),
            std::string::npos)
      << "the form was still open elsewhere";
}

TEST(Slack, WhatNobodyCouldSeeHasNoButton) {
  SlackWorld slack;
  const Json ask = slack.AskAnya(AskWith(std::string(1500, 'x') + "!"));
  const Json message = slack.BotMessages().front();
  EXPECT_TRUE(ButtonsOf(message, ask).empty());
  EXPECT_NE(WordsOf(message).find(
                "<https://bot.example.org/inbox?approval=" + ask.TextAt("approval_id") + ">"),
            std::string::npos)
      << WordsOf(message);
}

TEST(Slack, ArgumentsThatFitNoFormAreAllowedOrDeclinedAsTheyAre) {
  SlackWorld slack([](Json& crm) { crm.Set("require_approval", true); },
                   [](World& world) {
                     world.crm().SetTool("list", Json::MakeObject({{"type", "object"}}));
                   });
  Json arguments = Json::MakeObject();
  for (int i = 0; i < 60; ++i) arguments.Set("key " + std::to_string(i), std::string(60, 'v'));
  const Json ask = slack.AskAnya("!crm__list " + arguments.Dump());
  const Json message = slack.BotMessages().front();
  EXPECT_EQ(ButtonsOf(message, ask), (std::vector<std::string>{"writ_approve", "writ_deny"}));
  // The whole message travels with the press: more than many a server takes for a form.
  const std::string press = slack.slack().PressBody(kAnya, message, "writ_approve");
  EXPECT_GT(press.size(), 8192U);
  EXPECT_EQ(slack.slack().Deliver(press, kForm).status, 200);
  EXPECT_TRUE(slack.WaitForStatus(ask, "approved"));
}

TEST(Slack, WordsOfAModelAndOfAPersonPingNobody) {
  SlackWorld slack;
  slack.world().model().When("ping them", [](const StubModel::Asked&) {
    return StubModel::Reply{.text = "<!channel> <@U0BEN00002> <https://evil.example|your bank>"};
  });
  slack.stage().Say("anya", "ping them", true);
  EXPECT_TRUE(
      slack.WaitForWords("&lt;!channel&gt; &lt;@U0BEN00002&gt; "
                         "&lt;https://evil.example|your bank&gt;"));
  // NOLINTNEXTLINE(misc-misleading-bidirectional): what turns the letters after it round
  const Json ask = slack.AskAnya(AskWith("&lt;!channel&gt; ```*bold*``` \u202e"));
  const std::string words = WordsOf(slack.stage().MessageOf(ask));
  EXPECT_NE(words.find("message: \"&lt;!channel&gt; ```*bold*``` \\u202e\""), std::string::npos)
      << words;
  EXPECT_EQ(words.find("<!channel>"), std::string::npos);
}

TEST(Slack, ALongReplyIsCutToWhatSlackTakes) {  // fault 39
  SlackWorld slack;
  slack.world().model().When("tell me all", [](const StubModel::Asked&) {
    std::string text;
    while (text.size() < 60000) text += "all about <everything> & more ";
    return StubModel::Reply{.text = text};
  });
  slack.stage().Say("anya", "tell me all", true);
  EXPECT_TRUE(slack.WaitForWords("all about &lt;everything&gt;"));
  EXPECT_LE(router::CountCharacters(slack.BotMessages().front().TextAt("text")), 40000U);
}

TEST(Slack, ATokenThatIsMendedLosesNothing) {
  SlackWorld slack;
  slack.slack().Order("chat.postMessage", {.error = "token_revoked"}, 1);
  slack.slack().Order("chat.update", {.error = "internal_error"}, 1);
  const Json ask = slack.AskAnya();
  slack.slack().Press(kAnya, slack.stage().MessageOf(ask), "writ_deny");
  EXPECT_TRUE(slack.WaitForWords("Declined"));
  EXPECT_EQ(slack.BotMessages().size(), 1U);
}

TEST(Slack, OthersAcceptWhatTheEmulatorSignsAndWhatIsSentToIt) {
  SlackWorld slack;
  const Json ask = slack.AskAnya();
  const Json message = slack.stage().MessageOf(ask);
  slack.slack().Press(kBen, message, "writ_approve");
  slack.slack().Press(kAnya, message, "writ_edit");
  const Json form = slack.WaitForForm();
  slack.slack().Submit(kAnya, form, kShift);
  EXPECT_TRUE(slack.WaitForWords("Results: echo: "));

  Json deliveries = Json::MakeArray();
  const std::string event =
      slack.slack().Envelope(slack.slack().MessageEvent(kChannel, slack.stage().thread()));
  for (const auto& [body, type] :
       {std::pair{event, "application/json"},
        std::pair{slack.slack().PressBody(kAnya, message, "writ_approve"), kForm},
        std::pair{slack.slack().SubmitBody(kAnya, form, kShift), kForm}}) {
    Json headers = Json::MakeObject();
    for (const auto& [name, value] : SlackEmulator::Signed(body, type)) {
      std::string lower = name;
      std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return std::tolower(c); });
      headers.Set(lower, value);
    }
    deliveries.Push(Json::MakeObject({{"headers", std::move(headers)}, {"body", body}}));
  }
  Json calls = Json::MakeArray();
  for (const auto& called : slack.slack().Calls()) {
    Json fields = Json::MakeObject();
    for (const auto& [name, value] : called.fields) fields.Set(name, value);
    calls.Push(Json::MakeObject({{"method", called.method}, {"fields", std::move(fields)}}));
  }
  const std::string record = slack.world().File("slack.json");
  std::ofstream(record) << Json::MakeObject({{"signingSecret", SlackEmulator::kSecret},
                                             {"deliveries", std::move(deliveries)},
                                             {"calls", std::move(calls)}})
                               .Dump();
  std::vector<std::string> judge{NodeProgram("@slack/bolt/package.json").front(),
                                 "tests/node/slack.mjs", record, "tests/data/specs",
                                 "config/slack-manifest.json"};
  Program program(judge, {}, slack.world().File("judge.log"));
  const bool judged = program.WaitForOutput("3 deliveries, ");
  EXPECT_EQ(program.WaitForEnd(), 0) << program.output();
  EXPECT_TRUE(judged) << program.output();
}

}  // namespace writ::tests
