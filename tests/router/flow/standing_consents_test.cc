// Which calls a standing consent releases, and what stops one that it released: the binding of now
// and the platform's word on its person, asked at the gate and again at the moment of use.
#include "router/flow/standing_consents.h"

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "router/base/failure.h"
#include "router/base/id_source.h"
#include "store/ledger/approvals_over.h"
#include "store/ledger/inbox_over.h"
#include "store/ledger/outbox_over.h"
#include "store/ledger/sessions_over.h"
#include "store/ledger/telling.h"
#include "store/ledger/turns_over.h"
#include "store/memory/memory_engine.h"
#include "tests/support/fake_clock.h"
#include "tests/support/fake_http.h"
#include "tests/support/recording_log.h"

namespace writ::router {
namespace {

using namespace std::chrono_literals;
using Verdict = GatedCall::Verdict;

const UserId kAnya("anya-1");

class InlineJobs final : public Jobs {
 public:
  void Run(std::function<void()> job) override { job(); }
  bool Offer(std::function<void()> job) override {
    job();
    return true;
  }
};

// The platform, which says of Anya what the test wants.
class HandMembers final : public Members {
 public:
  void Ask(const Cid& cid, const UserId& user, std::chrono::milliseconds,
           std::function<void(Membership)> done) override {
    asked.push_back(cid.text() + " " + user.text());
    done(says);
  }
  Membership says;
  std::vector<std::string> asked;
};

// Those that are kept, as the test has them.
class HandConsents final : public ConsentLedger {
 public:
  std::vector<Consent> Standing(const AppId&, const Cid&, const UserId& user, TimePoint) override {
    if (is_away) throw Failure(Failure::Kind::kTransient, "away");
    std::vector<Consent> found;
    for (const Consent& consent : kept) {
      if (consent.user == user) found.push_back(consent);
    }
    return found;
  }
  bool End(const AppId&, const Cid&, const ConsentId& id, const UserId&,
           const Ending& by) override {
    ended.push_back(id.text() + " " + by.known_by);
    return true;
  }
  std::vector<Consent> kept;
  std::vector<std::string> ended;
  bool is_away = false;
};

class StandingConsentsTest : public testing::Test {
 protected:
  StandingConsentsTest() {
    turn_.id = CommandId("cmd_1");
    turn_.app = AppId("acme");
    turn_.agent = agent_.id = AgentId("helper");
    turn_.cid = Cid("callouts:team-1");
    turn_.session = SessionId("ses_1");
    turn_.writer = kAnya;
    app_.members = &members_;
    BoundConnector& bound = agent_.connectors.emplace_back();
    bound.binding.id = ConnectorId("crm");
    bound.binding.approver = Approver::kWriter;
    bound.binding.remember_max = 600s;
    members_.says.answer = Membership::Answer::kMember;
    members_.says.member_since = clock_.Now() - 1h;
    consents_.kept.push_back(Given());
  }

  static Call TheCall() {
    Call call;
    call.id = CallId("c1");
    call.connector = ConnectorId("crm");
    call.name = "crm__echo";
    call.arguments = R"({"amount":1,"to":"anya"})";
    call.schema_digest = "schema";
    return call;
  }
  // To the call, by Anya, now and for an hour.
  [[nodiscard]] Consent Given(const std::vector<std::string>& match = {}) const {
    Consent consent = ConsentTo(turn_, TheCall(), kAnya, match);
    consent.id = ConsentId("con_1");
    consent.created_at = clock_.Now();
    consent.expires_at = clock_.Now() + 1h;
    return consent;
  }
  [[nodiscard]] Binding& binding() { return agent_.connectors[0].binding; }

