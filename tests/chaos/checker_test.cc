#include "tests/chaos/checker.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace writ::chaos {
namespace {

using std::chrono::milliseconds;

constexpr const char* kCid = "callouts:chaos-1";

// Anya writes, is asked, allows, and is answered; then Ben is answered without a call.
Evidence GoodRun() {
  Evidence run;
  run.said = {{"w00001", kCid, "anya-1", milliseconds(100), milliseconds(101), milliseconds(110)},
              {"w00002", kCid, "ben-2", milliseconds(200), milliseconds(201), milliseconds(210)}};
  run.asked = {{milliseconds(120), "w00001", 0},
               {milliseconds(500), "w00001", 1},
               {milliseconds(600), "w00002", 0}};
  const Step step{"call_1", "crm__echo", "completed", "done"};
  run.commands = {{"cmd_1", kCid, "w00001", "completed", "That was w00001.", {step}},
                  {"cmd_2", kCid, "w00002", "completed", "That was w00002.", {}}};
  run.shown = {{"writ-cmd_1", kCid, "cmd_1", "completed", "That was w00001.", 1, {step}},
               {"writ-cmd_2", kCid, "cmd_2", "completed", "That was w00002.", 2, {}}};
  run.approvals = {{"apr_1", "call_1", "cmd_1", kCid, "anya-1", "echo", "w00001-a", "approved",
                    true, true, true, "user:anya-1"}};
  run.answers = {{"call_1", "ben-2", true, false, milliseconds(300), milliseconds(310), 403},
                 {"call_1", "anya-1", true, false, milliseconds(400), milliseconds(410), 204}};
  run.executions = {{milliseconds(420), "call_1", "echo", "w00001-a"}};
  run.audit = {{"asked", "call_1", "", false, ""},
               {"decided", "call_1", "user:anya-1", true, ""},
               {"used", "call_1", "", false, ""},
               {"finished", "call_1", "", false, "done"}};
  run.leases = {{milliseconds(130), kCid, "cmd_1", {"cmd_1"}},
                {milliseconds(610), kCid, "cmd_2", {"cmd_2"}}};
  run.claims = {{milliseconds(130), 1, "node-a", "cmd_1", ""},
                {milliseconds(415), 2, "node-a", "cmd_1", "call_1"},
                {milliseconds(610), 3, "node-b", "cmd_2", ""}};
  return run;
}

std::vector<std::string> RulesBrokenIn(const Evidence& run) {
  std::vector<std::string> rules;
  for (const Finding& finding : Check(run)) rules.push_back(finding.rule);
  std::ranges::sort(rules);
  rules.erase(std::unique(rules.begin(), rules.end()), rules.end());
  return rules;
}

bool Breaks(const Evidence& run, const char* rule) {
  const std::vector<std::string> rules = RulesBrokenIn(run);
  return std::ranges::find(rules, rule) != rules.end();
}

// The held call ends another way: what is told of it fits that.
Evidence RunThatEnds(const std::string& status, const std::string& outcome) {
  Evidence run = GoodRun();
  run.commands[0].steps[0].outcome = outcome;
  run.shown[0].steps[0].outcome = outcome;
  run.approvals[0].status = status;
  run.approvals[0].consumed = false;
  run.approvals[0].has_decision = status == "denied";
  run.approvals[0].allowed = false;
  run.executions.clear();
  run.answers.clear();
  return run;
}

}  // namespace

TEST(Checker, FindsNothingWhereAllIsWell) {
  EXPECT_EQ(Check(GoodRun()), std::vector<Finding>{});
  EXPECT_EQ(Check(RunThatEnds("expired", "expired")), std::vector<Finding>{});
  Evidence declined = RunThatEnds("denied", "declined");
  declined.answers = {
      {"call_1", "anya-1", false, false, milliseconds(400), milliseconds(410), 204}};
  EXPECT_EQ(Check(declined), std::vector<Finding>{});
}

