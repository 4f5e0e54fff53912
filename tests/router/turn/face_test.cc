#include "router/turn/face.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "router/base/text.h"
#include "router/turn/answer_code.h"
#include "router/turn/sentences.h"
#include "tests/router/turn/a_turn.h"

namespace writ::router {
namespace {

using std::chrono::seconds;
using tests::ACall;
using tests::ACallThatIs;
using tests::AHeldCall;
using tests::ATurn;
using tests::kAnya;
using tests::kBen;
using tests::kNoon;

const UserId kAgentUser("helper-bot");

Post Face(const Turn& turn, const FaceLimits& limits = {}, TimePoint now = kNoon) {
  return FaceOf(turn, kAgentUser, limits, now);
}

Turn Holding(std::vector<Call> calls) {
  Turn turn = ATurn();
  turn.state = TurnState::kAwaitingApproval;
  turn.lease = Lease::kHolds;
  turn.calls = std::move(calls);
  return turn;
}

Turn Ended(TurnState state, std::string reply, std::vector<Call> calls = {}) {
  Turn turn = ATurn();
  turn.state = state;
  turn.reply = std::move(reply);
  turn.calls = std::move(calls);
  return turn;
}

std::size_t BytesOf(const std::vector<Json>& attachments) {
  return Json(Json::Array(attachments)).Dump().size();
}

std::string MessageOf(const Json& step) { return step.Find("approval")->TextAt("message"); }

bool Contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

TEST(Face, TheTurnOwnsOneMessageInTheWritersThread) {
  Turn turn = Holding({AHeldCall("call_1")});
  turn.thread = MessageId("parent");
  const Post post = Face(turn);
  EXPECT_EQ(post.id, MessageId("writ-cmd_1"));
  EXPECT_EQ(post.cid, Cid("callouts:team-1"));
  EXPECT_EQ(post.thread, MessageId("parent"));
  EXPECT_EQ(post.agent_user, kAgentUser);
}

TEST(Face, AHeldCallIsAStepThatThePlatformsKitsDraw) {
  Turn turn = Holding({AHeldCall("call_1")});
  turn.revision = 3;
  turn.calls[0].approval->hint = "Money leaves.";
  const Json step = Face(turn).attachments.at(0);
  EXPECT_EQ(step.TextAt("type"), "ai_tool_call");
  EXPECT_EQ(step.TextAt("id"), "call_1");
  EXPECT_EQ(step.TextAt("request_id"), "apr_call_1");
  EXPECT_EQ(step.TextAt("name"), "crm__echo");
  EXPECT_EQ(step.TextAt("display_title"), "Echo");
  EXPECT_EQ(step.TextAt("status"), "awaiting_approval");
  EXPECT_EQ(step.Find("outcome"), nullptr);
  EXPECT_EQ(step.TextAt("executor"), "server");
  EXPECT_EQ(step.TextAt("target_user_id"), "anya-1");
  EXPECT_EQ(step.TextAt("args_mark"), turn.calls[0].mark);
  EXPECT_EQ(step.TextAt("expires_at"), "2026-11-29T09:40:00Z");
  EXPECT_EQ(step.IntAt("revision"), 3);
  const Json* approval = step.Find("approval");
  ASSERT_NE(approval, nullptr);
  EXPECT_EQ(approval->TextAt("title"), "Allow crm__echo?");
  EXPECT_EQ(approval->TextAt("message"), "a: 1");
  EXPECT_EQ(approval->TextAt("reason"), "Money leaves.");
  EXPECT_EQ(approval->TextAt("allow_title"), "Allow");
  EXPECT_EQ(approval->TextAt("decline_title"), "Decline");
  EXPECT_EQ(approval->Find("decision"), nullptr);
  EXPECT_EQ(StepOf(turn, turn.calls[0]), step) << "the API shows the same";
}

TEST(Face, APostSaysWhatItAsksWhomAndWhetherTheySeeAllOfIt) {
  Turn turn = Holding({AHeldCall("call_1"), AHeldCall("call_2", kBen), ACall("call_3")});
  turn.calls[1].shown_cut = true;
  const std::vector<PostedAsk> asks = Face(turn).asks;
  ASSERT_EQ(asks.size(), 2U);
  EXPECT_EQ(asks[0].approval, ApprovalId("apr_call_1"));
  EXPECT_EQ(asks[0].call, CallId("call_1"));
  EXPECT_EQ(asks[0].asked, kAnya);
  EXPECT_EQ(asks[0].name, "crm__echo");
  EXPECT_EQ(asks[0].arguments_characters, CountCharacters(turn.calls[0].approval->arguments));
  EXPECT_TRUE(asks[0].is_whole);
  EXPECT_EQ(asks[1].asked, kBen);
  EXPECT_FALSE(asks[1].is_whole);
  EXPECT_NE(asks[0].code, asks[1].code);

  turn.calls[0].shown = "a: \"" + std::string(5000, 'x') + '"';
  EXPECT_FALSE(Face(turn).asks[0].is_whole) << "the channel had no room for it";
  turn.calls[0].approval->asked = UserId();
  EXPECT_EQ(Face(turn).asks.size(), 1U) << "the backend's to answer";
}

TEST(Face, AnAnswersCodeIsSixDigitsThatOnlyTheAsksReaderKnows) {
  ApprovalRecord record = *AHeldCall("call_1").approval;
  const std::string code = AnswerCodeOf(record);
  EXPECT_EQ(code.size(), 6U);
  EXPECT_EQ(code.find_first_not_of("0123456789"), std::string::npos);
  EXPECT_EQ(AnswerCodeOf(record), code);
  std::set<std::string> codes;
  for (int i = 0; i < 100; ++i) {
    record.mark_key = "another key " + std::to_string(i);
    codes.insert(AnswerCodeOf(record));
  }
  EXPECT_GT(codes.size(), 95U) << "the record's id alone tells nothing";
}

TEST(Face, EachCallStateHasItsStatusAndOutcome) {
  struct Row {
    CallState state;
    std::string status;
    std::string outcome;
  };
  for (const auto& [state, status, outcome] :
       std::vector<Row>{{CallState::kReady, "running", ""},
                        {CallState::kSending, "running", ""},
                        {CallState::kDone, "completed", "done"},
                        {CallState::kFailed, "failed", "failed"},
                        {CallState::kOutcomeUnknown, "failed", "outcome_unknown"},
                        {CallState::kDenied, "cancelled", "declined"},
                        {CallState::kExpired, "cancelled", "expired"},
                        {CallState::kCancelled, "cancelled", "cancelled"},
                        {CallState::kRefused, "failed", "refused"}}) {
    const Json step = StepOf(ATurn(), ACallThatIs(state, "call_1"));
    EXPECT_EQ(step.TextAt("status"), status);
    EXPECT_EQ(step.TextAt("outcome"), outcome);
    EXPECT_EQ(step.Find("summary") == nullptr, outcome.empty());
    EXPECT_EQ(step.Find("target_user_id"), nullptr);
    EXPECT_EQ(step.Find("approval"), nullptr) << "nobody was asked";
  }
}

TEST(Face, AChangedCallNamesTheKeysThatWereChanged) {
  Call call = ACallThatIs(CallState::kDone, "call_1");
  call.arguments = R"({"gone":1,"kept":1,"other":1})";
  call.approval = tests::AnApproval(call);
  call.approval->status = ApprovalStatus::kApproved;
  call.approval->decision = Decision{};
  call.approval->decision->approved = true;
  call.approval->decision->edited_arguments = R"({"kept":1,"new\u202e":1,"other":2})";
  const std::string message = MessageOf(Face(Holding({call})).attachments.at(0));
  EXPECT_TRUE(Contains(message, "Changed before it was allowed: gone, [\"new\\u202e\"], other\n"))
      << message;
  call.shown.clear();  // the binding shows no arguments
  EXPECT_FALSE(Contains(MessageOf(Face(Holding({call})).attachments.at(0)), "gone"));
}

TEST(Face, AQuestionIsShownAsTheToolsOwnWordsAndPutToWhoeverIsAsked) {
  Call call = AHeldCall("call_1");
  call.question = tests::AnApproval(call, kBen);
  call.question->id = ApprovalId("apr_question");
  call.question_shown = "asks: \"Which size?\"";
  const Post post = Face(Holding({call}));
  const Json& step = post.attachments.at(0);
  EXPECT_EQ(step.TextAt("id"), "call_1");
  EXPECT_EQ(step.TextAt("request_id"), "apr_question");
  EXPECT_EQ(step.TextAt("target_user_id"), "ben-2");
  EXPECT_EQ(step.Find("approval")->TextAt("title"), "crm__echo asks");
  EXPECT_EQ(MessageOf(step), "The tool asks, in its own words:\nasks: \"Which size?\"");
  EXPECT_TRUE(Contains(post.text, "to answer what crm__echo asks")) << post.text;
  EXPECT_TRUE(Contains(post.text, "Which size?"));
  ASSERT_EQ(post.mentioned.size(), 1U);
  EXPECT_EQ(post.mentioned[0], kBen);
}

TEST(Face, WhatTheCallbackStillLooksAtHasNoButtonsForAPerson) {
  Call call = AHeldCall("call_1");
  call.proposal = Proposal{};
  const Post post = Face(Holding({call}));
  EXPECT_EQ(post.attachments.at(0).Find("target_user_id"), nullptr);
  EXPECT_EQ(post.attachments.at(0).Find("approval")->Find("title"), nullptr);
  EXPECT_TRUE(Contains(post.text, "the app's backend")) << post.text;
  EXPECT_TRUE(post.mentioned.empty());
}

TEST(Face, ARefusedCallHasNoMark) {
  const Call call = ACallThatIs(CallState::kRefused, "call_1");
  ASSERT_NE(StepOf(ATurn(), call).Find("args_mark"), nullptr);
  EXPECT_TRUE(StepOf(ATurn(), call).Find("args_mark")->IsNull());
}

TEST(Face, ADeclinedCallSaysSoWithThePersonsWords) {
  Call call = AHeldCall("call_1");
  call.state = CallState::kDenied;
  call.status = "declined";
  call.reason = "too early\u202e";
  call.approval->status = ApprovalStatus::kDenied;
  call.approval->decision = Decision{.approved = false,
                                     .reason = call.reason,
                                     .decided_by = "user:anya-1",
                                     .decided_at = kNoon,
                                     .edited_arguments = "",
                                     .edited_digest = ""};
  const Json step = StepOf(ATurn(), call);
  EXPECT_EQ(step.Find("approval")->TextAt("decision"), "declined");
  EXPECT_EQ(step.TextAt("summary"), "Declined: too early\\u202e");
  EXPECT_EQ(step.Find("target_user_id"), nullptr);
}

TEST(Face, AReasonThatNamesKeysOfTheArgumentsIsNotShown) {
  Call call = ACallThatIs(CallState::kRefused, "call_1");
  call.status = "invalid_arguments";
  call.reason = "the arguments do not fit the tool's schema: /pin: wrong";
  EXPECT_EQ(StepOf(ATurn(), call).TextAt("summary"), "Refused: the arguments are not valid");
}

TEST(Face, TheRuntimesStateFollowsTheTurn) {
  struct Row {
    TurnState state;
    std::string shown;
  };
  for (const auto& [state, shown] :
       std::vector<Row>{{TurnState::kQueued, "running"},
                        {TurnState::kThinking, "running"},
                        {TurnState::kCalling, "running"},
                        {TurnState::kAwaitingApproval, "awaiting_approval"},
                        {TurnState::kCompleted, "completed"},
                        {TurnState::kFailed, "failed"},
                        {TurnState::kCancelled, "cancelled"}}) {
    const Post post = Face(Ended(state, "said"));
    EXPECT_EQ(post.runtime.TextAt("state"), shown);
    EXPECT_EQ(post.runtime.TextAt("command_id"), "cmd_1");
    EXPECT_FALSE(post.text.empty()) << shown;
  }
}

TEST(FaceText, WhileHeldItNamesThePersonTheCallItsArgumentsAndTheTimeLeft) {
  const Turn turn = Holding({AHeldCall("call_1")});
  const Post post = Face(turn, {}, kNoon + seconds(30));
  EXPECT_EQ(post.text,
            "Waiting for Anya (user anya-1) to allow crm__echo, 9 min 30 s left (until "
            "2026-11-29T09:40:00Z).\n```\na: 1\n```");
  EXPECT_EQ(post.mentioned, std::vector<UserId>{kAnya});
}

TEST(FaceText, TheTimeLeftIsNeverMoreThanIsLeft) {
  const Turn turn = Holding({AHeldCall("call_1")});
  using std::chrono::milliseconds;
  EXPECT_TRUE(Contains(Face(turn, {}, kNoon).text, " 10 min left"));
  EXPECT_TRUE(Contains(Face(turn, {}, kNoon + milliseconds(1)).text, " 9 min 59 s left"));
  EXPECT_TRUE(Contains(Face(turn, {}, kNoon + seconds(599)).text, " 1 s left"));
  EXPECT_TRUE(Contains(Face(turn, {}, kNoon + seconds(601)).text, " 0 s left"));
  EXPECT_TRUE(Contains(Face(turn, {}, kNoon - seconds(3000)).text, " 1 h 0 min left"));
}

TEST(FaceText, EachHeldCallHasItsOwnSentenceAndItsOwnPerson) {
  Turn turn = Holding({AHeldCall("call_1"), AHeldCall("call_2", kBen), AHeldCall("call_3")});
  turn.calls[1].name = "crm__refund";
  const Post post = Face(turn);
  EXPECT_TRUE(Contains(post.text, "Waiting for ben-2 (user ben-2) to allow crm__refund"));
  EXPECT_EQ(post.mentioned, (std::vector<UserId>{kAnya, kBen}));
}

TEST(FaceText, WhatOnlyTheBackendMayAnswerAsksNoPerson) {
  const Turn turn = Holding({AHeldCall("call_1", UserId{})});
  const Post post = Face(turn);
  EXPECT_TRUE(Contains(post.text, "Waiting for the app's backend to allow crm__echo"));
  EXPECT_TRUE(post.mentioned.empty());
  const Json& step = post.attachments.at(0);
  EXPECT_EQ(step.Find("target_user_id"), nullptr);
  EXPECT_EQ(step.Find("approval")->Find("title"), nullptr) << "the kits ask where there is one";
  EXPECT_TRUE(Contains(MessageOf(step), "backend is asked"));
}

TEST(FaceText, ArgumentsAreShownAsCodeThatTheyCannotLeave) {
  Turn turn = Holding({AHeldCall("call_1")});
  turn.calls[0].shown = "a: \"````[safe](http://evil)\"";
  EXPECT_TRUE(Contains(Face(turn).text, "\n`````\na: \"````[safe](http://evil)\"\n`````"));
}

TEST(FaceText, ArgumentsThatTheBindingDoesNotShowAreNotShown) {
  Turn turn = Holding({AHeldCall("call_1")});
  turn.calls[0].shown.clear();
  const Post post = Face(turn);
  EXPECT_FALSE(Contains(post.text, "```"));
  EXPECT_EQ(MessageOf(post.attachments.at(0)), "The arguments are not shown here.");
}

TEST(FaceText, AHostileNameIsShownClean) {
  Turn turn = Holding({AHeldCall("call_1")});
  turn.author_name = "Ben (user ben-1):\n\u202e" + std::string(10'000, 'x');
  const std::string text = Face(turn).text;
  EXPECT_TRUE(text.starts_with("Waiting for Ben user ben-1 xxx"));
  EXPECT_TRUE(Contains(text, "(user anya-1) to allow crm__echo"));
  EXPECT_FALSE(Contains(text, "\u202e"));
}

TEST(FaceText, WhileNothingIsHeldThereIsALineAStep) {
  Turn turn = ATurn();
  turn.state = TurnState::kCalling;
  EXPECT_EQ(Face(turn).text, kWorking);
  turn.calls = {ACallThatIs(CallState::kOutcomeUnknown, "call_1"),
                ACallThatIs(CallState::kSending, "call_2")};
  EXPECT_EQ(Face(turn).text, "crm__echo: outcome unknown\ncrm__echo: running");
}

TEST(FaceText, AtTheEndItIsTheReply) {
  EXPECT_EQ(Face(Ended(TurnState::kCompleted, "Hello.")).text, "Hello.");
  EXPECT_EQ(Face(Ended(TurnState::kFailed, std::string(kTurnTimedOut))).text, kTurnTimedOut);
  EXPECT_EQ(Face(Ended(TurnState::kCancelled, "", {ACallThatIs(CallState::kCancelled, "c")})).text,
            kTurnCancelled);
}

TEST(FaceText, AReplyTooLongForTheChannelIsCutAtACharacterAndSaysSo) {
  std::string reply;
  for (int i = 0; i < 60'000; ++i) reply += "ü";
  const std::string text = Face(Ended(TurnState::kCompleted, reply)).text;
  EXPECT_EQ(CountCharacters(text), 5000U);
  EXPECT_TRUE(IsUtf8(text));
  EXPECT_TRUE(text.ends_with(kTextCutMark));
}

// What must hold whatever is in the turn.
void ExpectWithinLimits(const Turn& turn, const FaceLimits& limits) {
  const Post post = Face(turn, limits);
  EXPECT_LE(BytesOf(post.attachments), limits.attachment_bytes);
  EXPECT_LE(CountCharacters(post.text), limits.text_characters);
  EXPECT_FALSE(post.text.empty());
  std::set<std::string> there;
  for (const Json& step : post.attachments) {
    EXPECT_TRUE(IsUtf8(step.Dump()));
    there.insert(step.TextAt("id"));
    if (step.TextAt("status") != "awaiting_approval") continue;
    EXPECT_FALSE(step.TextAt("request_id").empty());
    EXPECT_FALSE(step.TextAt("target_user_id").empty());
  }
  for (const Call& call : turn.calls) {
    if (call.state == CallState::kHeld) {
      EXPECT_TRUE(there.contains(call.id.text())) << call.id.text() << " waits and is dropped";
    }
  }
}

const FaceLimits kWithInbox{.attachment_bytes = 5000,
                            .text_characters = 5000,
                            .inbox_url = "https://bot.example.org/inbox"};

// As long as ours are.
std::string LongId(const std::string& prefix, int number) {
  std::string digits = std::to_string(number);
  return prefix + std::string(26 - digits.size(), '0') + digits;
}

TEST(FaceCuts, ThirtyTwoCallsFitAndTheEightThatWaitAreAllThere) {
  Turn turn = Holding({});
  for (int i = 0; i < 32; ++i) {
    Call call = i % 4 == 0 ? AHeldCall(LongId("call_", i))
                           : ACallThatIs(i % 4 == 1 ? CallState::kDone : CallState::kSending,
                                         LongId("call_", i));
    if (call.approval) call.approval->id = ApprovalId(LongId("apr_", i));
    turn.calls.push_back(std::move(call));
  }
  ExpectWithinLimits(turn, kWithInbox);
}

TEST(FaceCuts, FinishedStepsGoBeforeAnythingOfAWaitingOneIsCut) {
  Turn turn = Holding({});
  for (int i = 0; i < 31; ++i) {
    Call call = ACallThatIs(CallState::kFailed, LongId("call_", i));
    call.status = "failed";
    call.reason = std::string(300, 'r');
    turn.calls.push_back(std::move(call));
  }
  turn.calls.push_back(AHeldCall("call_held"));
  turn.calls.back().shown = "a: \"" + std::string(900, 'x') + "\"";
  ExpectWithinLimits(turn, kWithInbox);
  const Post post = Face(turn, kWithInbox);
  EXPECT_EQ(post.attachments.back(), StepOf(turn, turn.calls.back())) << "it stands whole";
  EXPECT_GT(post.attachments.size(), 5U);
}

TEST(FaceCuts, ALongValueIsCutAndTheMessageBeginsBySayingSo) {
  Turn turn = Holding({AHeldCall("call_1")});
  turn.calls[0].shown = "a: \"" + std::string(6000, 'x') + "\"\nb: \"short\"";
  ExpectWithinLimits(turn, kWithInbox);
  const Post post = Face(turn, kWithInbox);
  const std::string message = MessageOf(post.attachments.at(0));
  EXPECT_TRUE(message.starts_with("Not all of it is shown here (it is marked " +
                                  turn.calls[0].mark +
                                  "). See the whole call before you answer, and answer there: "
                                  "https://bot.example.org/inbox?approval=apr_call_1\na: \"xxx"))
      << message;
  EXPECT_TRUE(message.ends_with(" (6000 characters)\nb: \"short\""));
  EXPECT_TRUE(Contains(post.text, "answer there: https://bot.example.org/inbox"));
}

TEST(FaceCuts, WhatWasCutBeforeIsSaidToo) {
  Turn turn = Holding({AHeldCall("call_1")});
  turn.calls[0].shown_cut = true;
  const Post post = Face(turn);
  EXPECT_EQ(MessageOf(post.attachments.at(0)),
            "Not all of it is shown here (it is marked " + turn.calls[0].mark +
                "). See the whole call before you answer.\na: 1");
  EXPECT_TRUE(Contains(post.text, "Not all of it is shown here (it is marked "));
}

TEST(FaceCuts, HugeArgumentsOfManyAsksShareTheRoom) {
  Turn turn = Holding({});
  for (int i = 0; i < 8; ++i) {
    turn.calls.push_back(AHeldCall(LongId("call_", i)));
    turn.calls.back().approval->id = ApprovalId(LongId("apr_", i));
    std::string& shown = turn.calls.back().shown;
    shown = i == 0 ? "small: 1" : "first: 1";
    for (int line = 0; i > 0 && line < 300; ++line) {
      shown += "\nkey" + std::to_string(line) + ": \"" + std::string(60, '"') + "\"";
    }
  }
  ExpectWithinLimits(turn, kWithInbox);
}

TEST(FaceCuts, HostileNamesAndIdsStillLeaveEveryAskThere) {
  Turn turn = Holding({});
  for (int i = 0; i < 8; ++i) {
    Call call = AHeldCall(LongId("call_", i), UserId(std::string(64, 'u')));
    call.approval->id = ApprovalId(LongId("apr_", i));
    call.name = "crm__" + std::string(123, 'n');
    call.title = std::string(10'000, 't');
    call.approval->hint = std::string(10'000, 'h');
    turn.calls.push_back(std::move(call));
  }
  Call unknown = ACallThatIs(CallState::kRefused, "call_made_up");
  unknown.name = std::string(100'000, '\n');
  turn.calls.push_back(std::move(unknown));
  ExpectWithinLimits(turn, kWithInbox);
}

TEST(FaceCuts, MoreAsksThanCanFitKeepTheLimitAndTheTextNamesThem) {
  Turn turn = Holding({});
  for (int i = 0; i < 32; ++i) turn.calls.push_back(AHeldCall(LongId("call_", i)));
  const Post post = Face(turn, kWithInbox);
  EXPECT_LE(BytesOf(post.attachments), 5000U);
  EXPECT_GE(post.attachments.size(), 20U);
  EXPECT_LE(CountCharacters(post.text), 5000U);
}

}  // namespace
}  // namespace writ::router
