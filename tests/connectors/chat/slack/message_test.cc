#include "connectors/chat/slack/message.h"

#include <gtest/gtest.h>

namespace writ::tests {

using connectors::SlackHistoryMessage;
using connectors::SlackReader;
using router::Json;

namespace {

SlackReader Reader() {
  SlackReader reader;
  reader.place.team = "T0WRIT001";
  reader.bot_user = "U0WRITBOT";
  return reader;
}

Json Message(const std::string& user, const std::string& text) {
  return Json::MakeObject({{"type", "message"},
                           {"user", user},
                           {"team", "T0WRIT001"},
                           {"text", text},
                           {"ts", "1795944600.000100"},
                           {"thread_ts", "1795944500.000050"}});
}

}  // namespace

TEST(SlackHistory, KnowsTheAgentsOwnWordsAndEverybodyElses) {
  const auto anyas = SlackHistoryMessage(Reader(), "C1", Message("U0ANYA0001", "Hi &amp; <@U2>"));
  ASSERT_TRUE(anyas);
  EXPECT_EQ(anyas->id.text(), "T0WRIT001.C1.1795944600.000100");
  EXPECT_EQ(anyas->author.text(), "T0WRIT001.U0ANYA0001");
  EXPECT_EQ(anyas->text, "Hi & @U2");
  EXPECT_FALSE(anyas->from_agent);

  Json own = Message("U0WRITBOT", "Done.");
  own.Set("bot_id", "B0WRIT001");
  EXPECT_TRUE(SlackHistoryMessage(Reader(), "C1", own)->from_agent);

  Json bots = Message("", "Build failed.");
  bots.Set("subtype", "bot_message");
  bots.Set("bot_id", "B0OTHER");
  bots.Set("username", "CI");
  const auto read = SlackHistoryMessage(Reader(), "C1", bots);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->author.text(), "B0OTHER");
  EXPECT_EQ(read->author_name, "CI");
  EXPECT_FALSE(read->from_agent);
}

TEST(SlackHistory, LeavesOutWhatNobodySaid) {
  Json joined = Message("U1", "<@U1> has joined the channel");
  joined.Set("subtype", "channel_join");
  EXPECT_FALSE(SlackHistoryMessage(Reader(), "C1", joined));
  EXPECT_FALSE(SlackHistoryMessage(Reader(), "C1", Message("U1", "  ")));
  EXPECT_FALSE(SlackHistoryMessage(Reader(), "C1", Message("", "nobody's")));
  Json odd = Message("U1", "when?");
  odd.Set("ts", 7);
  EXPECT_FALSE(SlackHistoryMessage(Reader(), "C1", odd));
}

}  // namespace writ::tests