  // Whether the gate lets the call go with the consent.
  bool Releases(Verdict verdict = Verdict::kHeld, const UserId& asked = kAnya) {
    GatedCall gated;
    gated.call = TheCall();
    gated.verdict = verdict;
    gated.approval.asked = asked;
    std::optional<bool> released;
    standing_.Find(app_, agent_, turn_, {gated}, [&](const std::vector<GatedCall>& calls) {
      released = calls.at(0).consent.has_value();
    });
    EXPECT_TRUE(released) << "no answer";
    return released.value_or(false);
  }
  // What stops the call that it released; `goes` where nothing does.
  std::string AtTheMomentOfUse(bool by_consent = true) {
    Call call = TheCall();
    Decision& decision = call.approval.emplace().decision.emplace();
    decision.approved = true;
    if (by_consent) {
      decision.consent = ConsentId("con_1");
      decision.consent_user = kAnya;
    }
    std::string told = "no answer";
    standing_.FindWhatStops(app_, binding(), turn_, call,
                            [&](const std::optional<Stopped>& stopped) {
                              told = stopped ? stopped->status + ": " + stopped->reason : "goes";
                            });
    return told;
  }

  tests::FakeClock clock_;
  tests::FakeHttp http_;
  tests::RecordingLog log_;
  InlineJobs jobs_;
  RandomIdSource ids_{clock_};
  store::MemoryEngine engine_{store::MemoryOptions{}};
  store::TellingOf telling_;
  store::InboxOver inbox_{engine_};
  store::TurnsOver turns_{engine_, log_, telling_};
  store::SessionsOver sessions_{engine_, telling_};
  store::ApprovalsOver approvals_{engine_, telling_};
  store::OutboxOver outbox_{engine_};
  HandConsents consents_;
  Ports ports_{inbox_, turns_, sessions_, approvals_, consents_, outbox_,
               http_,  jobs_,  clock_,    ids_,       log_};
  StandingConsents standing_{ports_};
  HandMembers members_;
  Turn turn_;
  AppSetup app_;
  AgentSetup agent_;
};

constexpr const char* kNotEnough = "blocked: a standing consent is not enough for it any more";
constexpr const char* kLeft = "blocked: who consented to it has left the channel since";

TEST_F(StandingConsentsTest, ReleasesItsCallAtTheGateAndAtTheMomentOfUse) {
  EXPECT_TRUE(Releases());
  EXPECT_EQ(AtTheMomentOfUse(), "goes");
  EXPECT_EQ(members_.asked, (std::vector<std::string>(2, "callouts:team-1 anya-1")));
  EXPECT_TRUE(consents_.ended.empty());
}

TEST_F(StandingConsentsTest, ReleasesOnlyWhatWouldBePutToItsPerson) {
  for (const Verdict other : {Verdict::kFree, Verdict::kNobodyToAsk, Verdict::kApproved,
                              Verdict::kDenied, Verdict::kRefused}) {
    EXPECT_FALSE(Releases(other));
  }
  EXPECT_FALSE(Releases(Verdict::kHeld, UserId()));
  EXPECT_FALSE(Releases(Verdict::kHeld, UserId("ben-2")));
  EXPECT_TRUE(members_.asked.empty()) << "there was nothing to ask about";
}

TEST_F(StandingConsentsTest, WhatIsNotReleasedByOneIsNotLookedAtWhenItLeaves) {
  consents_.kept.clear();
  members_.says.answer = Membership::Answer::kNotMember;
  EXPECT_EQ(AtTheMomentOfUse(false), "goes");
  EXPECT_TRUE(members_.asked.empty());
}

TEST_F(StandingConsentsTest, TheBindingOfNowGoesBeforeWhatWasAllowedThen) {
  binding().remember_max = 0s;
  EXPECT_FALSE(Releases());
  EXPECT_EQ(AtTheMomentOfUse(), kNotEnough);
  binding().remember_max = 600s;
  for (const Approver other : {Approver::kBackend, Approver::kCallback, Approver::kAutoDeny}) {
    binding().approver = other;
    EXPECT_FALSE(Releases());
    EXPECT_EQ(AtTheMomentOfUse(), kNotEnough);
  }
  EXPECT_TRUE(members_.asked.empty());
  EXPECT_TRUE(consents_.ended.empty()) << "the binding may become what it was";
}

TEST_F(StandingConsentsTest, AShorterTimeOfTheBindingsEndsItSooner) {
  clock_.Advance(600s - 1ms);
  EXPECT_TRUE(Releases());
  EXPECT_EQ(AtTheMomentOfUse(), "goes");
  clock_.Advance(1ms);
  EXPECT_FALSE(Releases());
  EXPECT_EQ(AtTheMomentOfUse(), kNotEnough);
}

TEST_F(StandingConsentsTest, PointersThatTheBindingDoesNotNameAnyMoreBindNothing) {
  binding().remember_match = {"/amount"};
  EXPECT_TRUE(Releases()) << "one to all arguments is narrower";
  consents_.kept = {Given({"/amount"})};
  EXPECT_TRUE(Releases());
  binding().remember_match = {"/amount", "/to"};
  EXPECT_FALSE(Releases());
  EXPECT_EQ(AtTheMomentOfUse(), kNotEnough);
}

TEST_F(StandingConsentsTest, OneThatHasEndedReleasesNothing) {
  consents_.kept.clear();
  EXPECT_FALSE(Releases());
  EXPECT_EQ(AtTheMomentOfUse(), "blocked: the consent that released it has ended");
  consents_.kept = {Given()};
  consents_.kept[0].id = ConsentId("con_2");
  EXPECT_TRUE(Releases());
  EXPECT_EQ(AtTheMomentOfUse(), "blocked: the consent that released it has ended")
      << "another one does not stand for it";
}

TEST_F(StandingConsentsTest, WhatItCoversIsLookedAtAgain) {
  consents_.kept[0].bound = "{}";  // behind our back
  EXPECT_FALSE(Releases());
  EXPECT_EQ(AtTheMomentOfUse(), kNotEnough);
}

TEST_F(StandingConsentsTest, WhoIsNoMemberAnyMoreHasNoneLeft) {
  members_.says.answer = Membership::Answer::kNotMember;
  EXPECT_FALSE(Releases());
  EXPECT_EQ(AtTheMomentOfUse(), kLeft);
  EXPECT_EQ(consents_.ended, (std::vector<std::string>(2, "con_1 policy")));
}

TEST_F(StandingConsentsTest, WhoLeftAndCameBackOrHadTheirTokensRevokedHasNoneLeft) {
  const TimePoint given = consents_.kept[0].created_at;
  members_.says.member_since = given;
  EXPECT_TRUE(Releases()) << "at the same instant is not after it";
  members_.says.member_since = given + 1ms;
  EXPECT_FALSE(Releases());
  EXPECT_EQ(AtTheMomentOfUse(), kLeft);
  EXPECT_EQ(consents_.ended.size(), 2U);
  members_.says.member_since = given - 1h;
  members_.says.tokens_valid_from = given + 1ms;
  EXPECT_FALSE(Releases());
  EXPECT_EQ(AtTheMomentOfUse(), kLeft);
  EXPECT_EQ(consents_.ended.size(), 4U);
}

TEST_F(StandingConsentsTest, WhereThePlatformCannotSayThePersonIsAskedAndNothingLeaves) {
  const std::string unseen =
      "failed: whether who consented to it is in the channel still could not be seen";
  members_.says.answer = Membership::Answer::kUnknown;
  EXPECT_FALSE(Releases());
  EXPECT_EQ(AtTheMomentOfUse(), unseen);
  members_.says.answer = Membership::Answer::kMember;
  members_.says.member_since.reset();
  EXPECT_FALSE(Releases()) << "since when, it can't say";
  EXPECT_EQ(AtTheMomentOfUse(), unseen);
  EXPECT_TRUE(consents_.ended.empty());
}

TEST_F(StandingConsentsTest, WhereTheStoreIsAwayThePersonIsAskedAndTheUseIsTriedAgain) {
  consents_.is_away = true;
  EXPECT_FALSE(Releases());
  EXPECT_THROW(AtTheMomentOfUse(), Failure);
}

}  // namespace
}  // namespace writ::router
