// What an app's backend is told of a step: contract section 6.
#include "router/turn/backend_event.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "router/turn/next.h"
#include "tests/router/turn/moves.h"

namespace writ::router {
namespace {

using std::chrono::seconds;
using tests::Answered;
using tests::Decided;
using tests::Gated;
using tests::kNoon;
using tests::Moved;
using tests::Replied;
using tests::Said;
using tests::Thinking;
using tests::Verdict;

Json Parsed(const std::string& text) { return ParseJson(text).value.value(); }

// What `event` is told by, as the backend reads it.
template <class What>
std::vector<Json> Tell(Moved& moved, What what, bool with_arguments = false) {
  const Turn before = moved.turn();
  EXPECT_TRUE(moved.Take(std::move(what)));
  std::vector<Json> events;
  for (const BackendEvent& event :
       EventsOf(Happenings(before, moved.turn()), moved.turn(), with_arguments, moved.now())) {
    events.push_back(Parsed(event.body));
    EXPECT_EQ(events.back().TextAt("id"), event.id);
    EXPECT_TRUE(event.id.starts_with("evt_"));
    EXPECT_EQ(event.id.find('.'), std::string::npos) << "a dot parts what is signed";
  }
  return events;
}

std::vector<std::string> TypesOf(const std::vector<Json>& events) {
  std::vector<std::string> types;
  types.reserve(events.size());
  for (const Json& event : events) types.push_back(event.TextAt("type"));
  return types;
}

std::vector<std::string> KeysOf(const Json& object) {
  std::vector<std::string> keys;
  for (const JsonMember& member : object.object()) keys.push_back(member.key);
  return keys;
}

using Types = std::vector<std::string>;

TEST(EventsOf, AStoryIsToldInItsOrder) {  // A17
  Moved moved = Thinking();
  EXPECT_EQ(TypesOf(Tell(moved, Replied({Gated(Verdict::kHeld, "c1")}))),
            (Types{"approval.requested", "tool.pending"}));
  EXPECT_EQ(TypesOf(Tell(moved, Decided("c1", true))), Types{"approval.decided"});
  EXPECT_EQ(TypesOf(Tell(moved, CallSent{CallId("c1")})), Types{});
  EXPECT_EQ(TypesOf(Tell(moved, Answered("c1"))), Types{"tool.finished"});
  EXPECT_EQ(TypesOf(Tell(moved, Said("done"))), Types{"turn.completed"});
}

TEST(EventsOf, TheEnvelopeIsTheContracts) {
  Moved moved = Thinking();
  const Json event = Tell(moved, Replied({Gated(Verdict::kHeld, "c1")})).at(0);
  EXPECT_EQ(KeysOf(event),
            (std::vector<std::string>{"id", "type", "created_at", "app_id", "cid", "data"}));
  EXPECT_EQ(event.TextAt("created_at"), "2026-11-29T09:30:00Z");
  EXPECT_EQ(event.TextAt("app_id"), "acme");
  EXPECT_EQ(event.TextAt("cid"), "callouts:team-1");
}

TEST(EventsOf, ASessionWithoutAChannelHasNoCid) {
  Turn turn = tests::ATurn();
  turn.cid = Cid();
  Moved moved = Thinking(turn);
  EXPECT_TRUE(Tell(moved, Said("done")).at(0).Find("cid")->IsNull());
}

TEST(EventsOf, AnApprovalIsToldWithItsMarkAndNothingOfItsArguments) {  // fault 31
  Moved moved = Thinking();
  const std::string secret = R"({"password":"s3cr3t-xyz"})";
  const auto asked = Tell(moved, Replied({Gated(Verdict::kHeld, "c1", secret)}));
  CallDecided edit = Decided("c1", true);
  edit.decision.edited_arguments = R"({"password":"other-s3cr3t"})";
  edit.decision.edited_digest = DigestOf(edit.decision.edited_arguments, "tool", "crm__echo");
  edit.mark = MarkOf("key", edit.decision.edited_arguments);
  const auto decided = Tell(moved, edit);
  const Json& data = *asked.at(0).Find("data");
  EXPECT_EQ(data.TextAt("approval_id"), "apr_c1");
  EXPECT_EQ(data.TextAt("call_id"), "c1");
  EXPECT_EQ(data.TextAt("asked"), "anya-1");
  EXPECT_EQ(data.TextAt("status"), "pending");
  EXPECT_EQ(data.TextAt("args_mark"), MarkOf("key", secret));
  EXPECT_EQ(decided.at(0).Find("data")->TextAt("args_mark"), edit.mark) << "of what runs";
  EXPECT_EQ(decided.at(0).Find("data")->Find("decision")->TextAt("decided_by"), "user:anya-1");
  for (const Json& event : {asked.at(0), decided.at(0)}) {
    const std::string text = event.Dump();
    EXPECT_EQ(text.find("s3cr3t"), std::string::npos);
    EXPECT_EQ(text.find(DigestOf(secret, "tool", "crm__echo")), std::string::npos)
        << "short arguments can be guessed against it";
    EXPECT_EQ(text.find(edit.decision.edited_digest), std::string::npos);
    EXPECT_EQ(event.Find("data")->Find("arguments"), nullptr);
  }
}

TEST(EventsOf, ArgumentsAreToldWhereTheyAreAskedFor) {
  Moved moved = Thinking();
  const auto asked = Tell(moved, Replied({Gated(Verdict::kHeld, "c1")}), true);
  const Json& data = *asked.at(0).Find("data");
  EXPECT_EQ(data.Find("arguments")->Dump(), R"({"a":1})");
  EXPECT_EQ(data.TextAt("args_digest"), DigestOf(R"({"a":1})", "tool", "crm__echo"));
  EXPECT_EQ(data.TextAt("args_mark"), MarkOf("key", R"({"a":1})"));
}

TEST(EventsOf, ACallIsToldByItsIdsAndOutcome) {
  Moved moved = Thinking();
  const auto events =
      Tell(moved, Replied({Gated(Verdict::kHeld, "c1"), Gated(Verdict::kRefused, "c2")}));
  EXPECT_EQ(TypesOf(events), (Types{"approval.requested", "tool.pending", "tool.finished"}));
  EXPECT_EQ(events[1].Find("data")->Dump(),
            Json::MakeObject({{"run_id", "cmd_1"},
                              {"call_id", "c1"},
                              {"connector", "crm"},
                              {"tool", "crm__echo"},
                              {"args_mark", MarkOf("key", R"({"a":1})")}})
                .Dump());
  EXPECT_EQ(events[2].Find("data")->TextAt("outcome"), "refused");
}

TEST(EventsOf, WhatIsSomebodyElsesToAnswerNowIsToldWithWhoseItIs) {
  GatedCall gated = Gated(Verdict::kHeld, "c1");
  gated.call.has_callback = true;
  gated.approval.asked = {};
  Moved moved = Thinking();
  Tell(moved, Replied({gated}));
  CallConsulted pending;
  pending.call = CallId("c1");
  pending.approval = ApprovalId("apr_c1");
  pending.verdict = CallConsulted::Verdict::kPending;
  pending.asked = tests::kAnya;
  const auto to_anya = Tell(moved, pending);
  ASSERT_EQ(TypesOf(to_anya), Types{"approval.reassigned"});
  EXPECT_EQ(to_anya[0].Find("data")->TextAt("asked"), "anya-1");
  EXPECT_EQ(to_anya[0].Find("data")->TextAt("status"), "pending");
  EXPECT_EQ(to_anya[0].Find("data")->Find("arguments"), nullptr);
  CallDecided edit = Decided("c1", true);
  edit.by_user = true;
  edit.decision.edited_arguments = R"({"a":2})";
  edit.decision.edited_digest = DigestOf(R"({"a":2})", "tool", "crm__echo");
  EXPECT_TRUE(Tell(moved, edit).empty()) << "the callback is asked about it first";
  CallConsulted failed = pending;
  failed.verdict = CallConsulted::Verdict::kFailed;
  failed.asked = {};
  const auto to_backend = Tell(moved, failed);
  ASSERT_EQ(TypesOf(to_backend), Types{"approval.reassigned"});
  EXPECT_TRUE(to_backend[0].Find("data")->Find("asked")->IsNull());
  EXPECT_NE(to_anya[0].TextAt("id"), to_backend[0].TextAt("id"));
}

TEST(EventsOf, TheTurnsEndIsToldWithItsWriter) {
  Moved moved = Thinking();
  const auto events = Tell(moved, CancelAsked{"message deleted"});
  EXPECT_EQ(TypesOf(events), Types{"turn.cancelled"});
  EXPECT_EQ(events[0].Find("data")->Dump(),
            R"({"run_id":"cmd_1","state":"cancelled","writer":"anya-1"})");
}

TEST(EventsOf, ExpiryIsNoDecision) {  // fault 10
  Moved moved = Thinking();
  Tell(moved, Replied({Gated(Verdict::kHeld, "c1")}));
  moved.Advance(seconds(600));
  const auto events = Tell(moved, TimePassed{});
  EXPECT_EQ(TypesOf(events), (Types{"approval.expired", "tool.finished"}));
  EXPECT_TRUE(events[0].Find("data")->Find("decision")->IsNull());
  EXPECT_EQ(events[0].Find("data")->TextAt("status"), "expired");
}

TEST(EventsOf, TheSameHappeningHasTheSameIdAndAnotherHasAnother) {
  std::set<std::string> ids;
  const auto told = [&](const std::string& app) {
    Turn turn = tests::ATurn();
    turn.app = AppId(app);
    Moved moved = Thinking(turn);
    std::vector<Json> all =
        Tell(moved, Replied({Gated(Verdict::kHeld, "c1"), Gated(Verdict::kHeld, "c2")}));
    for (Json& event : Tell(moved, Decided("c1", true))) all.push_back(event);
    for (const Json& event : all) ids.insert(event.TextAt("id"));
    return all;
  };
  const auto first = told("acme");
  EXPECT_EQ(ids.size(), 5U);
  told("acme");
  EXPECT_EQ(ids.size(), 5U) << "a commit that is run again tells the same";
  told("globex");
  EXPECT_EQ(ids.size(), 10U);
  EXPECT_EQ(MadeAt(first.at(0).Dump()), kNoon);
  EXPECT_THROW((void)MadeAt("{}"), std::runtime_error);
}

}  // namespace
}  // namespace writ::router
