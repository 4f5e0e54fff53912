#include "router/tool/schema/uri.h"

#include <gtest/gtest.h>

#include <optional>

namespace writ::router::schema {
namespace {

TEST(Uri, ResolvesTheExamplesOfRfc3986) {
  constexpr std::string_view kBase = "http://a/b/c/d;p?q";
  const auto resolve = [&](std::string_view reference) {
    return ResolveReference(kBase, reference);
  };
  EXPECT_EQ(resolve("g:h"), "g:h");
  EXPECT_EQ(resolve("g"), "http://a/b/c/g");
  EXPECT_EQ(resolve("./g"), "http://a/b/c/g");
  EXPECT_EQ(resolve("g/"), "http://a/b/c/g/");
  EXPECT_EQ(resolve("/g"), "http://a/g");
  EXPECT_EQ(resolve("//g"), "http://g");
  EXPECT_EQ(resolve("?y"), "http://a/b/c/d;p?y");
  EXPECT_EQ(resolve("g?y"), "http://a/b/c/g?y");
  EXPECT_EQ(resolve(""), "http://a/b/c/d;p?q");
  EXPECT_EQ(resolve("."), "http://a/b/c/");
  EXPECT_EQ(resolve(".."), "http://a/b/");
  EXPECT_EQ(resolve("../g"), "http://a/b/g");
  EXPECT_EQ(resolve("../../../g"), "http://a/g");
  EXPECT_EQ(resolve("/./g"), "http://a/g");
  EXPECT_EQ(resolve("g/../h"), "http://a/b/c/h");
}

TEST(Uri, ABaseWithoutAPathOrWithoutAnAuthorityWorksToo) {
  EXPECT_EQ(ResolveReference("http://a", "g"), "http://a/g");
  EXPECT_EQ(ResolveReference("urn:x:y", "urn:x:z"), "urn:x:z");
  EXPECT_EQ(ResolveReference("urn:x:y", ""), "urn:x:y");
}

TEST(Uri, SplitsTheFragmentOff) {
  EXPECT_EQ(SplitFragment("a#b#c").uri, "a");
  EXPECT_EQ(SplitFragment("a#b#c").fragment, "b#c");
  EXPECT_EQ(SplitFragment("a").fragment, "");
}

TEST(Uri, DecodesWhatIsPercentEncoded) {
  EXPECT_EQ(PercentDecode("a%20b%C3%a9"), "a b\u00e9");
  EXPECT_EQ(PercentDecode("100%"), std::nullopt);
  EXPECT_EQ(PercentDecode("%zz"), std::nullopt);
}

}  // namespace
}  // namespace writ::router::schema