TEST(Checker, FindsAMessageThatWasAcknowledgedAndNeverAnswered) {
  Evidence run = GoodRun();
  run.commands.pop_back();
  run.shown.pop_back();
  EXPECT_EQ(RulesBrokenIn(run), std::vector<std::string>{kAnsweredOnce});
  run.said[1].acknowledged.reset();  // the platform was told that it is not taken
  EXPECT_EQ(Check(run), std::vector<Finding>{});
}

TEST(Checker, FindsAMessageThatWasAnsweredTwice) {
  Evidence run = GoodRun();
  run.commands.push_back({"cmd_3", kCid, "w00002", "completed", "That was w00002.", {}});
  run.shown.push_back({"writ-cmd_3", kCid, "cmd_3", "completed", "That was w00002.", 3, {}});
  EXPECT_EQ(RulesBrokenIn(run), std::vector<std::string>{kAnsweredOnce});
  run.said[1].acknowledged.reset();
  EXPECT_TRUE(Breaks(run, kAnsweredOnce));
}

TEST(Checker, FindsAnAnswerThatIsInTheChannelTwiceOrNotAtAll) {
  Evidence twice = GoodRun();
  twice.shown.push_back({"other", kCid, "cmd_2", "completed", "That was w00002.", 3, {}});
  EXPECT_EQ(RulesBrokenIn(twice), std::vector<std::string>{kAnsweredOnce});
  Evidence never = GoodRun();
  never.shown.pop_back();
  EXPECT_EQ(RulesBrokenIn(never), std::vector<std::string>{kAnsweredOnce});
}

TEST(Checker, FindsAnAnswerToNobody) {
  Evidence run = GoodRun();
  run.commands[1].word = "";
  EXPECT_TRUE(Breaks(run, kAnsweredOnce));
}

TEST(Checker, FindsATurnThatNeverEndsAndOneThatEndsWithoutAWord) {
  Evidence stuck = GoodRun();
  stuck.commands[1].state = "thinking";
  EXPECT_TRUE(Breaks(stuck, kAnsweredOnce));
  Evidence silent = GoodRun();
  silent.commands[1].state = silent.shown[1].state = "failed";
  silent.commands[1].reply = silent.shown[1].text = "";
  EXPECT_EQ(RulesBrokenIn(silent), std::vector<std::string>{kAnsweredOnce});
}

TEST(Checker, FindsAnOlderFaceThatWasShownLast) {
  Evidence state = GoodRun();
  state.shown[0].state = "awaiting_approval";
  EXPECT_EQ(RulesBrokenIn(state), std::vector<std::string>{kShownAsItIs});
  Evidence steps = GoodRun();
  steps.shown[0].steps[0].outcome = "";
  EXPECT_EQ(RulesBrokenIn(steps), std::vector<std::string>{kShownAsItIs});
  Evidence text = GoodRun();
  text.shown[1].text = "That was";
  EXPECT_EQ(RulesBrokenIn(text), std::vector<std::string>{kShownAsItIs});
}

TEST(Checker, FindsAConversationThatNoProviderTakes) {
  Evidence run = GoodRun();
  run.model_faults = {"a call without its result"};
  EXPECT_EQ(RulesBrokenIn(run), std::vector<std::string>{kShownAsItIs});
}

TEST(Checker, FindsACallThatWasExecutedTwice) {
  Evidence run = GoodRun();
  run.executions.push_back({milliseconds(700), "call_1", "echo", "w00001-a"});
  EXPECT_EQ(RulesBrokenIn(run), std::vector<std::string>{kExecutedOnce});
}

TEST(Checker, TakesARepeatOfAnIdempotentCallUnderTheSameKeyAlone) {
  Evidence run = GoodRun();
  run.approvals[0].tool = run.executions[0].tool = "book";
  run.executions.push_back({milliseconds(700), "call_1", "book", "w00001-a"});
  EXPECT_EQ(Check(run), std::vector<Finding>{});
  run.executions[1].key = "call_9";
  EXPECT_TRUE(Breaks(run, kExecutedOnce));
}

