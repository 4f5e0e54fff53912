#include "connectors/chat/slack/blocks.h"

#include <gtest/gtest.h>

#include "connectors/chat/slack/intake.h"
#include "connectors/chat/slack/mrkdwn.h"
#include "router/base/text.h"

namespace writ::tests {

using connectors::SlackMessage;
using connectors::SlackMessageOf;
using connectors::SlackWords;
using router::Json;
using router::Post;
using router::PostedAsk;

namespace {

const SlackWords kWords{"https://bot.example.org/inbox", "Edit"};

Json Step(const std::string& call, const std::string& message) {
  return Json::MakeObject({{"type", "ai_tool_call"},
                           {"id", call},
                           {"name", "crm__echo"},
                           {"status", "awaiting_approval"},
                           {"expires_at", "2026-11-29T09:40:00Z"},
                           {"approval", Json::MakeObject({{"title", "Allow crm__echo?"},
                                                          {"message", message},
                                                          {"allow_title", "Allow"},
                                                          {"decline_title", "Decline"}})}});
}

PostedAsk AskOf(const std::string& call) {
  PostedAsk ask;
  ask.approval = router::ApprovalId("apr_" + call);
  ask.call = router::CallId(call);
  ask.asked = router::UserId("T0WRIT001.U0ANYA0001");
  ask.name = "crm__echo";
  return ask;
}

Post Asking(const std::string& message) {
  Post post;
  post.text = "Waiting for Anya";
  post.attachments = {Step("call_1", message)};
  post.asks = {AskOf("call_1")};
  return post;
}

std::vector<const Json*> OfType(const SlackMessage& message, const std::string& type) {
  std::vector<const Json*> found;
  for (const Json& block : message.blocks.array()) {
    if (block.TextAt("type") == type) found.push_back(&block);
  }
  return found;
}

std::vector<std::string> Buttons(const SlackMessage& message) {
  std::vector<std::string> buttons;
  for (const Json* actions : OfType(message, "actions")) {
    for (const Json& button : actions->Find("elements")->array()) {
      buttons.push_back(button.TextAt("action_id"));
    }
  }
  return buttons;
}

std::string TextOf(const Json& block) { return block.Find("text")->TextAt("text"); }

}  // namespace

TEST(SlackBlocks, AnAskNamesWhomItWaitsForAndShowsItsArgumentsAsPlainText) {
  const std::string hostile = "to: \"<!channel> ```*bold*``` <https://evil|bank> :smile: &amp;\"";
  const SlackMessage message = SlackMessageOf(Asking(hostile), kWords);
  const auto sections = OfType(message, "section");
  ASSERT_EQ(sections.size(), 2U);
  EXPECT_EQ(TextOf(*sections[0]), "*Allow crm__echo?* <@U0ANYA0001>");
  const Json& shown = *sections[1]->Find("text");
  EXPECT_EQ(shown.TextAt("type"), "plain_text") << "nothing in it is markup";
  EXPECT_EQ(shown.BoolAt("emoji"), false);
  EXPECT_EQ(shown.TextAt("text").find_first_of("<>"), std::string::npos);
  EXPECT_EQ(connectors::PlainTextOf(shown.TextAt("text")), hostile);
  EXPECT_EQ(Buttons(message),
            (std::vector<std::string>{connectors::kSlackAllow, connectors::kSlackDecline,
                                      connectors::kSlackEdit}));
  const Json& button = OfType(message, "actions")[0]->Find("elements")->array()[0];
  EXPECT_EQ(button.TextAt("value"), R"({"tool_call_id":"call_1","request_id":"apr_call_1"})");
}

TEST(SlackBlocks, WhatIsNotWholeHasNoButtonButTheInbox) {
  Post post = Asking("Not all of it is shown");
  post.asks[0].is_whole = false;
  const SlackMessage message = SlackMessageOf(post, kWords);
  EXPECT_TRUE(Buttons(message).empty());
  EXPECT_NE(message.blocks.Dump().find("<https://bot.example.org/inbox?approval=apr_call_1>"),
            std::string::npos);
  EXPECT_TRUE(Buttons(SlackMessageOf(post, {})).empty());
}

TEST(SlackBlocks, WhatSlackHasNoRoomForIsNotWhole) {
  const SlackMessage message = SlackMessageOf(Asking(std::string(13000, '<')), kWords);
  EXPECT_TRUE(Buttons(message).empty());
  EXPECT_LE(router::CountCharacters(message.blocks.Dump()), 13000U);
  EXPECT_NE(message.blocks.Dump().find("…"), std::string::npos);

  const SlackMessage fits = SlackMessageOf(Asking(std::string(7000, 'x')), kWords);
  EXPECT_EQ(Buttons(fits).size(), 3U);
  EXPECT_EQ(OfType(fits, "section").size(), 4U) << "three of at most 3,000 characters";
}

TEST(SlackBlocks, AnEditIsOfferedWhereAFormCanHoldIt) {
  Post post = Asking("x: 1");
  post.asks[0].arguments_characters = connectors::kSlackField;
  EXPECT_EQ(Buttons(SlackMessageOf(post, kWords)).size(), 3U);
  post.asks[0].arguments_characters = connectors::kSlackField + 1;
  EXPECT_EQ(Buttons(SlackMessageOf(post, kWords)),
            (std::vector<std::string>{connectors::kSlackAllow, connectors::kSlackDecline}));
}

TEST(SlackBlocks, AToolsQuestionIsAnsweredInAForm) {
  Post post = Asking("The tool asks");
  post.asks[0].is_question = true;
  EXPECT_EQ(Buttons(SlackMessageOf(post, kWords)),
            (std::vector<std::string>{connectors::kSlackEdit, connectors::kSlackDecline}));
}

TEST(SlackBlocks, SeveralAsksShareTheRoomAndEachHasItsOwnButtons) {
  Post post = Asking("one");
  Json done = Step("call_0", "");
  done.Set("summary", "Done <!here>");
  post.attachments = {done, Step("call_1", std::string(2000, 'a')), Step("call_2", "two")};
  post.asks = {AskOf("call_1"), AskOf("call_2")};
  const SlackMessage message = SlackMessageOf(post, kWords);
  EXPECT_EQ(Buttons(message).size(), 6U);
  EXPECT_NE(message.blocks.Dump().find("crm__echo: Done &lt;!here&gt;"), std::string::npos);
}

TEST(SlackBlocks, AReplyIsSectionsWithWhatBecameOfItsStepsAndNoButtons) {
  Post post;
  post.text = "**Done** <!channel>";
  Json step = Step("call_1", "x");
  step.Set("summary", "Declined: not on a Sunday");
  post.attachments = {step};
  const SlackMessage message = SlackMessageOf(post, kWords);
  EXPECT_EQ(message.text, "*Done* &lt;!channel&gt;");
  EXPECT_EQ(TextOf(*OfType(message, "section")[0]), message.text);
  EXPECT_EQ(OfType(message, "section")[0]->Find("text")->BoolAt("verbatim"), true);
  EXPECT_NE(message.blocks.Dump().find("crm__echo: Declined: not on a Sunday"), std::string::npos);
  EXPECT_TRUE(Buttons(message).empty());
}

TEST(SlackBlocks, ALongReplyIsOneTextWithinSlacksLimit) {
  Post post;
  post.text = std::string(20000, '&');
  Json step = Step("call_1", "x");
  step.Set("summary", "Declined");
  post.attachments = {step};
  const SlackMessage message = SlackMessageOf(post, kWords);
  EXPECT_TRUE(message.blocks.array().empty());
  EXPECT_LE(router::CountCharacters(message.text), connectors::kSlackText);
  EXPECT_TRUE(message.text.starts_with("crm__echo: Declined\n\n&amp;"));
  EXPECT_TRUE(message.text.ends_with("…"));
}

}  // namespace writ::tests
