#include "router/turn/texts.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

#include "router/turn/sentences.h"

namespace writ::router {
namespace {

TEST(Texts, EachEnglishSentenceIsOneThatTheConfigurationMaySay) {
  for (const TextRule& rule : TextRules()) {
    EXPECT_EQ(Texts::FaultOf(rule.name, rule.english), std::nullopt) << rule.name;
  }
}

TEST(Texts, ATemplateThatHidesTheCallOrThePersonIsRefused) {
  EXPECT_EQ(Texts::FaultOf("ask", "{name}: {call}?"), std::nullopt);
  EXPECT_EQ(Texts::FaultOf("ask", "{name}, please."), "must hold {call}");
  EXPECT_EQ(Texts::FaultOf("ask", "Allow {call}?"), "must hold {name}");
  EXPECT_EQ(Texts::FaultOf("see_whole_at", "Elsewhere."), "must hold {link}");
  EXPECT_EQ(Texts::FaultOf("ask", "{name} \u202E{call}"), "holds characters that can't be seen");
  EXPECT_EQ(Texts::FaultOf("ask", "{name}\u00A0: {call}"), std::nullopt);
}

TEST(Texts, UnknownNamesPlaceholdersAndLooseBracesAreFaults) {
  EXPECT_EQ(Texts::FaultOf("asks", "x"), "is no text that is said");
  EXPECT_EQ(Texts::FaultOf("allow", "{call}"), "knows no placeholder {call}");
  EXPECT_EQ(Texts::FaultOf("allow", "a } b"), "has a brace that belongs to no {placeholder}");
  EXPECT_EQ(Texts::FaultOf("allow", "a { b"), "has a brace that belongs to no {placeholder}");
  EXPECT_EQ(Texts::FaultOf("allow", " "), "must say something");
  EXPECT_EQ(Texts::FaultOf("allow", std::string(501, 'x')), "must have at most 500 characters");
}

TEST(Texts, AValueIsNeverTakenForAPlaceholder) {
  Texts texts;
  texts.Set("ask", "{call} fragt {name}");
  EXPECT_EQ(texts.Say(TextKey::kAsk, {{"name", "{call}"}, {"call", "{name}{x}"}}),
            "{name}{x} fragt {call}");
}

TEST(Texts, ALanguageIsFoundByItsWholeNameThenByItsFirstPart) {
  const TextsByLanguage texts(
      {{"en", {{"allow", "Yes"}, {"decline", "No"}}}, {"de", {{"allow", "Erlauben"}}}});
  EXPECT_EQ(texts.For("de").Say(TextKey::kAllow), "Erlauben");
  EXPECT_EQ(texts.For("de-AT").Say(TextKey::kAllow), "Erlauben");
  EXPECT_EQ(texts.For("de").Say(TextKey::kDecline), "No") << "as en has it";
  EXPECT_EQ(texts.For("fr").Say(TextKey::kAllow), "Yes");
  EXPECT_EQ(texts.For("").Say(TextKey::kAllow), "Yes");
  EXPECT_EQ(TextsByLanguage().For("de").Say(TextKey::kAllow), "Allow");
}

TEST(Texts, OurOwnRepliesAreSaidInTheseWordsAndNobodyElses) {
  Texts texts;
  texts.Set("turn_cancelled", "Abgebrochen.");
  texts.Set("cut_off", "[Hier abgeschnitten.]");
  EXPECT_EQ(texts.InTheseWords(kTurnCancelled), "Abgebrochen.");
  EXPECT_EQ(texts.InTheseWords("half" + std::string(kCutOffMark)), "half\n\n[Hier abgeschnitten.]");
  EXPECT_EQ(texts.InTheseWords("Hello."), "Hello.");
  EXPECT_EQ(Texts().InTheseWords("half" + std::string(kCutOffMark)),
            "half" + std::string(kCutOffMark));
}

// docs/texts.md has a row for each: its name, its English words and its placeholders.
TEST(Texts, TheDocumentNamesEachAndNothingElse) {
  std::ifstream file("docs/texts.md");
  const std::string document{std::istreambuf_iterator<char>(file), {}};
  ASSERT_FALSE(document.empty());
  std::size_t rows = 0;
  for (auto at = document.find("\n| `"); at != std::string::npos;
       at = document.find("\n| `", at + 1)) {
    ++rows;
  }
  EXPECT_EQ(rows, TextRules().size());
  for (const TextRule& rule : TextRules()) {
    std::string placeholders;
    std::string_view rest = rule.placeholders;
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find(' '), rest.size());
      std::string name(rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
      const bool required = name.ends_with('!');
      if (required) name.pop_back();
      placeholders +=
          (placeholders.empty() ? "" : ", ") + (required ? "**`" + name + "`**" : "`" + name + "`");
    }
    const std::string row = "\n| `" + std::string(rule.name) + "` | " + std::string(rule.english) +
                            " |" + (placeholders.empty() ? "" : " " + placeholders) + " |";
    EXPECT_NE(document.find(row), std::string::npos) << row;
  }
}

}  // namespace
}  // namespace writ::router
