#include "router/tool/show_arguments.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/router/tool/a_shelf.h"

namespace writ::router {
namespace {

using tests::ABinding;
using tests::AShelf;
using tests::ATool;
using tests::Parsed;

ShownArguments Show(const Binding& binding, std::string_view arguments,
                    std::string_view schema = R"({"type":"object"})") {
  const Shelf shelf = AShelf(binding, {ATool("echo", schema)});
  return ShowArgumentsOf(binding, *shelf.Find("echo"), Parsed(arguments));
}

TEST(ShowArguments, OneLineAValueInTheCanonicalOrderOfKeys) {
  const auto shown =
      Show(ABinding(), R"({"b":{"c":[1,{"d":true}],"a":null},"a":"hi","e":{},"f":[]})");
  EXPECT_EQ(shown.text, "a: \"hi\"\nb.a: null\nb.c[0]: 1\nb.c[1].d: true\ne: {}\nf: []");
  EXPECT_FALSE(shown.cut);
}

TEST(ShowArguments, NoArgumentsAreShownAsSuch) { EXPECT_EQ(Show(ABinding(), "{}").text, "{}"); }

TEST(ShowArguments, WhatCannotBeSeenIsVisible) {
  EXPECT_EQ(Show(ABinding(), R"({"to":"a\u202emoc.live","x":"a\u200b\u2028b\n"})").text,
            "to: \"a\\u202emoc.live\"\nx: \"a\\u200b\\u2028b\\n\"");
  EXPECT_EQ(Show(ABinding(), "{\"to\":\"tag\xF3\xA0\x81\x81\"}").text, "to: \"tag\\U000e0041\"");
  EXPECT_EQ(Show(ABinding(), R"({"to":"typed \\u202e"})").text, "to: \"typed \\\\u202e\"")
      << "typed out it looks different";
}

TEST(ShowArguments, NoKeyOrValueCanPassForAnotherLine) {
  EXPECT_EQ(Show(ABinding(), R"({"a: 1\nb":"x\nc: 2","d.e":1,"":2})").text,
            "[\"\"]: 2\n[\"a: 1\\nb\"]: \"x\\nc: 2\"\n[\"d.e\"]: 1");
}

TEST(ShowArguments, HidesWhatTheSchemaCallsSecretInAnyBranchThatMayApply) {
  const auto shown =
      Show(ABinding(),
           R"({"user":"anya","password":"s3cr3t","deep":[{"pin":"s3cr3t"}],"obj":{"k":"s3cr3t"}})",
           R"({"type":"object","properties":{
            "password":{"type":"string","format":"password"},
            "deep":{"items":{"anyOf":[{"properties":{"pin":{"writeOnly":true}}},true]}},
            "obj":{"writeOnly":true}}})");
  EXPECT_EQ(shown.text, "deep[0].pin: •••\nobj: •••\npassword: •••\nuser: \"anya\"");
}

TEST(ShowArguments, HidesWhatTheBindingNamesWithAStarForAnyKeyOrIndex) {
  Binding binding = ABinding();
  binding.redact = {"/a/*/token", "/list/0", "/odd~1key", "/tree/*"};
  const auto shown = Show(
      binding,
      R"({"a":{"x":{"token":"s"},"y":{"token":"s","id":1}},"list":["s",2],"odd/key":"s","tree":{"l":{"m":1}},"token":"seen"})");
  EXPECT_EQ(shown.text,
            "a.x.token: •••\na.y.id: 1\na.y.token: •••\nlist[0]: •••\nlist[1]: 2\nodd/key: •••\n"
            "token: \"seen\"\ntree.l: •••");
}

TEST(ShowArguments, WhatIsHiddenIsBoundByTheDigestAllTheSame) {
  constexpr std::string_view kSecret =
      R"({"type":"object","properties":{"pin":{"type":"string","writeOnly":true}}})";
  EXPECT_EQ(Show(ABinding(), R"({"pin":"1"})", kSecret).text, "pin: •••");
  EXPECT_EQ(Show(ABinding(), R"({"pin":"2"})", kSecret).text, "pin: •••");
  EXPECT_NE(Parsed(R"({"pin":"1"})").Canonical(), Parsed(R"({"pin":"2"})").Canonical())
      << "which is what the digest is made of";
  EXPECT_EQ(Show(ABinding(), R"({"pin":"•••"})").text, "pin: \"•••\"")
      << "what was written so stands in quotes";
}

TEST(ShowArguments, AllShowsAllAndNoneNothing) {
  Binding binding = ABinding();
  binding.redact = {"/a"};
  binding.show_arguments = ShowArguments::kAll;
  EXPECT_EQ(Show(binding, R"({"a":"x"})").text, "a: \"x\"");
  binding.show_arguments = ShowArguments::kNone;
  EXPECT_EQ(Show(binding, R"({"a":"x"})").text, "");
}

TEST(ShowArguments, WithoutASchemaNobodyCanSayWhatIsSecret) {
  EXPECT_EQ(Show(ABinding(), R"({"a":"s3cr3t"})", R"({"type":7})").text, "•••");
}

TEST(ShowArguments, KeysAndShortScalarsAreNeverCut) {
  const std::string key(5000, 'k');
  const std::string value(64, 'v');
  const auto shown = Show(ABinding(), R"({")" + key + R"(":")" + value + R"("})");
  EXPECT_EQ(shown.text, key + ": \"" + value + "\"");
  EXPECT_FALSE(shown.cut);
}

TEST(ShowArguments, AVeryLongValueIsCutAtACharacterAndSaysSo) {
  std::string value;
  for (int i = 0; i < 3000; ++i) value += "ü";
  const auto shown = Show(ABinding(), R"({"a":")" + value + R"(","b":1})");
  EXPECT_TRUE(shown.cut);
  EXPECT_TRUE(shown.text.starts_with("a: \"üü"));
  EXPECT_NE(shown.text.find("üü\"…\"üü"), std::string::npos);
  EXPECT_TRUE(shown.text.ends_with("ü\" (3000 characters)\nb: 1")) << shown.text;
}

TEST(ShowArguments, HostileArgumentsDoNotMakeGigabytes) {
  std::string arguments = R"({")" + std::string(300'000, 'k') + R"(":[)";
  for (int i = 0; i < 5000; ++i) arguments += "1,";
  arguments += "1]}";
  const auto shown = Show(ABinding(), arguments);
  EXPECT_TRUE(shown.cut);
  EXPECT_LT(shown.text.size(), 1'000'000U);
}

}  // namespace
}  // namespace writ::router
