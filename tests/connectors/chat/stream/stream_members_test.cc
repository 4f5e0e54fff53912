#include "connectors/chat/stream/stream_members.h"

#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <string>

#include "tests/support/fake_clock.h"
#include "tests/support/fake_http.h"

namespace writ::connectors {
namespace {

using router::Membership;
using tests::HttpFails;
using tests::HttpReply;
using Answer = router::Membership::Answer;

Membership Read(const router::HttpOutcome& outcome) {
  return ReadMembership(ReadReply(outcome, {}), router::UserId("anya-1"));
}

// Anya's row with something added to it, and something to her user.
Answer WithRow(const std::string& row, const std::string& user = "") {
  return Read(HttpReply(200, R"({"members":[{"user_id":"anya-1")" + row +
                                 R"(,"user":{"id":"anya-1")" + user + R"(}}],"duration":"1ms"})"))
      .answer;
}

TEST(StreamMembers, ARowOfThatUserIsAMembership) {
  EXPECT_EQ(WithRow(""), Answer::kMember);
  EXPECT_EQ(WithRow(R"(,"banned":false,"shadow_banned":false,"deleted_at":null)"), Answer::kMember);
  EXPECT_EQ(Read(HttpReply(200, R"({"members":[{"user":{"id":"anya-1"}}]})")).answer,
            Answer::kMember);
}

TEST(StreamMembers, NoRowOrAnothersRowIsNone) {
  EXPECT_EQ(Read(HttpReply(200, R"({"members":[]})")).answer, Answer::kNotMember);
  EXPECT_EQ(
      Read(HttpReply(200, R"({"members":[{"user_id":"ben-2"},{"user_id":"Anya-1"},5]})")).answer,
      Answer::kNotMember);
}

TEST(StreamMembers, ABannedDeactivatedOrDeletedOneIsNoMember) {
  EXPECT_EQ(WithRow(R"(,"banned":true)"), Answer::kNotMember);
  EXPECT_EQ(WithRow(R"(,"shadow_banned":true)"), Answer::kNotMember);
  EXPECT_EQ(WithRow(R"(,"deleted_at":"2026-11-29T09:30:00Z")"), Answer::kNotMember);
  EXPECT_EQ(WithRow("", R"(,"banned":true)"), Answer::kNotMember);
  EXPECT_EQ(WithRow("", R"(,"shadow_banned":true)"), Answer::kNotMember);
  EXPECT_EQ(WithRow("", R"(,"deactivated_at":"2026-11-29T09:30:00Z")"), Answer::kNotMember);
  EXPECT_EQ(WithRow("", R"(,"deleted_at":1795944600000000000)"), Answer::kNotMember);
}

TEST(StreamMembers, AnInvitationIsAMembershipOnceAccepted) {
  EXPECT_EQ(WithRow(R"(,"invited":true)"), Answer::kNotMember);
  EXPECT_EQ(WithRow(R"(,"status":"pending")"), Answer::kNotMember);
  EXPECT_EQ(WithRow(R"(,"invited":true,"invite_accepted_at":"2026-11-29T09:30:00Z")"),
            Answer::kMember);
  EXPECT_EQ(WithRow(R"(,"invited":true,"invite_rejected_at":"2026-11-29T09:30:00Z")"),
            Answer::kNotMember);
  EXPECT_EQ(WithRow(R"(,"invite_accepted_at":"2026-11-29T09:30:00Z")"
                    R"(,"invite_rejected_at":"2026-11-29T09:31:00Z")"),
            Answer::kNotMember);
  // Custom data is the member's own to write.
  EXPECT_EQ(WithRow(R"(,"invited":true,"custom":{"invite_accepted_at":"2026-11-29T09:30:00Z"})"),
            Answer::kNotMember);
}

TEST(StreamMembers, WhatCannotBeReadIsUnknownAndNeverAGuess) {
  EXPECT_EQ(Read(HttpReply(200, "<html>")).answer, Answer::kUnknown);
  EXPECT_EQ(Read(HttpReply(200, "{}")).answer, Answer::kUnknown);
  EXPECT_EQ(Read(HttpReply(200, R"({"members":null})")).answer, Answer::kUnknown);
  EXPECT_EQ(Read(HttpReply(401, R"({"code":43})")).answer, Answer::kUnknown);
  EXPECT_EQ(Read(HttpReply(404, "<html>")).answer, Answer::kUnknown);
  EXPECT_EQ(Read(HttpReply(429, "")).answer, Answer::kUnknown);
  EXPECT_EQ(Read(HttpReply(500, R"({"code":-1})")).answer, Answer::kUnknown);
  EXPECT_EQ(Read(HttpFails(router::HttpFailure::Kind::kTimedOut)).answer, Answer::kUnknown);
}

TEST(StreamMembers, AChannelThatIsNotThereHasNoMembers) {
  EXPECT_EQ(Read(HttpReply(404, R"({"code":16,"message":"does not exist"})")).answer,
            Answer::kNotMember);
}

TEST(StreamMembers, TokensThatTheUserRevokedAreTold) {
  const Membership text =
      Read(HttpReply(200, R"({"members":[{"user_id":"anya-1","user":{"id":"anya-1",)"
                          R"("revoke_tokens_issued_before":"2026-11-29T09:30:00Z"}}]})"));
  EXPECT_EQ(text.answer, Answer::kMember);
  EXPECT_EQ(text.tokens_valid_from, router::TimePoint(std::chrono::seconds(1795944600)));
  EXPECT_EQ(WithRow("", R"(,"revoke_tokens_issued_before":"soon")"), Answer::kUnknown);
  EXPECT_EQ(WithRow("", R"(,"revoke_tokens_issued_before":null)"), Answer::kMember);
}

TEST(StreamMembers, OneRequestAsksForThatOneUserWithinTheTime) {
  tests::FakeHttp http;
  tests::FakeClock clock;
  StreamMembers members({"k1", "s3cret", "http://chat.test"}, http, clock);
  http.Queue(HttpReply(200, R"({"members":[{"user_id":"anya-1"}]})"));
  std::optional<Membership> told;
  members.Ask(router::Cid("callouts:team-1"), router::UserId("anya-1"),
              std::chrono::milliseconds(3000), [&](const Membership& answer) { told = answer; });
  EXPECT_FALSE(told.has_value());
  http.Run();
  ASSERT_TRUE(told.has_value());
  EXPECT_EQ(told->answer, Answer::kMember);
  EXPECT_EQ(http.sent().back().timeout, std::chrono::milliseconds(3000));
  EXPECT_EQ(http.sent().back().url,
            "http://chat.test/members?api_key=k1&payload=%7B%22type%22%3A%22callouts%22%2C%22id%22"
            "%3A%22team-1%22%2C%22filter_conditions%22%3A%7B%22id%22%3A%7B%22%24eq%22%3A%22anya-1"
            "%22%7D%7D%2C%22sort%22%3A%5B%5D%2C%22limit%22%3A1%7D");
}

TEST(StreamMembers, NobodyIsNoMemberAndIsNotAskedFor) {
  tests::FakeHttp http;
  tests::FakeClock clock;
  StreamMembers members({"k1", "s3cret", "http://chat.test"}, http, clock);
  std::optional<Membership> told;
  members.Ask(router::Cid("callouts:team-1"), router::UserId(), std::chrono::milliseconds(3000),
              [&](const Membership& answer) { told = answer; });
  http.Run();
  ASSERT_TRUE(told.has_value());
  EXPECT_EQ(told->answer, Answer::kNotMember);
  EXPECT_TRUE(http.sent().empty());
}

}  // namespace
}  // namespace writ::connectors
