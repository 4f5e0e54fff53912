// The decision log: written in the step's own commit, sealed by one at a time, removed with a
// checkpoint.
#include <algorithm>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

#include "router/audit/verify.h"
#include "router/base/failure.h"
#include "store/ledger/audit_over.h"
#include "store/ledger/events_over.h"
#include "tests/contract/ledger/ledger_contract.h"

namespace writ::tests {

using router::AuditHead;
using router::AuditLedger;
using router::Claim;
using router::Json;
using std::chrono::hours;
using std::chrono::seconds;
using Types = std::vector<std::string>;

class AuditContract : public LedgerContract {
 protected:
  AuditContract() { telling_[kAcme].audit = true; }

  [[nodiscard]] std::vector<Json> Entries() {
    std::vector<Json> entries;
    for (const router::AuditEntry& entry : audit_.ReadEntries(kAcme, 0, 1000).entries) {
      entries.push_back(router::ParseJson(entry.text).value.value());
    }
    return entries;
  }
  [[nodiscard]] Types EntryTypes() {
    Types types;
    for (const Json& entry : Entries()) types.push_back(entry.TextAt("type"));
    return types;
  }
  std::optional<AuditHead> SealAll() {
    std::optional<AuditHead> last;
    while (const auto head = audit_.SealEntries(kAcme, 3, Now())) last = head;
    return last;
  }
  // What a verifier finds in the log as it is kept; empty: nothing.
  [[nodiscard]] std::string Faults(const std::vector<AuditHead>& heads = {}) {
    router::AuditVerifier verifier(kSecret);
    const AuditLedger::Page page = audit_.ReadEntries(kAcme, 0, 1000);
    if (page.checkpoint) {
      verifier.Read(
          Json::MakeObject({{"app_id", "acme"}, {"checkpoint", *page.checkpoint}}).Dump());
    }
    for (const router::AuditEntry& entry : page.entries) {
      const bool sealed = entry.seal > 0;
      verifier.Read(Json::MakeObject({{"app_id", "acme"},
                                      {"seal", sealed ? Json(entry.seal) : Json()},
                                      {"mac", entry.mac},
                                      {"entry", router::ParseJson(entry.text).value.value()}})
                        .Dump());
    }
    std::string all;
    for (const std::string& fault : verifier.Finish(heads).faults) all += fault + '\n';
    return all;
  }
  // Anya is asked, allows, and her call runs.
  void PlayStory(const std::string& message, const std::string& call) {
    Hold(ArriveAndStart(Message(message)), call);
    const auto settled = Settle(call, Allowed(call, kAnya));
    const auto after = Run(ClaimOn(settled.taken, call));
    Tell(after.taken.at(0).claim, Says("done"));
  }

