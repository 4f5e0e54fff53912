// What a step is told to have made happen: each thing once, in order.
#include "router/turn/happening.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "router/turn/next.h"
#include "tests/router/turn/walk.h"

namespace writ::router {
namespace {

using std::chrono::seconds;
using tests::Answered;
using tests::Decided;
using tests::Gated;
using tests::Moved;
using tests::Replied;
using tests::Said;
using tests::Thinking;
using tests::Verdict;
using Kind = Happening::Kind;
using Told = std::vector<Happening>;

// As the stage names approvals: `apr_` and the call.
Happening Of(Kind kind, const std::string& call = "") {
  const bool of_the_record = kind != Kind::kHeld && kind != Kind::kFinished && !call.empty();
  return {kind, CallId(call), of_the_record ? ApprovalId("apr_" + call) : ApprovalId()};
}

// What `event` is told to have made happen.
template <class What>
Told Tell(Moved& moved, What what) {
  const Turn before = moved.turn();
  EXPECT_TRUE(moved.Take(std::move(what)));
  return Happenings(before, moved.turn());
}

TEST(Happenings, AHeldCallIsAskedAndWaits) {
  Moved moved = Thinking();
  EXPECT_EQ(Tell(moved, Replied({Gated(Verdict::kHeld, "c1")})),
            (Told{Of(Kind::kAsked, "c1"), Of(Kind::kHeld, "c1")}));
}

TEST(Happenings, CallsAreToldInTheModelsOrder) {
  Moved moved = Thinking();
  EXPECT_EQ(Tell(moved, Replied({Gated(Verdict::kHeld, "c1"), Gated(Verdict::kRefused, "c2"),
                                 Gated(Verdict::kFree, "c3"), Gated(Verdict::kHeld, "c4")})),
            (Told{Of(Kind::kAsked, "c1"), Of(Kind::kHeld, "c1"), Of(Kind::kFinished, "c2"),
                  Of(Kind::kAsked, "c4"), Of(Kind::kHeld, "c4")}));
}

TEST(Happenings, AnApprovedCallIsDecidedThenUsedThenFinishedThenTheTurnEnds) {
  Moved moved = Thinking();
  Tell(moved, Replied({Gated(Verdict::kHeld, "c1")}));
  EXPECT_EQ(Tell(moved, Decided("c1", true)), (Told{Of(Kind::kDecided, "c1")}));
  EXPECT_EQ(Tell(moved, CallSent{CallId("c1")}), (Told{Of(Kind::kUsed, "c1")}));
  EXPECT_EQ(Tell(moved, Answered("c1")), (Told{Of(Kind::kFinished, "c1")}));
  EXPECT_EQ(Tell(moved, Said("done")), (Told{Of(Kind::kTurnEnded)}));
}

TEST(Happenings, ADeclinedCallIsDecidedAndHasItsOutcome) {
  Moved moved = Thinking();
  Tell(moved, Replied({Gated(Verdict::kHeld, "c1")}));
  EXPECT_EQ(Tell(moved, Decided("c1", false)),
            (Told{Of(Kind::kDecided, "c1"), Of(Kind::kFinished, "c1")}));
}

TEST(Happenings, NobodysSilenceIsExpiredAndNoDecision) {
  Moved moved = Thinking();
  Tell(moved, Replied({Gated(Verdict::kHeld, "c1")}));
  moved.Advance(seconds(600));
  EXPECT_EQ(Tell(moved, TimePassed{}), (Told{Of(Kind::kExpired, "c1"), Of(Kind::kFinished, "c1")}));
}

TEST(Happenings, WhatIsHeldWhenTheTurnIsCancelledIsCancelledFirst) {
  Moved moved = Thinking();
  Tell(moved, Replied({Gated(Verdict::kHeld, "c1"), Gated(Verdict::kFree, "c2")}));
  EXPECT_EQ(Tell(moved, CancelAsked{"message deleted"}),
            (Told{Of(Kind::kCancelled, "c1"), Of(Kind::kFinished, "c1"), Of(Kind::kFinished, "c2"),
                  Of(Kind::kTurnEnded)}));
}

TEST(Happenings, ThePolicyDecidesAndAsksNobody) {
  Moved moved = Thinking();
  EXPECT_EQ(Tell(moved, Replied({Gated(Verdict::kApproved, "c1"), Gated(Verdict::kDenied, "c2")})),
            (Told{Of(Kind::kDecided, "c1"), Of(Kind::kDecided, "c2"), Of(Kind::kFinished, "c2")}));
}

TEST(Happenings, AFreeCallIsToldOfWhenItHasItsOutcome) {
  Moved moved = Thinking();
  EXPECT_TRUE(Tell(moved, Replied({Gated(Verdict::kFree, "c1")})).empty());
  EXPECT_TRUE(Tell(moved, CallSent{CallId("c1")}).empty());
  EXPECT_EQ(Tell(moved, Answered("c1")), (Told{Of(Kind::kFinished, "c1")}));
}

TEST(Happenings, ARecordThatWasChangedIsCancelledAndItsCallFails) {
  Moved moved = Thinking();
  Tell(moved, Replied({Gated(Verdict::kHeld, "c1")}));
  FindCall(moved.turn(), CallId("c1"))->approval->arguments = R"({"a":2})";
  EXPECT_EQ(Tell(moved, Decided("c1", true)),
            (Told{Of(Kind::kCancelled, "c1"), Of(Kind::kFinished, "c1")}));
}

TEST(Happenings, NothingIsToldOfAnEventThatMayNotHappen) {
  Moved moved = Thinking();
  Tell(moved, Replied({Gated(Verdict::kHeld, "c1")}));
  const Turn before = moved.turn();
  EXPECT_FALSE(moved.Take(Answered("c1")));
  EXPECT_TRUE(Happenings(before, moved.turn()).empty());
}

int Rank(Kind kind) {
  switch (kind) {
    case Kind::kAsked:
      return 0;
    case Kind::kHeld:
      return 1;
    case Kind::kPutTo:
    case Kind::kProposed:
    case Kind::kDecided:
    case Kind::kExpired:
    case Kind::kCancelled:
      return 2;
    case Kind::kUsed:
      return 3;
    case Kind::kFinished:
      return 4;
    case Kind::kTurnEnded:
      return 5;
  }
  return 6;
}

// Whatever happens to a turn: each thing is told once, in the order of its call's life, nothing
// after the end of the turn, and at its end every call has an outcome.
TEST(Happenings, AreEachToldOnceAndInOrderOnAnyWalk) {
  std::map<Kind, int> seen;
  for (std::uint32_t seed = 0; seed < 1000; ++seed) {
    tests::Walk walk(seed);
    std::map<CallId, int> last;  // the rank told last
    std::map<CallId, int> finished;
    bool ended = false;
    for (int step = 0; step < 60; ++step) {
      const Turn before = walk.turn();
      Step taken = Next(before, walk.RandomEvent());
      for (const Happening& told : Happenings(before, taken.turn)) {
        ++seen[told.kind];
        ASSERT_FALSE(ended) << "seed " << seed;
        // A question of its tool's is asked, held, decided and used like the call itself.
        const bool is_question = told.approval.text().find("_q") != std::string::npos;
        if (told.kind == Kind::kAsked && is_question) last.erase(told.call);
        if (told.kind == Kind::kPutTo || told.kind == Kind::kProposed) continue;  // maybe again
        const auto before_it = last.find(told.call);
        ASSERT_TRUE(before_it == last.end() || before_it->second < Rank(told.kind))
            << "seed " << seed << " step " << step << " " << NameOf(told.kind);
        last[told.call] = Rank(told.kind);
        if (told.kind == Kind::kFinished) ++finished[told.call];
        ended = told.kind == Kind::kTurnEnded;
      }
      walk.Follow(std::move(taken.turn));
    }
    ASSERT_EQ(ended, HasEnded(walk.turn().state));
    for (const Call& call : walk.turn().calls) {
      ASSERT_EQ(finished[call.id], IsSettled(call.state) ? 1 : 0) << "seed " << seed;
    }
  }
  for (const Kind kind : {Kind::kAsked, Kind::kHeld, Kind::kDecided, Kind::kExpired,
                          Kind::kCancelled, Kind::kUsed, Kind::kFinished, Kind::kTurnEnded}) {
    EXPECT_GT(seen[kind], 10) << NameOf(kind) << ": the walks never led there";
  }
}

}  // namespace
}  // namespace writ::router