TEST(Checker, FindsACallThatRanThoughNobodyWasAskedOrAllowedIt) {
  Evidence unasked = GoodRun();
  unasked.approvals.clear();
  EXPECT_TRUE(Breaks(unasked, kRightPerson));
  Evidence undecided = GoodRun();
  undecided.approvals[0].has_decision = false;
  EXPECT_TRUE(Breaks(undecided, kRightPerson));
  Evidence unanswered = GoodRun();
  unanswered.answers.pop_back();
  EXPECT_TRUE(Breaks(unanswered, kRightPerson));
  Evidence unused = GoodRun();
  unused.approvals[0].consumed = false;
  EXPECT_TRUE(Breaks(unused, kRightPerson));
}

TEST(Checker, FindsACallThatRanBeforeItsAnswer) {
  Evidence run = GoodRun();
  run.executions[0].at = milliseconds(399);
  EXPECT_EQ(RulesBrokenIn(run), std::vector<std::string>{kRightPerson});
}

TEST(Checker, BelievesAnAnswerOfWhichTheBalancerKnowsNothing) {
  for (const int status : {502, 504}) {
    Evidence run = GoodRun();
    run.answers[1].status = status;
    EXPECT_FALSE(Breaks(run, kRightPerson)) << "the node that was stopped looks at it later";
  }
}

TEST(Checker, FindsACallThatAnotherPersonWasAskedForOrDecided) {
  Evidence asked = GoodRun();
  asked.approvals[0].asked = "ben-2";
  EXPECT_TRUE(Breaks(asked, kRightPerson));
  Evidence decided = GoodRun();
  decided.approvals[0].decided_by = "user:ben-2";
  EXPECT_EQ(RulesBrokenIn(decided), std::vector<std::string>{kRightPerson});
  Evidence other_call = GoodRun();
  other_call.approvals[0].message = "w00001-b";
  EXPECT_TRUE(Breaks(other_call, kRightPerson));
}

TEST(Checker, FindsAnAuditLogThatTellsAnotherStory) {
  Evidence run = GoodRun();
  std::erase_if(run.audit, [](const AuditEntry& entry) { return entry.type == "used"; });
  EXPECT_EQ(RulesBrokenIn(run), std::vector<std::string>{kRightPerson});
  run = GoodRun();
  run.audit_faults = {"a seal is missing"};
  EXPECT_EQ(RulesBrokenIn(run), std::vector<std::string>{kNothingLeft});
}

TEST(Checker, FindsTheWrongPersonsAnswerThatWasTaken) {
  Evidence run = GoodRun();
  run.answers[0].status = 204;
  EXPECT_TRUE(Breaks(run, kFirstAnswerHolds));
}

TEST(Checker, FindsAnAnswerFromOutsideThatWasTaken) {
  Evidence run = GoodRun();
  run.answers[1].was_outside = true;
  EXPECT_TRUE(Breaks(run, kFirstAnswerHolds));
  EXPECT_TRUE(Breaks(run, kRightPerson));
}

TEST(Checker, FindsTwoAnswersThatWereTakenAndOneThatWasForgotten) {
  Evidence two = GoodRun();
  two.answers.push_back(two.answers[1]);
  EXPECT_EQ(RulesBrokenIn(two), std::vector<std::string>{kFirstAnswerHolds});
  Evidence forgotten = RunThatEnds("expired", "expired");
  forgotten.answers = GoodRun().answers;
  EXPECT_TRUE(Breaks(forgotten, kFirstAnswerHolds));
}

TEST(Checker, FindsADeclinedCallThatRan) {
  Evidence run = RunThatEnds("denied", "declined");
  run.answers = {{"call_1", "anya-1", false, false, milliseconds(400), milliseconds(410), 204}};
  run.executions = GoodRun().executions;
  EXPECT_TRUE(Breaks(run, kFirstAnswerHolds));
  EXPECT_TRUE(Breaks(run, kRightPerson));
}

