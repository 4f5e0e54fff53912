#include "router/tool/shelf.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "router/base/digest.h"
#include "tests/router/tool/a_shelf.h"

namespace writ::router {
namespace {

using tests::ABinding;
using tests::AShelf;
using tests::ATool;

std::vector<std::string> OfferedNames(const Shelf& shelf) {
  std::vector<std::string> names;
  for (const ShelvedTool* tool : shelf.Offered()) names.push_back(tool->tool.name);
  return names;
}

TEST(Shelf, OffersAllowedToolsInTheConnectorsOrder) {
  Binding binding = ABinding();
  binding.allow = {"echo", "drop_*", "ask"};
  binding.deny = {"drop_table"};
  const Shelf shelf = AShelf(binding, {ATool("echo"), ATool("drop_table"), ATool("drop_row"),
                                       ATool("other"), ATool("ask")});
  EXPECT_EQ(OfferedNames(shelf), (std::vector<std::string>{"echo", "drop_row", "ask"}));
  ASSERT_NE(shelf.Find("drop_table"), nullptr);
  EXPECT_FALSE(shelf.Find("drop_table")->allowed);
  EXPECT_EQ(shelf.Find("nothing"), nullptr);
}

TEST(Shelf, NamesToolsAsPeopleAndRecordsHaveThem) {
  const Shelf shelf = AShelf(ABinding(), {ATool("echo")});
  EXPECT_EQ(shelf.Find("echo")->name, "crm__echo");
}

TEST(Shelf, AToolWhoseSchemaCannotBeReadIsNotOffered) {
  const Shelf shelf = AShelf(ABinding(), {ATool("bad", R"({"type":"objekt"})"), ATool("echo")});
  EXPECT_EQ(OfferedNames(shelf), std::vector<std::string>{"echo"});
  ASSERT_NE(shelf.Find("bad"), nullptr);
  EXPECT_FALSE(shelf.Find("bad")->schema_fault.empty());
}

TEST(Shelf, TheDigestIsThatOfTheSchemasCanonicalText) {
  const Shelf one = AShelf(ABinding(), {ATool("echo", R"({"type":"object","title":"T"})")});
  const Shelf two = AShelf(ABinding(), {ATool("echo", R"({"title":"T","type":"object"})")});
  EXPECT_EQ(one.Find("echo")->schema_digest, Sha256Hex(R"({"title":"T","type":"object"})"));
  EXPECT_EQ(one.Find("echo")->schema_digest, two.Find("echo")->schema_digest);
}

TEST(Shelf, ANameListedTwiceMeansTheFirst) {
  const Shelf shelf =
      AShelf(ABinding(), {ATool("echo", R"({"type":"object","title":"first"})"), ATool("echo")});
  EXPECT_EQ(OfferedNames(shelf).size(), 1U);
  EXPECT_EQ(shelf.Find("echo")->tool.input_schema.TextAt("title"), "first");
}

TEST(Shelf, AMisspeltRuleMakesTheConnectorFailing) {
  Binding binding = ABinding();
  binding.hold = {{.tool = "echo", .when = {}, .hint = ""},
                  {.tool = "refnud", .when = {}, .hint = ""}};
  const Shelf shelf = AShelf(binding, {ATool("echo"), ATool("refund")});
  EXPECT_EQ(shelf.failing(), "refnud");
  EXPECT_TRUE(shelf.Offered().empty());
}

TEST(Shelf, ARuleForADeniedToolOrWithAWildcardFailsNothing) {
  Binding binding = ABinding();
  binding.deny = {"echo"};
  binding.hold = {{.tool = "echo", .when = {}, .hint = ""},
                  {.tool = "refund_*", .when = {}, .hint = ""}};
  EXPECT_FALSE(AShelf(binding, {ATool("echo")}).failing());
}

TEST(Shelf, IdempotentIsTheBindingsWordOrATrustedServers) {
  Tool lookup = ATool("lookup");
  Tool hinted = ATool("hinted");
  hinted.idempotent_hint = true;
  Binding binding = ABinding();
  binding.idempotent = {"look*"};
  const Shelf untrusted = AShelf(binding, {lookup, hinted});
  EXPECT_TRUE(untrusted.Find("lookup")->idempotent);
  EXPECT_FALSE(untrusted.Find("hinted")->idempotent);
  binding.trusted = true;
  EXPECT_TRUE(AShelf(binding, {lookup, hinted}).Find("hinted")->idempotent);
}

TEST(Shelf, ADenyRuleThatMatchesNoToolMakesTheConnectorFailing) {
  Binding binding = ABinding();
  binding.before_call.deny = {{.tool = "refnud", .when = {}, .reason = ""}};
  const Shelf shelf = AShelf(binding, {ATool("refund")});
  EXPECT_EQ(shelf.failing(), "refnud");
  EXPECT_TRUE(shelf.Offered().empty());
  binding.before_call.deny[0].tool = "refn*";
  EXPECT_FALSE(AShelf(binding, {ATool("refund")}).failing());
}

}  // namespace
}  // namespace writ::router
