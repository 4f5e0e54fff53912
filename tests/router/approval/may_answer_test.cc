#include "router/approval/may_answer.h"

#include <gtest/gtest.h>

#include <chrono>

namespace writ::router {
namespace {

using Answer = Membership::Answer;

constexpr TimePoint kNoon{std::chrono::seconds{1795944600}};
const UserId kAnya("anya-1");

Caller User(const std::string& id) { return UserCaller{UserId(id), kNoon}; }
const Caller kAnonymous = AnonymousCaller{};
const Caller kBackend = BackendCaller{};
const Membership kMember{Answer::kMember, {}};
const Membership kStranger{Answer::kNotMember, {}};
const Membership kUnknown{Answer::kUnknown, {}};

// A call that is held for Anya, as `caller` finds it.
HeldThere AnyasCall(bool caller_is_asked_there = false) {
  HeldThere there;
  there.something_runs = true;
  there.held.emplace();
  there.held->asked = kAnya;
  there.caller_is_asked_there = caller_is_asked_there;
  return there;
}

// The answer names another call, or another request.
HeldThere NotThatCall(bool caller_is_asked_there = false) {
  HeldThere there = AnyasCall(caller_is_asked_there);
  there.held.reset();
  return there;
}

TEST(JudgeAnswer, TheOneAskedMayAnswer) {
  EXPECT_EQ(JudgeAnswer(User("anya-1"), AnyasCall(true), kMember), MayAnswer::kYes);
}

TEST(JudgeAnswer, AnotherMemberOfTheChannelDoesNotReleaseTheCall) {
  EXPECT_EQ(JudgeAnswer(User("ben-2"), AnyasCall(), kMember), MayAnswer::kAskedOfAnother);
  EXPECT_EQ(JudgeAnswer(User("ben-2"), AnyasCall(true), kMember), MayAnswer::kAskedOfAnother)
      << "asked of another call there";
}

TEST(JudgeAnswer, AStrangerLearnsNothing) {
  EXPECT_EQ(JudgeAnswer(User("cleo-3"), AnyasCall(), kStranger), MayAnswer::kNoSession);
  EXPECT_EQ(JudgeAnswer(User("cleo-3"), NotThatCall(), kStranger), MayAnswer::kNoSession);
  EXPECT_EQ(JudgeAnswer(User("cleo-3"), HeldThere{}, kStranger), MayAnswer::kNoSession);
}

TEST(JudgeAnswer, AnonymousIsRefusedBeforeAnythingIsLookedAt) {
  EXPECT_EQ(JudgeAnswer(kAnonymous, HeldThere{}, kMember), MayAnswer::kAnonymous);
  EXPECT_EQ(JudgeAnswer(kAnonymous, AnyasCall(), kMember), MayAnswer::kAnonymous);
  EXPECT_EQ(JudgeAnswer(User(""), AnyasCall(), kMember), MayAnswer::kAnonymous);
}

TEST(JudgeAnswer, TheAskedPersonWhoLeftTheChannelIsAStranger) {
  EXPECT_EQ(JudgeAnswer(User("anya-1"), AnyasCall(true), kStranger), MayAnswer::kNoSession);
}

TEST(JudgeAnswer, WhereMembershipCannotBeHadOnlyWhoIsAskedThereIsTold) {
  EXPECT_EQ(JudgeAnswer(User("anya-1"), AnyasCall(true), kUnknown), MayAnswer::kMembershipUnknown);
  EXPECT_EQ(JudgeAnswer(User("anya-1"), NotThatCall(true), kUnknown), MayAnswer::kMembershipUnknown)
      << "they are asked of another call there";
  EXPECT_EQ(JudgeAnswer(User("ben-2"), AnyasCall(), kUnknown), MayAnswer::kNoSession);
}

TEST(JudgeAnswer, CallAndRequestMustNameOneHeldCall) {
  EXPECT_EQ(JudgeAnswer(User("anya-1"), NotThatCall(true), kMember), MayAnswer::kNoCallHeld);
  EXPECT_EQ(JudgeAnswer(kBackend, NotThatCall(), kUnknown), MayAnswer::kNoCallHeld);
}

TEST(JudgeAnswer, TheBackendMayAnswerAnyCallAndNeedsNoMembership) {
  EXPECT_EQ(JudgeAnswer(kBackend, AnyasCall(), kUnknown), MayAnswer::kYes);
  EXPECT_EQ(JudgeAnswer(BackendCaller{.is_operator = true}, AnyasCall(), kUnknown),
            MayAnswer::kYes);
  EXPECT_EQ(JudgeAnswer(kBackend, HeldThere{}, kUnknown), MayAnswer::kNoSession);
}

TEST(JudgeAnswer, WhatOnlyTheBackendMayAnswerIsNoUsers) {
  HeldThere there = AnyasCall();
  there.held->asked = UserId{};
  EXPECT_EQ(JudgeAnswer(User("anya-1"), there, kMember), MayAnswer::kAskedOfAnother);
  EXPECT_EQ(JudgeAnswer(kBackend, there, kUnknown), MayAnswer::kYes);
}

TEST(JudgeAnswer, ATokenThatWasRevokedIsRefused) {
  const auto revoked_at = [](TimePoint at) { return Membership{Answer::kMember, at}; };
  using std::chrono::microseconds;
  EXPECT_EQ(JudgeAnswer(User("anya-1"), AnyasCall(true), revoked_at(kNoon + microseconds(1))),
            MayAnswer::kTokenRevoked);
  EXPECT_EQ(JudgeAnswer(User("anya-1"), AnyasCall(true), revoked_at(kNoon)), MayAnswer::kYes);
  const Caller ageless = UserCaller{kAnya, std::nullopt};
  EXPECT_EQ(JudgeAnswer(ageless, AnyasCall(true), revoked_at(kNoon)), MayAnswer::kTokenRevoked);
  EXPECT_EQ(JudgeAnswer(ageless, AnyasCall(true), kMember), MayAnswer::kYes);
}

TEST(NeedsMembership, IsAskedOnlyWhereItDecides) {
  EXPECT_TRUE(NeedsMembership(User("anya-1"), AnyasCall(true)));
  EXPECT_TRUE(NeedsMembership(User("ben-2"), AnyasCall()));
  EXPECT_FALSE(NeedsMembership(User("ben-2"), HeldThere{})) << "nothing runs: 404 either way";
  EXPECT_FALSE(NeedsMembership(User(""), AnyasCall()));
  EXPECT_FALSE(NeedsMembership(kAnonymous, AnyasCall()));
  EXPECT_FALSE(NeedsMembership(kBackend, AnyasCall()));
}

}  // namespace
}  // namespace writ::router