  const std::string kSecret = "the audit secret";
  store::AuditOver audit_{engine(), telling_, kSecret};
};

TEST_P(AuditContract, AStoryLeavesItsEntriesWithTheirNumbers) {
  PlayStory("m1", "call-1");
  ASSERT_EQ(EntryTypes(), (Types{"asked", "decided", "used", "finished"}));
  const auto entries = Entries();
  for (std::size_t i = 0; i < entries.size(); ++i) {
    EXPECT_EQ(entries[i].IntAt("number"), static_cast<std::int64_t>(i + 1));
  }
  EXPECT_EQ(entries[1].TextAt("decided_by"), "user:anya-1");
}

TEST_P(AuditContract, ACommitThatFailsLeavesNoEntryAndNoGap) {
  const Claim claim = ArriveAndStart(Message("m1"));
  router::GatedCall second = HeldCall("call-2", claim.turn);
  second.approval.id = router::ApprovalId("apr-call-1");  // taken: the commit fails closed
  EXPECT_THROW(
      std::ignore = turns_.Advance(claim, Event(Calls({HeldCall("call-1", claim.turn), second}))),
      router::Failure);
  EXPECT_EQ(EntryTypes(), Types{});
  Hold(claim, "call-1");
  EXPECT_EQ(Entries().at(0).IntAt("number"), 1);
}

TEST_P(AuditContract, AnAppWithoutALogHasNone) {
  telling_.clear();
  PlayStory("m1", "call-1");
  EXPECT_EQ(EntryTypes(), Types{});
  EXPECT_FALSE(SealAll());
}

TEST_P(AuditContract, EntriesAreSealedIntoOneChain) {
  PlayStory("m1", "call-1");
  const auto first = SealAll();
  ASSERT_TRUE(first);
  EXPECT_EQ(first->seal, 4);
  PlayStory("m2", "call-2");
  const auto second = SealAll();
  EXPECT_EQ(second->seal, 8);
  EXPECT_FALSE(SealAll()) << "there is nothing to seal";
  EXPECT_EQ(Faults({*first, *second}), "");
  EXPECT_EQ(audit_.ReadEntries(kAcme, 0, 10).head, second);
}

TEST_P(AuditContract, PagesComeInTheChainsOrderAndTheUnsealedLast) {
  PlayStory("m1", "call-1");
  SealAll();
  Hold(ArriveAndStart(Message("m2")), "call-2");
  const auto seals = [&](std::int64_t after, std::size_t limit) {
    std::vector<std::int64_t> found;
    for (const auto& entry : audit_.ReadEntries(kAcme, after, limit).entries) {
      found.push_back(entry.seal);
    }
    return found;
  };
  EXPECT_EQ(seals(0, 3), (std::vector<std::int64_t>{1, 2, 3}));
  EXPECT_EQ(seals(3, 3), (std::vector<std::int64_t>{4, 0}));
}

TEST_P(AuditContract, SealersAtTheSameMomentMakeOneChain) {
  for (int i = 0; i < 12; ++i) {
    const std::string n = std::to_string(i);
    Hold(ArriveAndStart(Message("m" + n, kAnya, router::Cid("callouts:team-" + n))), "call-" + n);
  }
  {
    std::vector<std::jthread> sealers;
    sealers.reserve(4);
    for (int i = 0; i < 4; ++i) {
      sealers.emplace_back([this] {
        for (int round = 0; round < 12; ++round) {
          try {
            (void)audit_.SealEntries(kAcme, 1, Now());
          } catch (const router::Failure&) {  // another was first
          }
        }
      });
    }
  }
  SealAll();
  EXPECT_EQ(audit_.ReadEntries(kAcme, 0, 1000).head->seal, 12);
  EXPECT_EQ(Faults(), "");
}

TEST_P(AuditContract, WhatIsTooOldLeavesACheckpointThatVerifies) {
  PlayStory("m1", "call-1");
  const auto head = SealAll();
  clock_.Advance(hours(48));
  turns_.Beat(kNode, Now() + router::kClaimLife, Now(), {});
  PlayStory("m2", "call-2");
  EXPECT_EQ(audit_.RemoveEntries(kAcme, Now() - hours(24), 3, Now()), 3U);
  EXPECT_EQ(audit_.RemoveEntries(kAcme, Now() - hours(24), 3, Now()), 1U);
  EXPECT_EQ(audit_.RemoveEntries(kAcme, Now() - hours(24), 3, Now()), 0U);
  SealAll();
  EXPECT_EQ(audit_.RemoveEntries(kAcme, Now() - hours(24), 3, Now()), 0U);
  EXPECT_EQ(EntryTypes().size(), 4U);
  EXPECT_EQ(Faults({*head}), "");
}

TEST_P(AuditContract, WhatIsNotSealedIsNotRemoved) {
  PlayStory("m1", "call-1");
  clock_.Advance(hours(48));
  EXPECT_EQ(audit_.RemoveEntries(kAcme, Now(), 10, Now()), 0U);
  EXPECT_EQ(EntryTypes().size(), 4U);
}

TEST_P(AuditContract, AChangedRowShows) {
  PlayStory("m1", "call-1");
  SealAll();
  engine().Commit([](store::Records& records) {
    const auto row = records.SealedAudit("acme", 1, 1).at(0);
    records.SealAudit(row.place, row.seal, std::string(64, 'a'));
  });
  EXPECT_NE(Faults().find("entry 2 was changed"), std::string::npos);
}

TEST_P(AuditContract, NewHeadsArePutOutForTheBackend) {
  telling_[kAcme].events = true;
  PlayStory("m1", "call-1");
  const auto head = SealAll();
  store::EventsOver events(engine());
  std::vector<std::string> heads;
  for (auto due = events.ClaimEvents(kAcme, kNode, 10, Now()); !due.empty();
       due = events.ClaimEvents(kAcme, kNode, 10, Now())) {
    for (const auto& delivery : due) {
      const Json event = router::ParseJson(delivery.event.body).value.value();
      if (event.TextAt("type") == "audit.head") heads.push_back(event.Find("data")->TextAt("head"));
      events.Told(delivery);
    }
  }
  ASSERT_EQ(heads.size(), 2U) << "three entries, then one";
  EXPECT_EQ(heads.back(), TextOf(*head));
}

TEST_P(AuditContract, AReportThatCameTooLateIsKept) {  // design section 3
  Hold(ArriveAndStart(Message("m1")), "call-1");
  const auto settled = Settle("call-1", Allowed("call-1", kAnya));
  const Claim claim = ClaimOn(settled.taken, "call-1");
  Tell(claim, router::CallSent{claim.call});
  clock_.Advance(router::kClaimLife + seconds(1));
  ASSERT_FALSE(turns_.ClaimDue(kOtherNode, 10, Now()).taken.empty());
  router::CallReported report = Answered("hi");
  report.call = claim.call;
  EXPECT_FALSE(turns_.Advance(claim, Event(report)));
  EXPECT_EQ(EntryTypes().back(), "late_report");
  EXPECT_EQ(Entries().back().TextAt("call_id"), "call-1");
}

WRIT_ON_EVERY_ENGINE(AuditContract);

}  // namespace writ::tests
