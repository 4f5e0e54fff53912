#include "connectors/chat/slack/mrkdwn.h"

#include <gtest/gtest.h>

#include "router/base/text.h"

namespace writ::tests {

using connectors::EscapeSlack;
using connectors::MrkdwnOf;
using connectors::PiecesOf;
using connectors::PlainTextOf;
using connectors::WithoutMentionOf;

TEST(Mrkdwn, NoWordsBecomeAMentionOrALink) {
  for (const char* words : {"<!channel>", "<@U0BEN00002>", "<https://evil.example|your bank>",
                            "<#C0CALLOUTS|general>", "<!subteam^S1>"}) {
    const std::string escaped = MrkdwnOf(words);
    EXPECT_EQ(escaped.find_first_of("<>"), std::string::npos) << escaped;
    EXPECT_EQ(PlainTextOf(escaped), words) << "people read what was written";
  }
  EXPECT_EQ(EscapeSlack("&lt; & <"), "&amp;lt; &amp; &lt;");
}

TEST(Mrkdwn, BoldIsSlacksAndALinkStaysAsItWasWritten) {
  EXPECT_EQ(MrkdwnOf("a **bold word** and 2 ** 3 ** 4"), "a *bold word* and 2 ** 3 ** 4");
  EXPECT_EQ(MrkdwnOf("`**code**` **x**"), "`**code**` *x*");
  EXPECT_EQ(MrkdwnOf("**never closed\n**"), "**never closed\n**");
  EXPECT_EQ(MrkdwnOf("[your bank](https://evil.example)"), "[your bank](https://evil.example)");
}

TEST(Mrkdwn, WhatAPersonWroteIsReadAsTheySeeIt) {
  EXPECT_EQ(PlainTextOf("<@U1|anya> in <#C1|general>: <https://x.example|the rota> &amp; <!here>"),
            "@anya in #general: the rota (https://x.example) & @here");
  EXPECT_EQ(
      PlainTextOf("<https://x.example> <mailto:a@b.example|a@b.example> <!date^1^{date}|then>"),
      "https://x.example a@b.example (mailto:a@b.example) then");
  EXPECT_EQ(PlainTextOf("&lt;@U1&gt; a < b"), "<@U1> a < b") << "typed, not a reference";
  EXPECT_EQ(PlainTextOf("&amp;lt;"), "&lt;");
}

TEST(Mrkdwn, TheBotsOwnMentionIsNoPartOfTheQuestion) {
  EXPECT_EQ(WithoutMentionOf("U1", "<@U1> who works?"), "who works?");
  EXPECT_EQ(WithoutMentionOf("U1", " <@U1|bot>, who works?"), ", who works?");
  EXPECT_EQ(WithoutMentionOf("U1", "ask <@U1>"), "ask <@U1>");
  EXPECT_EQ(WithoutMentionOf("U1", "<@U12> hi"), "<@U12> hi");
  EXPECT_EQ(WithoutMentionOf("U1", "<@U1"), "<@U1");
  EXPECT_EQ(WithoutMentionOf("", "<@U1> hi"), "<@U1> hi");
}

TEST(Mrkdwn, PiecesAreWholeAndCutNoEscape) {
  std::string text;
  for (int i = 0; i < 300; ++i) text += i % 7 == 0 ? "&amp;&lt;é🙏 " : "&gt;word\n";
  for (const std::size_t longest : {9U, 10U, 11U, 12U, 100U}) {
    std::string joined;
    for (const std::string& piece : PiecesOf(text, longest)) {
      EXPECT_LE(router::CountCharacters(piece), longest);
      EXPECT_TRUE(router::IsUtf8(piece));
      const std::size_t escape = piece.rfind('&');
      EXPECT_TRUE(escape == std::string::npos || piece.find(';', escape) != std::string::npos)
          << piece;
      joined += piece;
    }
    EXPECT_EQ(joined, text);
  }
  EXPECT_TRUE(PiecesOf("", 10).empty());
}

}  // namespace writ::tests
