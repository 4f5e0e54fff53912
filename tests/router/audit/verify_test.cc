// Whatever is done to a log by somebody who has not the secret shows.
#include "router/audit/verify.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "router/audit/aside.h"

namespace writ::router {
namespace {

const std::string kSecret = "the audit secret";
const AppId kAcme("acme");
constexpr TimePoint kNoon{std::chrono::seconds{1795944600}};

// An export, line by line, that a test tampers with.
class Log {
 public:
  explicit Log(AppId app = kAcme) : app_(std::move(app)) {}

  // An entry of the session, sealed.
  void Add(const std::string& session, int number, const std::string& what) {
    const Json entry =
        Json::MakeObject({{"session_id", session}, {"number", number}, {"what", what}});
    mac_ = SealOf(kSecret, app_, ++seal_, mac_, entry.Canonical());
    lines_.push_back(Json::MakeObject(
        {{"app_id", app_.text()}, {"seal", seal_}, {"mac", mac_}, {"entry", entry}}));
  }
  void AddUnsealed(const std::string& session, int number) {
    lines_.push_back(Json::MakeObject(
        {{"app_id", app_.text()},
         {"seal", Json()},
         {"mac", Json()},
         {"entry", Json::MakeObject({{"session_id", session}, {"number", number}})}}));
  }
  // Removes the first `count` and puts a genuine checkpoint in their place.
  void Retire(std::size_t count) {
    const Json& last = lines_.at(count - 1);
    const AuditHead head{app_, *last.IntAt("seal"), last.TextAt("mac")};
    lines_.erase(lines_.begin(), lines_.begin() + static_cast<std::ptrdiff_t>(count));
    lines_.insert(lines_.begin(),
                  Json::MakeObject({{"app_id", app_.text()},
                                    {"checkpoint", MakeCheckpoint(kSecret, head, kNoon)}}));
  }
  [[nodiscard]] std::vector<Json>& lines() { return lines_; }
  [[nodiscard]] AuditHead head() const { return {app_, seal_, mac_}; }

 private:
  AppId app_;
  std::int64_t seal_ = 0;
  std::string mac_;
  std::vector<Json> lines_;
};

// Six entries of two sessions.
Log ALog() {
  Log log;
  log.Add("ses_1", 1, "asked");
  log.Add("ses_2", 1, "asked");
  log.Add("ses_1", 2, "decided");
  log.Add("ses_1", 3, "used");
  log.Add("ses_2", 2, "decided");
  log.Add("ses_1", 4, "asked");
  return log;
}

AuditVerifier::Findings Verify(Log& log, const std::vector<AuditHead>& heads = {}) {
  AuditVerifier verifier(kSecret);
  for (const Json& line : log.lines()) verifier.Read(line.Dump());
  return verifier.Finish(heads);
}

std::string FaultsOf(Log& log, const std::vector<AuditHead>& heads = {}) {
  std::string faults;
  for (const std::string& fault : Verify(log, heads).faults) faults += fault + '\n';
  return faults;
}

bool Says(const std::vector<std::string>& notes, const std::string& words) {
  return std::ranges::any_of(
      notes, [&](const std::string& note) { return note.find(words) != std::string::npos; });
}

TEST(AuditVerifier, AWholeLogIsWithoutFaults) {
  Log log = ALog();
  const auto findings = Verify(log, {log.head()});
  EXPECT_EQ(findings.faults, std::vector<std::string>{});
  EXPECT_TRUE(Says(findings.notes, "acme: 6 sealed entries"));
  EXPECT_TRUE(Says(findings.notes, "complete up to head acme:6:"));
}

TEST(AuditVerifier, TheOrderOfKeysAndSpacesOfALineAreNoChange) {
  Log log;
  log.Add("ses_1", 1, "asked");
  const std::string mac = log.lines()[0].TextAt("mac");
  AuditVerifier verifier(kSecret);
  verifier.Read(R"( {"mac": ")" + mac +
                R"(", "entry": {"what":"asked" , "number":1,"session_id":"ses_1"},)"
                R"("seal":1,"app_id":"acme"} )");
  EXPECT_TRUE(verifier.Finish({}).faults.empty());
}

