#include "tests/arrows/arrows.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace writ::tests {
namespace {

namespace fs = std::filesystem;

std::string ReadFile(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Our sources, as paths from the root, which is where the tests run.
std::vector<std::string> Sources() {
  std::vector<std::string> sources;
  for (const char* top : {"bot", "connectors", "router", "store", "tests"}) {
    for (auto entry = fs::recursive_directory_iterator(top); entry != fs::end(entry); ++entry) {
      if (entry->path().filename() == "node_modules") {
        entry.disable_recursion_pending();
      } else if (entry->path().extension() == ".h" || entry->path().extension() == ".cc") {
        sources.push_back(entry->path().generic_string());
      }
    }
  }
  return sources;
}

std::vector<Arrow> OurArrows() { return ReadArrows(ReadFile("tests/arrows/arrows.txt")); }

TEST(Arrows, EveryIncludeHasAnArrow) {
  const std::vector<Arrow> arrows = OurArrows();
  const std::vector<std::string> sources = Sources();
  ASSERT_GT(sources.size(), 10U);
  for (const std::string& file : sources) {
    for (const std::string& fault : ForbiddenIncludes(arrows, file, ReadFile(file))) {
      ADD_FAILURE() << fault;
    }
  }
}

TEST(Arrows, AForbiddenIncludeIsFoundWithItsFileLineAndArrow) {
  EXPECT_EQ(ForbiddenIncludes(OurArrows(), "connectors/chat/stream/post.cc",
                              "#pragma once\n\n  #  include \"router/turn/turn.h\" // why\n"),
            std::vector<std::string>{"connectors/chat/stream/post.cc:3: includes "
                                     "router/turn/turn.h; tests/arrows/arrows.txt has no "
                                     "`connectors/chat/stream -> router/turn`"});
}

// What the layout is there for. It holds whatever is added to arrows.txt for a reason.
TEST(Arrows, NothingPointsToTheLeft) {
  const std::vector<Arrow> arrows = OurArrows();
  const std::vector<std::string> slices = {"flow", "approval", "turn", "model",
                                           "tool", "chat",     "base"};
  for (std::size_t from = 0; from < slices.size(); ++from) {
    const std::string file = "router/" + slices[from] + "/x.cc";
    for (std::size_t to = 0; to < slices.size(); ++to) {
      EXPECT_EQ(MayInclude(arrows, file, "router/" + slices[to] + "/y.h"), from <= to) << file;
    }
    for (const char* outer : {"bot/y.h", "connectors/http/y.h", "store/sqlite/y.h", "tests/y.h",
                              "<httplib.h>", "<curl/curl.h>", "<unistd.h>"}) {
      EXPECT_FALSE(MayInclude(arrows, file, outer)) << file << " -> " << outer;
    }
  }
  for (const char* hidden : {"router/turn/y.h", "router/approval/y.h", "router/flow/y.h",
                             "store/sqlite/y.h", "bot/y.h"}) {
    EXPECT_FALSE(MayInclude(arrows, "connectors/tool/mcp/x.cc", hidden)) << hidden;
  }
  for (const char* hidden : {"router/flow/y.h", "connectors/http/y.h", "bot/y.h", "<httplib.h>"}) {
    EXPECT_FALSE(MayInclude(arrows, "store/sqlite/x.cc", hidden)) << hidden;
  }
}

TEST(Arrows, APlaceIsAFolderOrAFileNeverABeginningOfAName) {
  const std::vector<Arrow> arrows = ReadArrows("a/b -> c/d <e/>\n");
  EXPECT_TRUE(MayInclude(arrows, "a/b/x.cc", "c/d/y.h"));
  EXPECT_TRUE(MayInclude(arrows, "a/b/x.cc", "<e/y.h>"));
  EXPECT_FALSE(MayInclude(arrows, "a/bc/x.cc", "c/d/y.h"));
  EXPECT_FALSE(MayInclude(arrows, "a/b/x.cc", "c/de/y.h"));
  EXPECT_FALSE(MayInclude(arrows, "a/b/x.cc", "<ef.h>"));
}

TEST(Arrows, ALineThatCantBeReadIsAnError) {
  EXPECT_THROW(static_cast<void>(ReadArrows("a b -> c\n")), std::runtime_error);
  EXPECT_THROW(static_cast<void>(ReadArrows("a ->\n")), std::runtime_error);
}

}  // namespace
}  // namespace writ::tests
