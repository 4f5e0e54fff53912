#include "router/tool/gate.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/router/tool/a_shelf.h"

namespace writ::router {
namespace {

using tests::ABinding;
using tests::AShelf;
using tests::ATool;
using tests::Parsed;
using tests::SchemaOf;
using Verdict = Gated::Verdict;

constexpr std::string_view kRefundSchema =
    R"({"type":"object","properties":{"amount":{"type":"number"}},"required":["amount"]})";
Gated GateOf(const Shelf& shelf, const std::string& tool, std::string_view arguments) {
  return Gate(shelf, shelf.Find(tool), arguments);
}

Binding Holding(ApprovalRule rule) {
  Binding binding = ABinding();
  binding.hold = {std::move(rule)};
  return binding;
}

// Arguments of so many levels.
std::string Nested(std::size_t levels) {
  std::string text = "1";
  for (std::size_t i = 0; i < levels; ++i) text = R"({"a":)" + text + "}";
  return text;
}

TEST(Gate, ReadsTheArgumentsIntoTheirCanonicalText) {
  const Gated gated = GateOf(AShelf(ABinding(), {ATool("echo")}), "echo", R"({"b": 1.10, "a":-0})");
  EXPECT_EQ(gated.verdict, Verdict::kFree);
  EXPECT_EQ(gated.canonical, R"({"a":0,"b":1.1})");
}

TEST(Gate, TakesNothingForTheEmptyObjectWhereTheSchemaAllowsIt) {
  const Shelf shelf = AShelf(ABinding(), {ATool("echo"), ATool("refund", kRefundSchema)});
  EXPECT_EQ(GateOf(shelf, "echo", "").verdict, Verdict::kFree);
  EXPECT_EQ(GateOf(shelf, "echo", "").canonical, "{}");
  EXPECT_EQ(GateOf(shelf, "refund", "").status, "invalid_arguments");
}

TEST(Gate, RefusesWhatIsNoJsonObject) {
  const Shelf shelf = AShelf(ABinding(), {ATool("echo")});
  for (const std::string text :
       {"null", "[]", "7", R"("{}")", R"({"a":1)", R"({"a":1} trailing)", " ", R"({"a":1,"a":2})",
        R"({"a":"\ud83d"})", R"({"a":1e999})", R"({"a":NaN})", "{\"a\":\"\xff\"}"}) {
    const Gated gated = GateOf(shelf, "echo", text);
    EXPECT_EQ(gated.verdict, Verdict::kRefused) << text;
    EXPECT_EQ(gated.status, "invalid_arguments") << text;
    EXPECT_TRUE(gated.canonical.empty()) << text;
  }
}

TEST(Gate, Takes256LevelsAndNotOneMore) {
  const Shelf shelf = AShelf(ABinding(), {ATool("echo")});
  EXPECT_EQ(GateOf(shelf, "echo", Nested(256)).verdict, Verdict::kFree);
  EXPECT_EQ(GateOf(shelf, "echo", Nested(257)).status, "invalid_arguments");
}

TEST(Gate, NamesPlaceAndRuleOfAtMostFiveFaultsAndNoValue) {
  std::string schema = R"({"type":"object","additionalProperties":{"type":"number"}})";
  const Shelf shelf = AShelf(ABinding(), {ATool("pay", schema)});
  const Gated gated =
      GateOf(shelf, "pay",
             R"({"a":"s3cr3t","b":"s3cr3t","c":"s3cr3t","d":"s3cr3t","e":"s3cr3t","f":"s3cr3t"})");
  EXPECT_EQ(gated.status, "invalid_arguments");
  EXPECT_NE(gated.reason.find("/a: "), std::string::npos) << gated.reason;
  EXPECT_NE(gated.reason.find("/e: "), std::string::npos) << gated.reason;
  EXPECT_EQ(gated.reason.find("/f: "), std::string::npos) << gated.reason;
  EXPECT_EQ(gated.reason.find("s3cr3t"), std::string::npos) << gated.reason;
}

TEST(Gate, AToolThatIsNotThereIsUnknownAndOneNotAllowedIsBlocked) {
  Binding binding = ABinding();
  binding.deny = {"drop_table"};
  const Shelf shelf = AShelf(binding, {ATool("echo"), ATool("drop_table")});
  const Gated unknown = GateOf(shelf, "nothing", "{}");
  EXPECT_EQ(unknown.status, "unknown_tool");
  EXPECT_NE(unknown.reason.find("echo"), std::string::npos);
  EXPECT_EQ(unknown.reason.find("drop_table"), std::string::npos) << "it is not offered";
  EXPECT_EQ(GateOf(shelf, "drop_table", "{").status, "blocked");
}

TEST(Gate, NoToolOfAFailingConnectorRuns) {
  const Shelf shelf = AShelf(Holding({.tool = "refnud", .when = {}, .hint = ""}), {ATool("echo")});
  EXPECT_EQ(GateOf(shelf, "echo", "{}").status, "unknown_tool");
  EXPECT_EQ(GateNow(shelf, "echo", shelf.Find("echo")->schema_digest, "{}")->status,
            "unknown_tool");
}

TEST(Gate, WhatTheSchemaCannotJudgeIsNeverValid) {
  Tool tool = ATool("pay", R"({"$ref":"#/$defs/loop","$defs":{"loop":{"$ref":"#/$defs/loop"}}})");
  const Shelf shelf = AShelf(ABinding(), {tool});
  ASSERT_TRUE(shelf.Find("pay")->schema);
  const Gated gated = GateOf(shelf, "pay", "{}");
  EXPECT_EQ(gated.status, "invalid_arguments");
  EXPECT_NE(gated.reason.find("could not be checked"), std::string::npos);
}

TEST(Gate, HoldsWhatARuleNamesAndTellsItsHint) {
  const Shelf shelf = AShelf(Holding({.tool = "re*", .when = {}, .hint = "Money leaves."}),
                             {ATool("refund"), ATool("echo")});
  EXPECT_EQ(GateOf(shelf, "refund", "{}").verdict, Verdict::kHeld);
  EXPECT_EQ(GateOf(shelf, "refund", "{}").hint, "Money leaves.");
  EXPECT_EQ(GateOf(shelf, "echo", "{}").verdict, Verdict::kFree);
}

TEST(Gate, HoldsWhereTheArgumentsAreThoseOfTheRule) {
  const Shelf shelf =
      AShelf(Holding({.tool = "refund",
                      .when = SchemaOf(R"({"properties":{"amount":{"exclusiveMinimum":100}}})"),
                      .hint = ""}),
             {ATool("refund", kRefundSchema)});
  EXPECT_EQ(GateOf(shelf, "refund", R"({"amount":100})").verdict, Verdict::kFree);
  EXPECT_EQ(GateOf(shelf, "refund", R"({"amount":100.000000000000000000001})").verdict,
            Verdict::kFree)
      << "what is judged is the canonical number, and that is 100.0";
  EXPECT_EQ(GateOf(shelf, "refund", R"({"amount":101})").verdict, Verdict::kHeld);
}

TEST(Gate, ARuleThatCannotBeJudgedRunsNothingAndHoldsNothing) {
  const Schema loop = SchemaOf(R"({"$ref":"#/$defs/a","$defs":{"a":{"$ref":"#/$defs/a"}}})");
  Binding binding = Holding({.tool = "refund", .when = loop, .hint = ""});
  const Gated gated =
      GateOf(AShelf(binding, {ATool("refund", kRefundSchema)}), "refund", R"({"amount":1})");
  EXPECT_EQ(gated.verdict, Verdict::kFaulty);
  EXPECT_EQ(gated.status, "failed");
}

TEST(Gate, UnlessReadOnlyBelievesTrustedServersAlone) {
  Tool lookup = ATool("lookup");
  lookup.read_only_hint = true;
  Binding binding = ABinding();
  binding.hold_unless_read_only = true;
  EXPECT_EQ(GateOf(AShelf(binding, {lookup}), "lookup", "{}").verdict, Verdict::kHeld);
  binding.trusted = true;
  EXPECT_EQ(GateOf(AShelf(binding, {lookup}), "lookup", "{}").verdict, Verdict::kFree);
  EXPECT_EQ(GateOf(AShelf(binding, {ATool("write")}), "write", "{}").verdict, Verdict::kHeld);
}

TEST(Gate, AHintLowersNoOtherRuleEvenOfATrustedServer) {
  Tool lookup = ATool("lookup");
  lookup.read_only_hint = true;
  Binding binding = ABinding();
  binding.trusted = true;
  binding.hold_all = true;
  EXPECT_EQ(GateOf(AShelf(binding, {lookup}), "lookup", "{}").verdict, Verdict::kHeld);
  Binding named = Holding({.tool = "look*", .when = {}, .hint = ""});
  named.trusted = true;
  EXPECT_EQ(GateOf(AShelf(named, {lookup}), "lookup", "{}").verdict, Verdict::kHeld);
  named.deny = {"lookup"};
  EXPECT_EQ(GateOf(AShelf(named, {lookup}), "lookup", "{}").status, "blocked");
}

TEST(Gate, HoldAllHoldsAll) {
  Binding binding = ABinding();
  binding.hold_all = true;
  EXPECT_EQ(GateOf(AShelf(binding, {ATool("echo")}), "echo", "{}").verdict, Verdict::kHeld);
}

Binding Denying(DenyRule rule) {
  Binding binding = ABinding();
  binding.before_call.deny = {std::move(rule)};
  return binding;
}

TEST(Gate, ADenyRuleBlocksTheArgumentsItNamesAndSaysWhy) {
  const Shelf shelf =
      AShelf(Denying({.tool = "re*",
                      .when = SchemaOf(R"({"properties":{"amount":{"exclusiveMinimum":1000}}})"),
                      .reason = "more than anybody may refund"}),
             {ATool("refund", kRefundSchema), ATool("echo")});
  EXPECT_EQ(GateOf(shelf, "refund", R"({"amount":1000})").verdict, Verdict::kFree);
  EXPECT_EQ(GateOf(shelf, "echo", R"({"amount":1001})").verdict, Verdict::kFree);
  const Gated gated = GateOf(shelf, "refund", R"({"amount":1001})");
  EXPECT_EQ(gated.verdict, Verdict::kRefused);
  EXPECT_EQ(gated.status, "blocked");
  EXPECT_EQ(gated.reason, "more than anybody may refund");
  EXPECT_EQ(gated.rule, "/before_call/deny/0");
}

TEST(Gate, ADenyRuleStandsBeforeTheApprovalRule) {
  Binding binding = Denying({.tool = "echo", .when = {}, .reason = ""});
  binding.hold_all = true;
  EXPECT_EQ(GateOf(AShelf(binding, {ATool("echo")}), "echo", "{}").status, "blocked");
}

TEST(Gate, ADenyRuleThatCannotBeJudgedRunsNothing) {
  const Schema loop = SchemaOf(R"({"$ref":"#/$defs/a","$defs":{"a":{"$ref":"#/$defs/a"}}})");
  const Shelf shelf = AShelf(Denying({.tool = "*", .when = loop, .reason = ""}), {ATool("echo")});
  const Gated gated = GateOf(shelf, "echo", "{}");
  EXPECT_EQ(gated.verdict, Verdict::kFaulty);
  EXPECT_EQ(gated.status, "failed");
  EXPECT_EQ(GateNow(shelf, "echo", shelf.Find("echo")->schema_digest, "{}")->status, "failed");
  EXPECT_EQ(CheckEdit(shelf.binding(), *shelf.Find("echo"), Parsed("{}")).size(), 1U);
}

TEST(Gate, ArgumentsMayBeAsLongAsTheBindingSays) {
  Binding binding = ABinding();
  binding.before_call.max_arguments_bytes = 10;
  const Shelf shelf = AShelf(binding, {ATool("echo")});
  EXPECT_EQ(GateOf(shelf, "echo", R"({ "a" : "12" })").verdict, Verdict::kFree);  // 10 as sent
  EXPECT_EQ(GateOf(shelf, "echo", R"({"a":"123"})").status, "blocked");
}

TEST(GateNow, DeniesByTheRulesOfNowAndOfWhatRuns) {
  const Shelf shelf =
      AShelf(Denying({.tool = "refund",
                      .when = SchemaOf(R"({"properties":{"amount":{"exclusiveMinimum":1000}}})"),
                      .reason = "no"}),
             {ATool("refund", kRefundSchema)});
  const std::string digest = shelf.Find("refund")->schema_digest;
  EXPECT_FALSE(GateNow(shelf, "refund", digest, R"({"amount":1000})"));
  EXPECT_EQ(GateNow(shelf, "refund", digest, R"({"amount":1001})")->status, "blocked");
}

TEST(GateNow, StopsWhatIsDeniedGoneOrChangedSinceTheAsk) {
  const Shelf then = AShelf(ABinding(), {ATool("echo")});
  const std::string digest = then.Find("echo")->schema_digest;
  EXPECT_FALSE(GateNow(then, "echo", digest, "{}"));

  Binding denying = ABinding();
  denying.deny = {"echo"};
  EXPECT_EQ(GateNow(AShelf(denying, {ATool("echo")}), "echo", digest, "{}")->status, "blocked");
  EXPECT_EQ(GateNow(AShelf(ABinding(), {}), "echo", digest, "{}")->status, "unknown_tool");
  const Shelf changed = AShelf(ABinding(), {ATool("echo", R"({"type":"object","title":"new"})")});
  EXPECT_EQ(GateNow(changed, "echo", digest, "{}")->status, "invalid_arguments");
}

TEST(GateNow, DoesNotAskForApprovalAgain) {
  Binding binding = ABinding();
  binding.hold_all = true;
  const Shelf shelf = AShelf(binding, {ATool("echo")});
  EXPECT_FALSE(GateNow(shelf, "echo", shelf.Find("echo")->schema_digest, "{}"));
}

TEST(GateNow, ValidatesWhatWillRun) {
  const Shelf shelf = AShelf(ABinding(), {ATool("refund", kRefundSchema)});
  const std::string digest = shelf.Find("refund")->schema_digest;
  EXPECT_FALSE(GateNow(shelf, "refund", digest, R"({"amount":1})"));
  EXPECT_EQ(GateNow(shelf, "refund", digest, R"({"amount":"1"})")->status, "invalid_arguments");
}

TEST(CheckEdit, TellsEachFaultWithItsPlace) {
  const Shelf shelf = AShelf(ABinding(), {ATool("refund", kRefundSchema)});
  const ShelvedTool& refund = *shelf.Find("refund");
  EXPECT_TRUE(CheckEdit(shelf.binding(), refund, Parsed(R"({"amount":3})")).empty());
  const auto faults = CheckEdit(shelf.binding(), refund, Parsed(R"({"amount":"three"})"));
  ASSERT_EQ(faults.size(), 1U);
  EXPECT_EQ(faults[0].pointer, "/amount");
  EXPECT_EQ(CheckEdit(shelf.binding(), refund, Parsed("[]")).size(), 1U);
}

// What is let in here would be refused when the call leaves, and the answer would be spent.
TEST(CheckEdit, BoundsAnEditAsAModelsArgumentsAreBounded) {
  const Shelf shelf = AShelf(ABinding(), {ATool("note", R"({"type":"object"})")});
  const ShelvedTool& note = *shelf.Find("note");
  const auto of = [](std::size_t bytes) {
    return Json::MakeObject({{"a", std::string(bytes - std::string(R"({"a":""})").size(), 'x')}});
  };
  constexpr std::size_t kLongest = std::size_t{256} << 10;
  EXPECT_TRUE(CheckEdit(shelf.binding(), note, of(kLongest)).empty());
  EXPECT_FALSE(GateNow(shelf, "note", note.schema_digest, of(kLongest).Canonical()));
  EXPECT_EQ(CheckEdit(shelf.binding(), note, of(kLongest + 1)).size(), 1U);
  EXPECT_TRUE(GateNow(shelf, "note", note.schema_digest, of(kLongest + 1).Canonical()));
}

TEST(CheckEdit, LooksAtTheBindingsOwnRulesToo) {
  const Shelf shelf =
      AShelf(Denying({.tool = "refund",
                      .when = SchemaOf(R"({"properties":{"amount":{"minimum":9}}})"),
                      .reason = "too much"}),
             {ATool("refund", kRefundSchema)});
  const ShelvedTool& refund = *shelf.Find("refund");
  EXPECT_TRUE(CheckEdit(shelf.binding(), refund, Parsed(R"({"amount":8})")).empty());
  const auto faults = CheckEdit(shelf.binding(), refund, Parsed(R"({"amount":9})"));
  ASSERT_EQ(faults.size(), 1U);
  EXPECT_EQ(faults[0].detail, "too much");
}

}  // namespace
}  // namespace writ::router