TEST(AuditVerifier, AChangedEntryIsFoundWhereverItStands) {
  for (std::size_t at = 0; at < 6; ++at) {
    Log log = ALog();
    log.lines()[at].Find("entry")->Set("what", "nothing at all");
    EXPECT_EQ(FaultsOf(log), "line " + std::to_string(at + 1) + ": acme: entry " +
                                 std::to_string(at + 1) +
                                 " was changed: it does not fit its seal\n");
  }
}

TEST(AuditVerifier, WhatStandsBesideAnEntryMayBeGoneAndMayNotBeAnother) {
  Json entry = Json::MakeObject({{"session_id", "ses_1"}, {"number", 1}, {"reason", "words"}});
  SplitEntry split = SplitOff(std::move(entry), UserId("anya-1"), "salt");
  const std::string mac = SealOf(kSecret, kAcme, 1, "", split.entry.Canonical());
  const auto verify = [&](const Json& aside) {
    AuditVerifier verifier(kSecret);
    verifier.Read(Json::MakeObject({{"app_id", "acme"},
                                    {"seal", 1},
                                    {"mac", mac},
                                    {"entry", split.entry},
                                    {"aside", aside}})
                      .Dump());
    return verifier.Finish({});
  };
  EXPECT_TRUE(verify(split.aside).faults.empty());
  const auto removed = verify({});
  EXPECT_TRUE(removed.faults.empty());
  EXPECT_TRUE(Says(removed.notes, "acme: of 1 entries what was personal was removed"));
  split.aside.Set("reason", "other words");
  const auto changed = verify(split.aside);
  ASSERT_EQ(changed.faults.size(), 1U);
  EXPECT_NE(changed.faults[0].find("what stands beside entry 1 was changed"), std::string::npos);
}

TEST(AuditVerifier, AChangedSealIsFoundAndBlamesNoOther) {
  for (std::size_t at = 0; at < 6; ++at) {
    Log log = ALog();
    std::string mac = log.lines()[at].TextAt("mac");
    mac[0] = mac[0] == '0' ? '1' : '0';
    log.lines()[at].Set("mac", mac);
    EXPECT_EQ(FaultsOf(log), "line " + std::to_string(at + 1) + ": acme: entry " +
                                 std::to_string(at + 1) +
                                 " was changed: it does not fit its seal\n");
  }
}

TEST(AuditVerifier, ARemovedEntryIsFound) {
  for (std::size_t at = 0; at < 5; ++at) {
    Log log = ALog();
    log.lines().erase(log.lines().begin() + static_cast<std::ptrdiff_t>(at));
    EXPECT_NE(FaultsOf(log).find("acme: entry " + std::to_string(at + 1) + " was removed\n"),
              std::string::npos)
        << FaultsOf(log);
  }
  Log log = ALog();
  log.lines().erase(log.lines().begin() + 1, log.lines().begin() + 4);
  EXPECT_NE(FaultsOf(log).find("acme: entries 2 to 4 were removed\n"), std::string::npos);
}

// Whoever removes one could count the others anew; their seals hold the count.
TEST(AuditVerifier, ARemovedEntryIsFoundThoughTheOthersAreCountedAnew) {
  Log log = ALog();
  log.lines().erase(log.lines().begin() + 2);
  for (std::size_t at = 2; at < 5; ++at) {
    log.lines()[at].Set("seal", static_cast<std::int64_t>(at + 1));
  }
  EXPECT_NE(FaultsOf(log).find("entry 3 was changed"), std::string::npos);
}

