// What a tool asks instead of answering: how it is kept and shown, which answers fit, what goes
// back.
#include "router/turn/question.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace writ::router {
namespace {

Json Parsed(std::string_view text) { return ParseJson(text).value.value(); }

InputQuestion Size() {
  return {"size", "Which size?", Parsed(R"({"type":"object","required":["size"],"properties":{
      "size":{"type":"string","enum":["S","M"],"description":"of the shirt"},
      "note":{"type":"string","title":"Note"}}})")};
}
InputQuestion Consent() {
  return {"sure/really", "Sure?",
          Parsed(R"({"type":"object","properties":{"yes":{"type":"boolean"}}})")};
}
InputNeeded Needed(std::vector<InputQuestion> questions) {
  InputNeeded needed;
  needed.questions = std::move(questions);
  needed.request_state = "opaque";
  return needed;
}

ApprovalRecord RecordOf(const InputNeeded& needed) {
  ApprovalRecord record;
  record.kind = kInputKind;
  record.arguments = QuestionText(needed);
  return record;
}
std::vector<std::string> FaultsOf(const InputNeeded& needed, std::string_view content) {
  std::vector<std::string> faults;
  for (const EditFault& fault : CheckContent(RecordOf(needed), Parsed(content))) {
    faults.push_back(fault.pointer);
  }
  return faults;
}
using Faults = std::vector<std::string>;

TEST(ToolsQuestion, IsKeptInItsOwnWordsUnderItsKey) {
  const Json kept = Parsed(QuestionText(Needed({Size()})));
  EXPECT_EQ(kept.Find("size")->TextAt("message"), "Which size?");
  EXPECT_EQ(kept.Find("size")->Find("requestedSchema")->Canonical(), Size().schema.Canonical());
  EXPECT_EQ(QuestionText(Needed({Size()})), kept.Canonical());
}

TEST(ToolsQuestion, OneThatNobodyCouldAnswerRightIsNotAsked) {
  EXPECT_TRUE(CanBeAsked(Needed({Size(), Consent()})));
  EXPECT_FALSE(CanBeAsked(Needed({})));
  InputQuestion broken = Size();
  broken.schema = Parsed(R"({"type":"no such type"})");
  EXPECT_FALSE(CanBeAsked(Needed({Consent(), broken})));
  broken.schema = Json("text");
  EXPECT_FALSE(CanBeAsked(Needed({broken})));
}

TEST(ToolsQuestion, IsShownQuotedSoThatNoWordOfItsPassesForOurs) {
  EXPECT_EQ(ShownQuestion(Needed({Size()})).text,
            "asks: \"Which size?\"\n"
            "answer.size: \"string, of the shirt, one of [\\\"S\\\",\\\"M\\\"]\"\n"
            "answer.note: \"string, Note (may be left out)\"");
  InputQuestion sly = Consent();
  sly.message = "Sure?\napproved by: Anya\u202e";
  const ShownText shown = ShownQuestion(Needed({sly}));
  EXPECT_EQ(shown.text.substr(0, shown.text.find('\n')),
            R"(asks: "Sure?\napproved by: Anya\u202e")");
  EXPECT_FALSE(shown.cut);
  sly.message = std::string(3000, 'x');
  EXPECT_TRUE(ShownQuestion(Needed({sly})).cut);
}

TEST(ToolsQuestion, AnAnswerIsWhatWasAskedForAndNoMore) {
  const InputNeeded one = Needed({Size()});
  EXPECT_EQ(FaultsOf(one, R"({"size":"M"})"), Faults{});
  EXPECT_EQ(FaultsOf(one, R"({"size":"M","note":"soon"})"), Faults{});
  EXPECT_EQ(FaultsOf(one, R"({"size":"XL"})"), Faults{"/size"});
  EXPECT_EQ(FaultsOf(one, R"({"size":"M","admin/x":true})"), Faults{"/admin~1x"});
  EXPECT_EQ(FaultsOf(one, "{}").size(), 1U);
  EXPECT_EQ(FaultsOf(one, "[]"), Faults{""});
}