TEST(Checker, FindsAHeldCallThatWasLost) {
  Evidence pending = RunThatEnds("pending", "");
  EXPECT_TRUE(Breaks(pending, kNoHeldCallLost));
  Evidence lapsed = RunThatEnds("expired", "done");
  EXPECT_TRUE(Breaks(lapsed, kNoHeldCallLost));
  Evidence without_step = GoodRun();
  without_step.commands[0].steps.clear();
  without_step.shown[0].steps.clear();
  EXPECT_TRUE(Breaks(without_step, kNoHeldCallLost));
}

TEST(Checker, FindsAnOutcomeThatTheConnectorDoesNotKnow) {
  Evidence never = GoodRun();
  never.executions.clear();
  EXPECT_EQ(RulesBrokenIn(never), std::vector<std::string>{kShownAsItIs});
  Evidence stray = GoodRun();
  stray.executions.push_back({milliseconds(700), "call_7", "note", "w00002-a"});
  EXPECT_EQ(RulesBrokenIn(stray), std::vector<std::string>{kShownAsItIs});
}

TEST(Checker, FindsALaterMessageThatBeganFirst) {
  Evidence run = GoodRun();
  run.asked[2].at = milliseconds(115);
  EXPECT_TRUE(Breaks(run, kOrderKept));
  // Where the second was on its way before the first was taken, nobody promised an order.
  run.said[1].first_sent = milliseconds(105);
  run.shown[0].place = 2;
  run.shown[1].place = 1;
  EXPECT_EQ(Check(run), std::vector<Finding>{});
}

TEST(Checker, FindsALaterAnswerThatIsShownFirst) {
  Evidence run = GoodRun();
  run.shown[0].place = 2;
  run.shown[1].place = 1;
  EXPECT_EQ(RulesBrokenIn(run), std::vector<std::string>{kOrderKept});
}

TEST(Checker, FindsAFenceThatTwoHold) {
  Evidence nodes = GoodRun();
  nodes.claims.push_back({milliseconds(140), 1, "node-b", "cmd_1", ""});
  EXPECT_EQ(RulesBrokenIn(nodes), std::vector<std::string>{kOneHolder});
  Evidence pieces = GoodRun();
  pieces.claims.push_back({milliseconds(140), 1, "node-a", "cmd_2", ""});
  EXPECT_EQ(RulesBrokenIn(pieces), std::vector<std::string>{kOneHolder});
  Evidence back = GoodRun();
  back.claims.push_back({milliseconds(700), 0, "node-a", "cmd_2", ""});
  EXPECT_EQ(RulesBrokenIn(back), std::vector<std::string>{kOneHolder});
}

TEST(Checker, FindsAChannelWithTwoTurnLeases) {
  Evidence two = GoodRun();
  two.leases[0].holding = {"cmd_1", "cmd_2"};
  EXPECT_EQ(RulesBrokenIn(two), std::vector<std::string>{kOneLease});
  Evidence another = GoodRun();
  another.leases[0].holder = "cmd_2";
  EXPECT_EQ(RulesBrokenIn(another), std::vector<std::string>{kOneLease});
}

TEST(Checker, FindsWhatWasLeftAndANodeThatFell) {
  Evidence left = GoodRun();
  left.leftovers = {{"lease", kCid}};
  EXPECT_EQ(RulesBrokenIn(left), std::vector<std::string>{kNothingLeft});
  Evidence fell = GoodRun();
  fell.node_faults = {"node 1 ended with 134 by itself"};
  EXPECT_EQ(RulesBrokenIn(fell), std::vector<std::string>{kNothingLeft});
}

TEST(WordIn, ReadsTheFirstWord) {
  EXPECT_EQ(WordIn("Anya (user anya-1): now w00012-a, w00013"), "w00012");
  EXPECT_EQ(WordIn("w0001 and w000a1"), "");
}

}  // namespace writ::chaos
