#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "connectors/tool/mcp/stdio/given_up_ids.h"
#include "connectors/tool/mcp/stdio/line_reader.h"
#include "connectors/tool/mcp/stdio/sent_words.h"

namespace writ::connectors {
namespace {

class LineReaderTest : public testing::Test {
 protected:
  std::vector<std::string> lines_;
  LineReader reader_{8, [this](std::string_view line) { lines_.emplace_back(line); },
                     [this] { lines_.emplace_back("(too long)"); }};
};

TEST_F(LineReaderTest, CutsWhereverThePiecesEnd) {
  for (const char c : std::string("one\ntwo\r\n\n\r\nlast")) reader_.Take({&c, 1});
  EXPECT_EQ(lines_, (std::vector<std::string>{"one", "two"}));
  reader_.Finish();
  EXPECT_EQ(lines_.back(), "last");
}

TEST_F(LineReaderTest, PassesOverWhatIsTooLongOnce) {
  reader_.Take("12345678\n123456789");
  reader_.Take("0123456789");
  reader_.Take("0\nnext\n");
  EXPECT_EQ(lines_, (std::vector<std::string>{"12345678", "(too long)", "next"}));
}

TEST(GivenUpIds, AreKnownUntilTheyAreAnsweredAndTakeNoRoomWithoutEnd) {
  GivenUpIds ids;
  ids.Add(7);
  ids.Add(9);
  ids.Answered(9);
  EXPECT_TRUE(ids.MayBeAnswered(7));
  EXPECT_FALSE(ids.MayBeAnswered(8));
  EXPECT_FALSE(ids.MayBeAnswered(9));
  const auto most = static_cast<std::int64_t>(GivenUpIds::kMost);
  for (std::int64_t id = 10; id < 10 + most; ++id) ids.Add(id);
  EXPECT_TRUE(ids.MayBeAnswered(7)) << "of the old ones any may be";
  EXPECT_TRUE(ids.MayBeAnswered(1));
  EXPECT_TRUE(ids.MayBeAnswered(9 + most));
  EXPECT_FALSE(ids.MayBeAnswered(10 + most));
  ids.Answered(10);
  EXPECT_FALSE(ids.MayBeAnswered(10)) << "of the new ones it is known which";
}

TEST(SentWords, KnowsTheValuesOfCallsPlainAndAsJson) {
  SentWords words(StdioCommand{});
  words.Add(R"({"method":"tools/call","params":{"arguments":
      {"a":["Anna",{"b":"x\"y\nz"}],"n":1234,"t":true,"s":"ab"}}})");
  EXPECT_TRUE(words.AreIn("hello Anna"));
  EXPECT_TRUE(words.AreIn("n=1234"));
  EXPECT_TRUE(words.AreIn("x\"y\nz"));
  EXPECT_TRUE(words.AreIn(R"(log: x\"y\nz)"));
  EXPECT_FALSE(words.AreIn("ab true n arguments"));
  words.Add("no message");
  words.Add(R"({"method":"ping"})");
  EXPECT_TRUE(words.AreIn("Anna"));
}

TEST(SentWords, KnowsALongValueByItsBeginningAndForgetsOldCalls) {
  SentWords words(StdioCommand{});
  const std::string value(1000, 'v');
  words.Add(R"({"params":{"arguments":{"a":")" + value + R"("}}})");
  EXPECT_TRUE(words.AreIn("cut: " + value.substr(0, 60) + "…"));
  for (std::size_t i = 0; i < SentWords::kCalls; ++i) words.Add(R"({"params":{"arguments":{}}})");
  EXPECT_FALSE(words.AreIn(value));
}

TEST(SentWords, KnowsWhatTheProgramWasGivenAndWhatPeopleAnswered) {
  StdioCommand command;
  command.environment = {{"KEY", "k\"ey-of-42"}, {"LEVEL", "info"}};
  SentWords words(command);
  EXPECT_TRUE(words.AreIn("starting with k\"ey-of-42"));
  EXPECT_TRUE(words.AreIn(R"({"key":"k\"ey-of-42"})"));
  EXPECT_FALSE(words.AreIn("info: it runs")) << "so short a value is in any line";
  words.Add(R"({"method":"tools/call","params":{"arguments":{},"_meta":{"writ/for":"eyJh.b.c"},
      "inputResponses":{"q":{"action":"accept","content":{"iban":"DE02 1203"}}}}})");
  EXPECT_TRUE(words.AreIn("for eyJh.b.c"));
  EXPECT_TRUE(words.AreIn("paid to DE02 1203"));
  for (std::size_t i = 0; i < SentWords::kCalls; ++i) words.Add(R"({"params":{"arguments":{}}})");
  EXPECT_TRUE(words.AreIn("k\"ey-of-42")) << "that is there for as long as the program";
}

}  // namespace
}  // namespace writ::connectors