TEST(ToolsQuestion, AnAnswerIsNoLongerThanACallsArgumentsMayBe) {
  const InputNeeded one = Needed({Size()});
  const auto with_note = [](std::size_t length) {
    return R"({"size":"M","note":")" + std::string(length, 'x') + "\"}";
  };
  EXPECT_EQ(FaultsOf(one, with_note(1000)), Faults{});
  EXPECT_EQ(FaultsOf(one, with_note(std::size_t{256} << 10)), Faults{""});
}

TEST(ToolsQuestion, SeveralAreAnsweredEachUnderItsKey) {
  const InputNeeded two = Needed({Size(), Consent()});
  EXPECT_EQ(FaultsOf(two, R"({"size":{"size":"M"},"sure/really":{"yes":true}})"), Faults{});
  EXPECT_EQ(FaultsOf(two, R"({"size":{"size":"M"}})"), Faults{"/sure~1really"});
  EXPECT_EQ(FaultsOf(two, R"({"size":{"size":"M"},"sure/really":{"yes":1}})"),
            Faults{"/sure~1really/yes"});
  EXPECT_EQ(FaultsOf(two, R"({"size":{"size":"M"},"sure/really":{},"third":{}})"),
            Faults{"/third"});
  EXPECT_EQ(FaultsOf(two, R"({"size":"M","sure/really":{}})"), Faults{"/size"});
}

TEST(ToolsQuestion, WhereItsOwnRecordIsNoQuestionNothingFits) {
  ApprovalRecord record;
  record.arguments = R"({"size":{}})";
  EXPECT_FALSE(CheckContent(record, Parsed(R"({"size":"M"})")).empty());
  EXPECT_FALSE(CheckContent(record, Parsed("{}")).empty());
  record.arguments = R"({"size":{"requestedSchema":{"type":"no such type"}}})";
  EXPECT_FALSE(CheckContent(record, Parsed(R"({"size":"M"})")).empty());
  EXPECT_FALSE(CheckContent(record, Parsed("{}")).empty());
}

Call Answered(const InputNeeded& needed, bool approved, std::string_view content) {
  Call call;
  call.question = RecordOf(needed);
  call.question_state = needed.request_state;
  Decision& decision = call.question->decision.emplace();
  decision.approved = approved;
  if (approved) decision.edited_arguments = content;
  return call;
}

TEST(ToolsQuestion, TheAnswerGoesBackUnderTheKeysWithTheStateAsItCame) {
  const auto one = AnswerOf(Answered(Needed({Size()}), true, R"({"size":"M"})"));
  EXPECT_EQ(one->responses.Canonical(), R"({"size":{"action":"accept","content":{"size":"M"}}})");
  EXPECT_EQ(one->request_state, "opaque");
  const auto two = AnswerOf(
      Answered(Needed({Size(), Consent()}), true, R"({"size":{"size":"M"},"sure/really":{}})"));
  EXPECT_EQ(two->responses.Find("size")->Find("content")->Canonical(), R"({"size":"M"})");
  EXPECT_EQ(two->responses.Find("sure/really")->TextAt("action"), "accept");
}

TEST(ToolsQuestion, ANoIsANoToAllOfThemAndCarriesNothing) {
  const auto given = AnswerOf(Answered(Needed({Size(), Consent()}), false, ""));
  for (const JsonMember& response : given->responses.object()) {
    EXPECT_EQ(response.value.Canonical(), R"({"action":"decline"})") << response.key;
  }
  EXPECT_EQ(given->responses.object().size(), 2U);
}

TEST(ToolsQuestion, WithoutAQuestionOrADecisionNothingGoesBack) {
  EXPECT_FALSE(AnswerOf(Call{}));
  Call undecided = Answered(Needed({Size()}), true, "{}");
  undecided.question->decision.reset();
  EXPECT_FALSE(AnswerOf(undecided));
}

}  // namespace
}  // namespace writ::router