TEST(AuditVerifier, ReorderedEntriesAreFoundAndNotCalledRemoved) {
  Log log = ALog();
  std::swap(log.lines()[2], log.lines()[4]);
  const std::string faults = FaultsOf(log);
  EXPECT_NE(faults.find("entry 5 stands where entry 3 is expected"), std::string::npos) << faults;
  EXPECT_EQ(faults.find("removed"), std::string::npos) << faults;
  Log renumbered = ALog();
  std::swap(*renumbered.lines()[2].Find("entry"), *renumbered.lines()[4].Find("entry"));
  EXPECT_NE(FaultsOf(renumbered).find("entry 3 was changed"), std::string::npos);
  EXPECT_NE(FaultsOf(renumbered).find("entry 5 was changed"), std::string::npos);
}

TEST(AuditVerifier, ARepeatedEntryIsFound) {
  Log log = ALog();
  log.lines().insert(log.lines().begin() + 3, log.lines()[2]);
  EXPECT_NE(FaultsOf(log).find("entry 3 is there twice"), std::string::npos);
}

TEST(AuditVerifier, AnInsertedEntryIsFound) {
  Log log = ALog();
  Log other;
  other.Add("ses_9", 1, "decided");
  log.lines().push_back(other.lines()[0]);
  log.lines().back().Set("seal", 7);
  EXPECT_NE(FaultsOf(log).find("entry 7 was changed"), std::string::npos);
}

TEST(AuditVerifier, ACutEndShowsAgainstAHeadThatWasPublishedAndOnlyThen) {
  Log log = ALog();
  const AuditHead head = log.head();
  log.lines().resize(4);
  const auto without = Verify(log);
  EXPECT_TRUE(without.faults.empty()) << "nothing can show it";
  EXPECT_TRUE(Says(without.notes, "it can't be seen whether entries behind entry 4 were cut off"));
  EXPECT_NE(FaultsOf(log, {head}).find("the end was cut off: the log ends with entry 4"),
            std::string::npos);
  log.lines().clear();
  EXPECT_NE(FaultsOf(log, {head}).find("the log was cut: nothing of it is here"),
            std::string::npos);
}

TEST(AuditVerifier, AnEndThatWasCutOffAndGrownAnewIsNotTheOneOfTheHead) {
  Log log = ALog();
  const AuditHead head = log.head();
  Log forked;
  for (const char* what : {"asked", "asked", "decided", "other", "other", "other", "other"}) {
    forked.Add("ses_" + std::to_string(forked.lines().size()), 1, what);
  }
  EXPECT_NE(FaultsOf(forked, {head}).find("the log is another one than that of head acme:6:"),
            std::string::npos);
}

TEST(AuditVerifier, AnOlderHeadProvesWhatWasBeforeIt) {
  Log log = ALog();
  const AuditHead head = log.head();
  log.Add("ses_1", 5, "decided");
  const auto findings = Verify(log, {head});
  EXPECT_TRUE(findings.faults.empty());
  EXPECT_TRUE(Says(findings.notes, "complete up to head acme:6:"));
}

TEST(AuditVerifier, TheExportsOwnHeadIsHeldToItsEntries) {
  Log log = ALog();
  log.lines().push_back(Json::MakeObject({{"app_id", "acme"}, {"head", TextOf(log.head())}}));
  EXPECT_EQ(FaultsOf(log), "");
  log.lines().erase(log.lines().begin() + 5);
  EXPECT_NE(FaultsOf(log).find("the end was cut off"), std::string::npos);
}

TEST(AuditVerifier, WhatWasRemovedInItsTimeLeavesACheckpointThatVerifies) {
  Log log = ALog();
  const AuditHead head = log.head();
  log.Retire(3);
  const auto findings = Verify(log, {head});
  EXPECT_EQ(findings.faults, std::vector<std::string>{});
  EXPECT_TRUE(Says(findings.notes, "3 sealed entries, and a checkpoint for the 3 before them"));
  log.lines()[1].Find("entry")->Set("what", "changed");
  EXPECT_NE(FaultsOf(log).find("entry 4 was changed"), std::string::npos)
      << "the first one is held to the checkpoint";
}

