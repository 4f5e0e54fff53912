#include "connectors/chat/twilio/sms_words.h"

#include <gtest/gtest.h>

namespace writ::tests {

using connectors::CarrierWord;
using connectors::CarrierWordOf;
using connectors::SmsAnswerOf;
using connectors::SmsPiecesOf;

TEST(SmsWords, TheCarriersWordsAreTheWholeMessageInAnyCase) {
  for (const char* word :
       {"STOP", "stopall", " Unsubscribe ", "cancel", "END", "quit", "revoke", "OptOut", "stop."}) {
    EXPECT_EQ(CarrierWordOf(word), CarrierWord::kStop) << word;
  }
  for (const char* word : {"start", "UNSTOP"}) EXPECT_EQ(CarrierWordOf(word), CarrierWord::kStart);
  for (const char* word : {"help", "Info"}) EXPECT_EQ(CarrierWordOf(word), CarrierWord::kHelp);
  EXPECT_EQ(CarrierWordOf("Yes"), CarrierWord::kYes);
  for (const char* text : {"stop it please", "no", "", "YES 482193", "the end", "approve"}) {
    EXPECT_FALSE(CarrierWordOf(text)) << text;
  }
}

TEST(SmsWords, AnAnswerForgivesCaseAndBlanks) {
  for (const char* text : {"APPROVE 482193", "approve482193", "  Approve  482 193. ",
                           "APPROVE\u00a0482193", "aPPROVE\n482193"}) {
    const auto answer = SmsAnswerOf(text);
    ASSERT_TRUE(answer) << text;
    EXPECT_TRUE(answer->allowed);
    EXPECT_EQ(answer->code, "482193") << text;
  }
  const auto no = SmsAnswerOf("deny 000007");
  ASSERT_TRUE(no);
  EXPECT_FALSE(no->allowed);
  EXPECT_EQ(no->code, "000007");
  EXPECT_EQ(SmsAnswerOf("Approve")->code, "") << "the word alone approves nothing";
}

TEST(SmsWords, AnythingElseIsAMessage) {
  for (const char* text :
       {"", "482193", "YES 482193", "approve 482193 please", "I approve 482193", "deny them entry",
        "approved 482193", "STOP", "APPROVE 4821O3", "APPROVE 482193 DENY 482193"}) {
    EXPECT_FALSE(SmsAnswerOf(text)) << text;
  }
  EXPECT_FALSE(SmsAnswerOf("APPROVE " + std::string(100, '1')));
}

TEST(SmsWords, LongTextsAreCutAtBordersAndNothingIsLost) {
  EXPECT_TRUE(SmsPiecesOf("  \n ", 10).empty());
  EXPECT_EQ(SmsPiecesOf("one two three", 8), (std::vector<std::string>{"one two", "three"}));
  EXPECT_EQ(SmsPiecesOf("0123456789", 4), (std::vector<std::string>{"0123", "4567", "89"}));
  EXPECT_EQ(SmsPiecesOf("one\ntwo three", 9), (std::vector<std::string>{"one\ntwo", "three"}));
  EXPECT_EQ(SmsPiecesOf("🙏🙏🙏", 4), (std::vector<std::string>{"🙏🙏", "🙏"})) << "two units each";
}

}  // namespace writ::tests
