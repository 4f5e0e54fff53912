#include "router/audit/aside.h"

#include <gtest/gtest.h>

#include "router/base/digest.h"

namespace writ::router {
namespace {

const UserId kAnya("anya-1");

Json Decided() {
  return Json::MakeObject({{"type", "decided"},
                           {"cid", "callouts:team-1"},
                           {"decided_by", "user:anya-1"},
                           {"reason", "it is for my mother"}});
}

TEST(Aside, WordsStandBesideTheEntryAndTheirDigestInIt) {
  const SplitEntry split = SplitOff(Decided(), kAnya, "salt");
  EXPECT_EQ(split.entry.Dump().find("mother"), std::string::npos);
  EXPECT_EQ(split.entry.TextAt("decided_by"), "user:anya-1");
  EXPECT_EQ(split.aside.TextAt("reason"), "it is for my mother");
  EXPECT_EQ(split.aside.TextAt("person"), "anya-1");
  EXPECT_TRUE(FitsEntry(split.aside, split.entry));
}

TEST(Aside, WhateverIsChangedInItDoesNotFitAnyMore) {
  const SplitEntry split = SplitOff(Decided(), kAnya, "salt");
  for (const char* member : {"reason", "person", "salt"}) {
    Json changed = split.aside;
    changed.Set(member, "another");
    EXPECT_FALSE(FitsEntry(changed, split.entry)) << member;
  }
  Json more = split.aside;
  more.Set("tool", "another");
  EXPECT_FALSE(FitsEntry(more, split.entry));
  EXPECT_FALSE(FitsEntry(Json::MakeObject(), Json::MakeObject())) << "an entry without a digest";
}

TEST(Aside, TheSaltKeepsAShortTextFromBeingGuessed) {
  const SplitEntry one = SplitOff(Decided(), kAnya, "one salt");
  const SplitEntry other = SplitOff(Decided(), kAnya, "another");
  EXPECT_NE(one.entry.TextAt("aside_digest"), other.entry.TextAt("aside_digest"));
}

TEST(Aside, AnEntryWithoutAnythingPersonalStaysAsItIs) {
  Json entry = Decided();
  entry.Set("reason", Json());
  const SplitEntry split = SplitOff(entry, kAnya, "salt");
  EXPECT_EQ(split.entry, entry);
  EXPECT_TRUE(split.aside.IsNull());
}

TEST(Aside, AnIdThatIsAPhoneNumberStandsBeside) {
  const UserId number("sms:+15550100");
  const SplitEntry split =
      SplitOff(Json::MakeObject({{"type", "asked"},
                                 {"cid", number.text()},
                                 {"asked", number.text()},
                                 {"decided_by", "consent:con_1:user:" + number.text()}}),
               number, "salt");
  EXPECT_EQ(split.entry.Dump().find("5550100"), std::string::npos);
  EXPECT_EQ(split.aside.TextAt("cid"), number.text());
  EXPECT_TRUE(IsAbout(split.aside, number));
}

TEST(Aside, ItIsAboutWhoeverItNamesAndNotWhoeverItsWordsName) {
  const SplitEntry split = SplitOff(Decided(), kAnya, "salt");
  EXPECT_TRUE(IsAbout(split.aside, kAnya));
  EXPECT_FALSE(IsAbout(split.aside, UserId("anya")));
  EXPECT_FALSE(IsAbout(split.aside, UserId("it is for my mother")));
  EXPECT_FALSE(IsAbout(split.aside, UserId()));
  EXPECT_TRUE(IsAbout(Json::MakeObject({{"decided_by", "user:ben-2"}}), UserId("ben-2")));
}

}  // namespace
}  // namespace writ::router