TEST(AuditVerifier, AForgedCheckpointIsFound) {
  Log log = ALog();
  // With the seal of the last entry that is to disappear, which everybody can read.
  const std::string mac = log.lines()[2].TextAt("mac");
  Json checkpoint = MakeCheckpoint("another secret", {kAcme, 3, mac}, kNoon);
  log.lines().erase(log.lines().begin(), log.lines().begin() + 3);
  log.lines().insert(log.lines().begin(),
                     Json::MakeObject({{"app_id", "acme"}, {"checkpoint", checkpoint}}));
  EXPECT_NE(FaultsOf(log).find("the checkpoint is forged"), std::string::npos);
}

TEST(AuditVerifier, AGenuineCheckpointHidesNoLaterRemoval) {
  Log log = ALog();
  log.Retire(2);
  log.lines().erase(log.lines().begin() + 1);
  EXPECT_NE(FaultsOf(log).find("entry 3 was removed"), std::string::npos);
  Log moved = ALog();
  moved.Retire(2);
  std::swap(moved.lines()[0], moved.lines()[1]);
  EXPECT_NE(FaultsOf(moved).find("a checkpoint stands behind entries"), std::string::npos);
}

TEST(AuditVerifier, ACheckpointOfAnotherAppIsNoneOfThisOne) {
  Log log = ALog();
  Log theirs(AppId("globex"));
  theirs.Add("ses_1", 1, "asked");
  theirs.Retire(1);
  Json checkpoint = theirs.lines()[0];
  checkpoint.Set("app_id", "acme");
  log.lines()[0] = checkpoint;
  EXPECT_NE(FaultsOf(log).find("the checkpoint is forged"), std::string::npos);
}

TEST(AuditVerifier, AnEntryOfAnotherAppDoesNotFitThisOnesChain) {
  Log log;
  Log theirs(AppId("globex"));
  theirs.Add("ses_1", 1, "asked");
  log.lines().push_back(theirs.lines()[0]);
  log.lines()[0].Set("app_id", "acme");
  EXPECT_NE(FaultsOf(log).find("entry 1 was changed"), std::string::npos);
}

TEST(AuditVerifier, TwoAppsAreTwoChains) {
  Log log = ALog();
  Log theirs(AppId("globex"));
  theirs.Add("ses_7", 1, "asked");
  log.lines().insert(log.lines().begin() + 2, theirs.lines()[0]);
  const auto findings = Verify(log, {log.head(), theirs.head()});
  EXPECT_EQ(findings.faults, std::vector<std::string>{});
  EXPECT_TRUE(Says(findings.notes, "globex: 1 sealed entries"));
}

TEST(AuditVerifier, AnEntryThatWasRemovedBeforeItWasSealedLeavesAGapInItsSession) {
  Log log;
  log.Add("ses_1", 1, "asked");
  log.Add("ses_1", 3, "used");
  EXPECT_NE(FaultsOf(log).find("session ses_1: number 3 follows 1: an entry of it is missing"),
            std::string::npos);
}

TEST(AuditVerifier, WhatIsNotSealedIsSaidToBeUnproven) {
  Log log = ALog();
  log.AddUnsealed("ses_1", 5);
  const auto findings = Verify(log);
  EXPECT_TRUE(findings.faults.empty());
  EXPECT_TRUE(Says(findings.notes, "1 entries are not sealed yet: nothing proves them"));
  log.Add("ses_2", 3, "used");
  EXPECT_NE(FaultsOf(log).find("stands behind one that is not sealed"), std::string::npos);
}

TEST(AuditVerifier, AnotherSecretProvesNothing) {
  Log log = ALog();
  AuditVerifier verifier("another secret");
  for (const Json& line : log.lines()) verifier.Read(line.Dump());
  EXPECT_GE(verifier.Finish({}).faults.size(), 1U);
}

