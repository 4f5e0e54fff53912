// The validator against the public JSON-Schema-Test-Suite (Debian's json-schema-test-suite, draft
// 7) and against our own cases of draft 2020-12, in the same form.
#include <gtest/gtest.h>

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

#include "router/base/json.h"
#include "tests/router/tool/schema/compile.h"

namespace writ::router {
namespace {

namespace fs = std::filesystem;

const fs::path kDraft7 = "/usr/share/json-schema-test-suite/tests/draft7";

struct Tally {
  std::size_t right = 0;
  std::size_t left_out = 0;
};

Json ReadJson(const fs::path& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return Parsed(text.str());
}

// A schema of the suite's draft 7 does not say so itself.
Json AsDraft7(const Json& schema) {
  Json marked = schema;
  if (marked.IsObject() && marked.Find("$schema") == nullptr) {
    marked.Set("$schema", "http://json-schema.org/draft-07/schema#");
  }
  return marked;
}

void RunGroup(const std::string& file, const Json& group, const Json& schema, Tally& tally) {
  for (const Json& test : group.Find("tests")->array()) {
    const std::string wanted = *test.BoolAt("valid") ? "valid" : "invalid";
    EXPECT_EQ(JudgedValue(schema, *test.Find("data")), wanted)
        << file << ": " << group.TextAt("description") << ": " << test.TextAt("description");
    ++tally.right;
  }
}

TEST(Suite, EveryCaseOfDraft7ThatNeedsNoOtherDocumentIsJudgedRight) {
  ASSERT_TRUE(fs::is_directory(kDraft7)) << "install json-schema-test-suite";
  // Each refers to a document that would have to be fetched.
  const std::set<std::string> kRemote{"valid definition", "invalid definition",
                                      "remote ref, containing refs itself"};
  Tally tally;
  for (const auto& entry : fs::directory_iterator(kDraft7)) {
    const std::string file = entry.path().filename();
    if (!entry.is_regular_file()) {
      continue;
    }
    const Json groups = ReadJson(entry.path());
    for (const Json& group : groups.array()) {
      const Json schema = AsDraft7(*group.Find("schema"));
      if (file == "refRemote.json" || kRemote.contains(group.TextAt("description"))) {
        for (const Json& test : group.Find("tests")->array()) {
          ++tally.left_out;
          EXPECT_EQ(JudgedValue(schema, *test.Find("data")), "fault")
              << group.TextAt("description");
        }
        continue;
      }
      RunGroup(file, group, schema, tally);
    }
  }
  EXPECT_EQ(tally.left_out, 19U);
  EXPECT_EQ(tally.right, 404U);
}

TEST(Suite, TheOptionalCasesOfNumbersAreJudgedRight) {
  Tally tally;
  for (const char* file : {"optional/bignum.json", "optional/zeroTerminatedFloats.json"}) {
    ASSERT_TRUE(fs::exists(kDraft7 / file)) << "install json-schema-test-suite";
    const Json groups = ReadJson(kDraft7 / file);
    for (const Json& group : groups.array()) {
      RunGroup(file, group, AsDraft7(*group.Find("schema")), tally);
    }
  }
  EXPECT_EQ(tally.right, 10U);
}

TEST(Suite, OurCasesOfDraft202012AreJudgedRight) {
  Tally tally;
  const Json groups = ReadJson("tests/data/schema/2020-12.json");
  for (const Json& group : groups.array()) {
    RunGroup("2020-12.json", group, *group.Find("schema"), tally);
  }
  EXPECT_GE(tally.right, 150U);
}

}  // namespace
}  // namespace writ::router
