// What binds a record to what was asked: the digest that Python prints, and that nothing disagrees.
#include "router/turn/approval_record.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

#include "router/base/json.h"

namespace writ::router {
namespace {

TEST(DigestOfACall, IsPythonsOfEachVector) {
  std::ifstream file("tests/data/samples/digest/vectors.json", std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  const auto vectors = ParseJson(text);
  ASSERT_TRUE(vectors.value) << vectors.fault;
  ASSERT_GE(vectors.value->array().size(), 18U);
  for (const Json& vector : vectors.value->array()) {
    const auto arguments = ParseJson(vector.TextAt("arguments_json"));
    ASSERT_TRUE(arguments.value) << arguments.fault;
    EXPECT_EQ(DigestOf(arguments.value->Canonical(), vector.TextAt("kind"), vector.TextAt("tool")),
              vector.TextAt("sha256"))
        << vector.TextAt("name");
  }
}

// printed by Python 3's json and hashlib
TEST(DigestOfACall, BindsTheKindAndTheTool) {
  const std::string arguments = R"({"a":1})";
  EXPECT_EQ(DigestOf(arguments, "tool", "crm__echo"),
            "5b02e7d1f2cf4403e232ffb7e1729bb800c0540bf8b3659bebf3d0f59550d94a");
  EXPECT_EQ(DigestOf(arguments, "input", "crm__echo"),
            "7c2c829e5cac6158d44742bee5caa7148e2ac4a39440eb1c1012f4c9b0458e8d");
  EXPECT_EQ(DigestOf(arguments, "tool", "crm__\"e\"ä"),
            "2dfb44102cc41bb8f206491dab62231cb09db782e6d7329f16dbbca290079d0c");
}

ApprovalRecord ARecord() {
  ApprovalRecord record;
  record.kind = "tool";
  record.tool = "crm__echo";
  record.arguments = R"({"a":1})";
  record.args_digest = DigestOf(record.arguments, record.kind, record.tool);
  return record;
}

TEST(Intact, IsARecordWhoseDigestIsThatOfItsArgumentsKindAndTool) {
  EXPECT_TRUE(IsIntact(ARecord()));
  ApprovalRecord other = ARecord();
  other.arguments = R"({"a":2})";
  EXPECT_FALSE(IsIntact(other));
  other = ARecord();
  other.kind = "input";
  EXPECT_FALSE(IsIntact(other));
  other = ARecord();
  other.tool = "crm__pay";
  EXPECT_FALSE(IsIntact(other));
  other = ARecord();
  other.args_digest.clear();
  EXPECT_FALSE(IsIntact(other));
}

TEST(Intact, IsAnEditWhoseDigestIsItsOwn) {
  ApprovalRecord record = ARecord();
  Decision& decision = record.decision.emplace();
  decision.approved = true;
  EXPECT_TRUE(IsIntact(record));
  decision.edited_arguments = R"({"a":2})";
  decision.edited_digest = record.args_digest;
  EXPECT_FALSE(IsIntact(record)) << "that of what was asked";
  decision.edited_digest = DigestOf(decision.edited_arguments, record.kind, record.tool);
  EXPECT_TRUE(IsIntact(record));
}

}  // namespace
}  // namespace writ::router
