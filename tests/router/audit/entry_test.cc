// What a step leaves in the audit log.
#include "router/audit/entry.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/router/turn/moves.h"

namespace writ::router {
namespace {

using std::chrono::seconds;
using tests::Answered;
using tests::Decided;
using tests::Gated;
using tests::Moved;
using tests::Replied;
using tests::Reported;
using tests::Said;
using tests::Thinking;
using tests::Verdict;
using Types = std::vector<std::string>;

template <class What>
std::vector<Json> Tell(Moved& moved, What what) {
  const Turn before = moved.turn();
  EXPECT_TRUE(moved.Take(std::move(what)));
  return AuditEntriesOf(Happenings(before, moved.turn()), before, moved.turn(), moved.now());
}

Types TypesOf(const std::vector<Json>& entries) {
  Types types;
  types.reserve(entries.size());
  for (const Json& entry : entries) types.push_back(entry.TextAt("type"));
  return types;
}

TEST(AuditEntries, AnAskNamesWhoIsAskedAndWhatIsBoundToIt) {
  Moved moved = Thinking();
  const auto entries = Tell(moved, Replied({Gated(Verdict::kHeld, "c1")}));
  ASSERT_EQ(TypesOf(entries), Types{"asked"});
  const Json& entry = entries[0];
  EXPECT_EQ(entry.TextAt("app_id"), "acme");
  EXPECT_EQ(entry.TextAt("session_id"), "ses_1");
  EXPECT_EQ(entry.TextAt("cid"), "callouts:team-1");
  EXPECT_EQ(entry.TextAt("run_id"), "cmd_1");
  EXPECT_EQ(entry.TextAt("call_id"), "c1");
  EXPECT_EQ(entry.TextAt("approval_id"), "apr_c1");
  EXPECT_EQ(entry.TextAt("tool"), "crm__echo");
  EXPECT_EQ(entry.TextAt("asked"), "anya-1");
  EXPECT_EQ(entry.TextAt("writer"), "anya-1");
  EXPECT_EQ(entry.TextAt("args_digest"), DigestOf(R"({"a":1})", "tool", "crm__echo"));
  EXPECT_EQ(entry.TextAt("args_mark"), MarkOf("key", R"({"a":1})"));
  EXPECT_EQ(entry.TextAt("at"), "2026-11-29T09:30:00Z");
  EXPECT_EQ(entry.TextAt("expires_at"), "2026-11-29T09:40:00Z");
}

TEST(AuditEntries, ADecisionNamesWhoDecidedAndHowTheyWereKnown) {
  Moved moved = Thinking();
  Tell(moved, Replied({Gated(Verdict::kHeld, "c1")}));
  CallDecided decided = Decided("c1", true, "fine by me");
  decided.decision.authenticated_by = "user_token";
  const auto entries = Tell(moved, decided);
  ASSERT_EQ(TypesOf(entries), Types{"decided"});
  EXPECT_EQ(entries[0].BoolAt("approved"), true);
  EXPECT_EQ(entries[0].TextAt("decided_by"), "user:anya-1");
  EXPECT_EQ(entries[0].TextAt("authenticated_by"), "user_token");
  EXPECT_EQ(entries[0].TextAt("reason"), "fine by me");
}

TEST(AuditEntries, AnEditHasAnEntryWithItsOwnDigest) {
  Moved moved = Thinking();
  Tell(moved, Replied({Gated(Verdict::kHeld, "c1")}));
  CallDecided edit = Decided("c1", true);
  edit.decision.edited_arguments = R"({"a":2})";
  edit.decision.edited_digest = DigestOf(R"({"a":2})", "tool", "crm__echo");
  const auto entries = Tell(moved, edit);
  ASSERT_EQ(TypesOf(entries), (Types{"decided", "edited"}));
  EXPECT_EQ(entries[1].TextAt("args_digest"), DigestOf(R"({"a":1})", "tool", "crm__echo"));
  EXPECT_EQ(entries[1].TextAt("edited_digest"), edit.decision.edited_digest);
  EXPECT_EQ(entries[1].TextAt("edited_mark"), MarkOf("key", R"({"a":2})"));
  const auto used = Tell(moved, CallSent{CallId("c1")});
  ASSERT_EQ(TypesOf(used), Types{"used"});
  EXPECT_EQ(used[0].TextAt("sent_mark"), MarkOf("key", R"({"a":2})")) << "what runs is the edit";
}

TEST(AuditEntries, WhatCameOfAnApprovedCallIsKept) {
  Moved moved = Thinking();
  Tell(moved, Replied({Gated(Verdict::kHeld, "c1"), Gated(Verdict::kFree, "c2")}));
  Tell(moved, Decided("c1", true));
  Tell(moved, CallSent{CallId("c1")});
  Tell(moved, CallSent{CallId("c2")});
  const auto entries = Tell(moved, Answered("c1"));
  ASSERT_EQ(TypesOf(entries), Types{"finished"});
  EXPECT_EQ(entries[0].TextAt("outcome"), "done");
  EXPECT_EQ(TypesOf(Tell(moved, Answered("c2"))), Types{}) << "nobody was asked of it";
  EXPECT_EQ(TypesOf(Tell(moved, Said("done"))), Types{});
}

TEST(AuditEntries, AnAllowedCallThatNeverLeftIsKeptAsThat) {
  Moved moved = Thinking();
  Tell(moved, Replied({Gated(Verdict::kHeld, "c1")}));
  Tell(moved, Decided("c1", true));
  const auto entries = Tell(moved, CancelAsked{"message deleted"});
  ASSERT_EQ(TypesOf(entries), Types{"finished"});
  EXPECT_EQ(entries[0].TextAt("outcome"), "cancelled");
}

TEST(AuditEntries, ADeclinedCallIsADecisionAndNoRefusal) {
  Moved moved = Thinking();
  Tell(moved, Replied({Gated(Verdict::kHeld, "c1")}));
  EXPECT_EQ(TypesOf(Tell(moved, Decided("c1", false))), Types{"decided"});
  // Asked for again, it is refused without asking.
  const auto again = Tell(moved, Replied({Gated(Verdict::kHeld, "c2")}));
  ASSERT_EQ(TypesOf(again), Types{"refused"});
  EXPECT_EQ(again[0].TextAt("status"), "declined");
}

TEST(AuditEntries, WhatTheRulesRefuseIsKeptWithItsReason) {
  Moved moved = Thinking();
  GatedCall nobody = Gated(Verdict::kRefused, "c1");
  nobody.status = "nobody_to_ask";
  nobody.reason = "nobody wrote this";
  const auto entries = Tell(moved, Replied({nobody, Gated(Verdict::kHeld, "c2")}));
  ASSERT_EQ(TypesOf(entries), (Types{"refused", "asked"}));
  EXPECT_EQ(entries[0].TextAt("status"), "nobody_to_ask");
  EXPECT_EQ(entries[0].TextAt("reason"), "nobody wrote this");
  Tell(moved, Decided("c2", true));
  const auto stopped = Tell(moved, CallStopped{CallId("c2"), "blocked", "denied now"});
  ASSERT_EQ(TypesOf(stopped), Types{"refused"}) << "allowed, and forbidden when it was to be sent";
}

TEST(AuditEntries, AUseThatIsRefusedIsKept) {
  Moved moved = Thinking();
  Tell(moved, Replied({Gated(Verdict::kHeld, "c1")}));
  Tell(moved, Decided("c1", true));
  FindCall(moved.turn(), CallId("c1"))->approval->arguments = R"({"a":9})";
  const auto entries = Tell(moved, CallSent{CallId("c1")});
  ASSERT_EQ(TypesOf(entries), Types{"refused"});
  EXPECT_EQ(entries[0].TextAt("reason"), "approval record invalid");
}

TEST(AuditEntries, SilenceAndCancellingAreNoDecisions) {
  Moved silent = Thinking();
  Tell(silent, Replied({Gated(Verdict::kHeld, "c1")}));
  silent.Advance(seconds(600));
  EXPECT_EQ(TypesOf(Tell(silent, TimePassed{})), Types{"expired"});
  Moved cancelled = Thinking();
  Tell(cancelled, Replied({Gated(Verdict::kHeld, "c1")}));
  EXPECT_EQ(TypesOf(Tell(cancelled, CancelAsked{"message deleted"})), Types{"cancelled"});
}

TEST(AuditEntries, ThePolicyDecidesAsItself) {
  Moved moved = Thinking();
  const auto entries = Tell(moved, Replied({Gated(Verdict::kApproved, "c1")}));
  ASSERT_EQ(TypesOf(entries), Types{"decided"});
  EXPECT_EQ(entries[0].TextAt("decided_by"), "policy");
  EXPECT_EQ(entries[0].TextAt("authenticated_by"), "policy");
}

// A call whose callback is asked before anybody.
GatedCall Consulted(const std::string& id) {
  GatedCall gated = Gated(Verdict::kHeld, id);
  gated.call.has_callback = true;
  gated.approval.asked = UserId();
  return gated;
}

TEST(AuditEntries, WhatACallbackLeavesToAPersonIsAskedOnceMore) {
  Moved moved = Thinking();
  Tell(moved, Replied({Consulted("c1")}));
  CallConsulted said;
  said.call = CallId("c1");
  said.approval = ApprovalId("apr_c1");
  said.verdict = CallConsulted::Verdict::kPending;
  said.asked = tests::kAnya;
  const auto entries = Tell(moved, said);
  ASSERT_EQ(TypesOf(entries), Types{"asked"});
  EXPECT_EQ(entries[0].TextAt("asked"), "anya-1");
}

TEST(AuditEntries, AnEditThatTheCallbackIsAskedAboutIsKeptWhateverItSays) {
  Moved moved = Thinking();
  Tell(moved, Replied({Consulted("c1")}));
  CallConsulted said;
  said.call = CallId("c1");
  said.approval = ApprovalId("apr_c1");
  said.verdict = CallConsulted::Verdict::kPending;
  said.asked = tests::kAnya;
  Tell(moved, said);
  CallDecided edit = Decided("c1", true);
  edit.by_user = true;
  edit.decision.authenticated_by = "user_token";
  edit.decision.edited_arguments = R"({"a":2})";
  edit.decision.edited_digest = DigestOf(R"({"a":2})", "tool", "crm__echo");
  const auto proposed = Tell(moved, edit);
  ASSERT_EQ(TypesOf(proposed), Types{"proposed"});
  EXPECT_EQ(proposed[0].TextAt("decided_by"), "user:anya-1");
  EXPECT_EQ(proposed[0].TextAt("edited_digest"), edit.decision.edited_digest);
  said.verdict = CallConsulted::Verdict::kDenied;
  said.said.decision.decided_by = "callback";
  const auto decided = Tell(moved, said);
  ASSERT_EQ(TypesOf(decided), Types{"decided"});
  EXPECT_EQ(decided[0].TextAt("authenticated_by"), "callback");
  EXPECT_EQ(decided[0].BoolAt("approved"), false);
}

TEST(AuditEntries, AToolsQuestionIsAnAskOfItsOwn) {
  Moved moved = Thinking();
  Tell(moved, Replied({Gated(Verdict::kFree, "c1")}));
  Tell(moved, CallSent{CallId("c1")});
  const auto asked = Tell(moved, tests::Asks(moved.CallOf("c1")));
  ASSERT_EQ(TypesOf(asked), Types{"asked"});
  EXPECT_EQ(asked[0].TextAt("kind"), "input");
  EXPECT_EQ(asked[0].Dump().find("Which size?"), std::string::npos) << "its words are arguments";
}

TEST(AuditEntries, NoneHoldsAnArgument) {  // fault 31
  const std::string secret = R"({"password":"s3cr3t-xyz"})";
  Moved moved = Thinking();
  std::string all;
  const auto keep = [&](const std::vector<Json>& entries) {
    for (const Json& entry : entries) all += AuditText(entry, 1) + '\n';
  };
  keep(Tell(moved, Replied({Gated(Verdict::kHeld, "c1", secret)})));
  CallDecided edit = Decided("c1", true);
  edit.decision.edited_arguments = R"({"password":"s3cr3t-edit"})";
  edit.decision.edited_digest = DigestOf(edit.decision.edited_arguments, "tool", "crm__echo");
  keep(Tell(moved, edit));
  keep(Tell(moved, CallSent{CallId("c1")}));
  keep(Tell(moved, Answered("c1", "s3cr3t-result")));
  EXPECT_EQ(all.find("s3cr3t"), std::string::npos) << all;
  EXPECT_EQ(all.find("arguments"), std::string::npos) << all;
}

TEST(AuditEntries, ALateReportIsKept) {  // design section 3
  Moved moved = Thinking();
  Tell(moved, Replied({Gated(Verdict::kFree, "c1")}));
  const Json entry =
      LateReportEntry(moved.turn(), moved.CallOf("c1"),
                      {router::CallReport::Kind::kAnswered, "s3cr3t", false, ""}, moved.now());
  EXPECT_EQ(entry.TextAt("type"), "late_report");
  EXPECT_EQ(entry.TextAt("report"), "answered");
  EXPECT_EQ(entry.TextAt("call_id"), "c1");
  EXPECT_EQ(entry.Dump().find("s3cr3t"), std::string::npos);
}

TEST(AuditEntries, AreKeptAsCanonicalTextWithTheirNumber) {
  EXPECT_EQ(AuditText(Json::MakeObject({{"type", "used"}, {"at", "x"}}), 7),
            R"({"at":"x","number":7,"type":"used"})");
}

}  // namespace
}  // namespace writ::router