TEST(AuditVerifier, NothingAtAllProvesNothingAndSaysSo) {
  AuditVerifier empty(kSecret);
  empty.Read("");
  const auto nothing = empty.Finish({});
  EXPECT_TRUE(nothing.faults.empty());
  EXPECT_FALSE(nothing.ends_proven);
  EXPECT_TRUE(Says(nothing.notes, "that proves nothing"));
  AuditVerifier expecting(kSecret);
  expecting.Expect(kAcme);
  const auto expected = expecting.Finish({});
  EXPECT_FALSE(expected.ends_proven);
  EXPECT_TRUE(Says(expected.notes, "acme: nothing of its log is here"));
  EXPECT_TRUE(Says(expected.notes, "it can't be seen whether there were entries"));
  AuditVerifier with_head(kSecret);
  with_head.Expect(kAcme);
  const auto cut = with_head.Finish({ALog().head()});
  EXPECT_TRUE(Says(cut.faults, "the log was cut: nothing of it is here"));
}

TEST(AuditVerifier, OnlyAHeadThatWasPublishedProvesAnEnd) {
  Log log = ALog();
  EXPECT_FALSE(Verify(log).ends_proven);
  EXPECT_TRUE(Verify(log, {log.head()}).ends_proven);
  Log theirs(AppId("globex"));
  theirs.Add("ses_7", 1, "asked");
  log.lines().push_back(theirs.lines()[0]);
  EXPECT_FALSE(Verify(log, {log.head()}).ends_proven) << "the other app's may be cut";
}

// What stands beside an entry is sealed by nothing, and somebody may read it as part of the log.
TEST(AuditVerifier, AKeyThatNoExportHasIsAFaultWhereverItWasAdded) {
  const auto faults_of = [](std::size_t at, const std::string& within) {
    Log log = ALog();
    log.Retire(1);
    log.lines().push_back(Json::MakeObject({{"app_id", "acme"}, {"head", TextOf(log.head())}}));
    Json& line = log.lines().at(at);
    (within.empty() ? line : *line.Find(within)).Set("decided_by", "user:ben-2");
    return FaultsOf(log);
  };
  EXPECT_EQ(faults_of(1, ""),
            "line 2: acme: \"decided_by\" was added: no export has that key there\n");
  EXPECT_NE(faults_of(1, "entry").find("entry 2 was changed"), std::string::npos);
  EXPECT_NE(faults_of(0, "").find("\"decided_by\" was added"), std::string::npos);
  EXPECT_NE(faults_of(0, "checkpoint").find("\"decided_by\" was added"), std::string::npos);
  EXPECT_NE(faults_of(6, "").find("\"decided_by\" was added"), std::string::npos);
}

TEST(AuditVerifier, ALineThatIsNoneOfOursIsAFault) {
  for (const char* line :
       {"{", "[]", "{}", R"({"app_id":"acme"})", R"({"app_id":"acme","head":"globex:1:ab"})"}) {
    AuditVerifier verifier(kSecret);
    verifier.Read(line);
    EXPECT_EQ(verifier.Finish({}).faults.size(), 1U) << line;
  }
}

TEST(AuditHead, IsReadAsItIsWritten) {
  const std::string mac(64, 'a');
  const AuditHead head{AppId("acme:eu"), 42, mac};
  EXPECT_EQ(TextOf(head), "acme:eu:42:" + mac);
  EXPECT_EQ(ReadHead(TextOf(head)), head);
  for (const std::string& text : {std::string(), std::string("acme"), "acme:" + mac,
                                  "acme:x:" + mac, "acme:0:" + mac, "acme:4 :" + mac, ":4:" + mac,
                                  "acme:4:" + mac.substr(1), "acme:4:" + mac.substr(1) + "G"}) {
    EXPECT_FALSE(ReadHead(text)) << text;
  }
}

}  // namespace
}  // namespace writ::router
