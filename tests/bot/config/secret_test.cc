#include "bot/config/secret.h"

#include <gtest/gtest.h>

#include <ostream>
#include <string>

#include "bot/config/config.h"
#include "tests/bot/config/small_config.h"

namespace writ::bot {
namespace {

template <class T>
concept Prints = requires(std::ostream& out, const T& value) {
  out << value;
};
static_assert(Prints<std::string> && !Prints<Secret>, "a secret prints nowhere");

std::string SecretAs(std::string_view value, const SecretSource& secrets) {
  const ConfigRead read =
      ReadConfig(SmallConfigWith("/apps/0/platform/api_secret", value), secrets);
  return read.config ? read.config->apps[0].api_secret.Reveal()
                     : "fault at " + read.faults.at(0).pointer;
}

TEST(Secret, StandsInTheFileInTheEnvironmentOrInAFileOfItsOwn) {
  const SecretSource secrets = NamedSecrets({{"S", "from env"}, {"EMPTY", ""}},
                                            {{"/run/s", "from file\r\n"}, {"/run/e", "\n"}});
  EXPECT_EQ(SecretAs(R"("itself")", secrets), "itself");
  EXPECT_EQ(SecretAs(R"({"env": "S"})", secrets), "from env");
  EXPECT_EQ(SecretAs(R"({"file": "/run/s"})", secrets), "from file");
  const std::string fault = "fault at /apps/0/platform/api_secret";
  EXPECT_EQ(SecretAs(R"({"env": "T"})", secrets), fault);
  EXPECT_EQ(SecretAs(R"({"env": "EMPTY"})", secrets), fault);
  EXPECT_EQ(SecretAs(R"({"file": "/run/t"})", secrets), fault);
  EXPECT_EQ(SecretAs(R"({"file": "/run/e"})", secrets), fault);
  EXPECT_EQ(SecretAs(R"({"env": "S", "file": "/run/s"})", secrets), fault);
  EXPECT_EQ(SecretAs("{}", secrets), fault);
}

TEST(Secret, OnlyOneLineBreakOfAFileIsLeftOut) {
  EXPECT_EQ(SecretAs(R"({"file": "f"})", NamedSecrets({}, {{"f", " a\n\n"}})), " a\n");
}

TEST(Secret, TheProcessReadsItsOwnFilesAndKnowsWhatIsMissing) {
  const SecretSource secrets = ProcessSecrets();
  EXPECT_TRUE(secrets.file("config/writ.schema.json").value_or("").starts_with('{'));
  EXPECT_EQ(secrets.file("config/no-such-file"), std::nullopt);
  EXPECT_EQ(secrets.file("config"), std::nullopt);  // a folder opens and can't be read
  EXPECT_TRUE(secrets.environment("PATH"));
  EXPECT_EQ(secrets.environment("WRIT_NO_SUCH_NAME"), std::nullopt);
}

}  // namespace
}  // namespace writ::bot
