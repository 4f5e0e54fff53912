// `texts` of an agent.
#include <gtest/gtest.h>

#include "bot/config/config.h"
#include "tests/bot/config/small_config.h"

namespace writ::bot {
namespace {

const std::string kTexts = "/apps/0/agents/0/texts";

ConfigRead Read(std::string_view texts) {
  return ReadConfig(SmallConfigWith(kTexts, texts), NamedSecrets());
}

TEST(ConfigTexts, AreReadByLanguageAndName) {
  const ConfigRead read = Read(R"({"de": {"allow": "Erlauben"}, "en": {"decline": "No"}})");
  ASSERT_TRUE(read.config);
  const router::TextsByLanguage& texts = read.config->apps.at(0).agents.at(0).texts;
  EXPECT_EQ(texts.For("de").Say(router::TextKey::kAllow), "Erlauben");
  EXPECT_EQ(texts.For("de").Say(router::TextKey::kDecline), "No");
}

TEST(ConfigTexts, EachFaultIsNamedWithItsPlace) {
  EXPECT_EQ(
      PointersOf(Read(R"({"de": {"alow": "x", "ask": "{name}?", "allow": "{call}"}})")),
      (std::vector<std::string>{kTexts + "/de/alow", kTexts + "/de/ask", kTexts + "/de/allow"}));
  EXPECT_EQ(PointersOf(Read(R"({"de": {"allow": 7}})")),
            (std::vector<std::string>{kTexts + "/de/allow"}));
  EXPECT_FALSE(Read(R"({"GERMAN!": {}})").config);
}

}  // namespace
}  // namespace writ::bot
