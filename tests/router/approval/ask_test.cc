#include "router/approval/ask.h"

#include <gtest/gtest.h>

#include "router/turn/session.h"

namespace writ::router {
namespace {

const UserId kAnya("anya-1");
const UserId kBen("ben-2");
const UserId kNobody;

Asked User(const UserId& user) { return {Asked::Kind::kUser, user}; }
const Asked kAsksNobody{Asked::Kind::kNobody, {}};

Session OwnedBy(const UserId& owner) {
  Session session;
  session.owner = owner;
  return session;
}

TEST(AskedFor, TheWriterIsAskedAlsoInASharedChannel) {
  EXPECT_EQ(AskedFor(Approver::kWriter, kAnya, kNobody, false), User(kAnya));
  EXPECT_EQ(AskedFor(Approver::kWriter, kAnya, kNobody, true), User(kAnya));
}

TEST(AskedFor, TheWriterGoesBeforeTheOwner) {
  EXPECT_EQ(AskedFor(Approver::kWriter, kBen, kAnya, false), User(kBen));
}

TEST(AskedFor, TheOwnerIsAskedForWhatTheyAskedForThemselvesUnlessItIsShared) {
  EXPECT_EQ(AskedFor(Approver::kWriter, kNobody, kAnya, false), User(kAnya));
  EXPECT_EQ(AskedFor(Approver::kWriter, kNobody, kAnya, true), kAsksNobody);
}

TEST(AskedFor, AMissingIdIsNobodyAndNeverEverybody) {
  EXPECT_EQ(AskedFor(Approver::kWriter, kNobody, kNobody, false), kAsksNobody);
  EXPECT_EQ(AskedFor(Approver::kWriter, UserId(""), UserId(""), true), kAsksNobody);
}

TEST(AskedFor, TheBackendAloneIsAskedWhereTheBindingSaysSoAlsoWhereNobodyWrote) {
  const Asked backend{Asked::Kind::kBackend, {}};
  EXPECT_EQ(AskedFor(Approver::kBackend, kAnya, kAnya, false), backend);
  EXPECT_EQ(AskedFor(Approver::kBackend, kNobody, kNobody, true), backend);
}

TEST(AskedFor, WhatThePolicyDecidesNeedsNoPerson) {
  for (const Approver approver : {Approver::kAutoApprove, Approver::kAutoDeny}) {
    EXPECT_NE(AskedFor(approver, kNobody, kNobody, true).kind, Asked::Kind::kNobody);
    EXPECT_TRUE(AskedFor(approver, kAnya, kNobody, false).user.empty()) << "nobody was asked";
  }
}

TEST(PeopleOf, AMessageInANamedChannelHasItsAuthorAsWriter) {
  const People people = PeopleOf(ChannelRule::kNamed, kAnya, OwnedBy(kNobody));
  EXPECT_EQ(people.writer, kAnya);
  EXPECT_TRUE(people.initiator.empty());
}

TEST(PeopleOf, AMessageInAConversationOfTheOwnersHasThemAsInitiatorAndNoWriter) {
  const People people = PeopleOf(ChannelRule::kAgent, kAnya, OwnedBy(kAnya));
  EXPECT_TRUE(people.writer.empty());
  EXPECT_EQ(people.initiator, kAnya);
}

TEST(PeopleOf, AnotherPersonsMessageThereHasNobody) {
  const People people = PeopleOf(ChannelRule::kAgent, kBen, OwnedBy(kAnya));
  EXPECT_TRUE(people.writer.empty());
  EXPECT_TRUE(people.initiator.empty()) << "the owner never consents to what somebody else asked";
}

TEST(PeopleOf, ABridgedThreadHasNobodyAndAnEmptyAuthorNeverMatchesAnEmptyOwner) {
  const People bridged =
      PeopleOf(ChannelRule::kAgent, UserId("slack-U0000ALICE"), OwnedBy(kNobody));
  EXPECT_TRUE(bridged.writer.empty() && bridged.initiator.empty());
  const People empty = PeopleOf(ChannelRule::kNamed, kNobody, OwnedBy(kNobody));
  EXPECT_TRUE(empty.writer.empty() && empty.initiator.empty());
}

}  // namespace
}  // namespace writ::router
