#include "router/turn/consent.h"

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <string>
#include <vector>

namespace writ::router {
namespace {

constexpr TimePoint kNow{std::chrono::hours(12)};

const UserId kAnya{"anya-1"};
const std::string kArguments = R"({"amount":450,"to":{"iban":"DE1","name":"Anya"}})";

class Consented : public testing::Test {
 protected:
  Consented() {
    turn_.id = CommandId("cmd_1");
    turn_.app = AppId("acme");
    turn_.agent = AgentId("helper");
    turn_.cid = Cid("callouts:team-1");
    turn_.session = SessionId("ses_1");
    turn_.writer = kAnya;
    call_.connector = ConnectorId("crm");
    call_.name = "crm__refund";
    call_.tool = "refund";
    call_.arguments = kArguments;
    call_.schema_digest = "schema-1";
  }

  Consent Given(const std::vector<std::string>& match = {}) const {
    Consent consent = ConsentTo(turn_, call_, kAnya, match);
    consent.id = ConsentId("con_1");
    consent.created_at = kNow;
    consent.expires_at = kNow + std::chrono::minutes(10);
    return consent;
  }
  bool CoversNow(const Consent& consent) const {
    return Covers(consent, turn_, call_, kAnya, kNow + std::chrono::minutes(1));
  }
  bool CoversArguments(const Consent& consent, const std::string& arguments) const {
    Call call = call_;
    call.arguments = arguments;
    return Covers(consent, turn_, call, kAnya, kNow);
  }

  Turn turn_;
  Call call_;
};

TEST_F(Consented, CoversTheSameCallAgain) { EXPECT_TRUE(CoversNow(Given())); }

TEST_F(Consented, NothingElseOfTheCallMayDiffer) {
  const Consent consent = Given();
  const std::vector<std::function<void(Turn&, Call&)>> changes{
      [](Turn& turn, Call&) { turn.app = AppId("beta"); },
      [](Turn& turn, Call&) { turn.agent = AgentId("other"); },
      [](Turn& turn, Call&) { turn.cid = Cid("callouts:team-2"); },
      [](Turn& turn, Call&) { turn.session = SessionId("ses_2"); },
      [](Turn&, Call& call) { call.connector = ConnectorId("crm2"); },
      [](Turn&, Call& call) { call.name = "crm__pay"; },
      [](Turn&, Call& call) { call.schema_digest = "schema-2"; },
      [](Turn&, Call& call) {
        call.arguments = R"({"amount":451,"to":{"iban":"DE1","name":"Anya"}})";
      },
      [](Turn&, Call& call) { call.arguments = "{}"; },
  };
  for (std::size_t i = 0; i < changes.size(); ++i) {
    Turn turn = turn_;
    Call call = call_;
    changes[i](turn, call);
    EXPECT_FALSE(Covers(consent, turn, call, kAnya, kNow)) << "change " << i;
  }
  EXPECT_FALSE(Covers(consent, turn_, call_, UserId("ben-2"), kNow));
  EXPECT_FALSE(Covers(consent, turn_, call_, UserId(), kNow));
}

TEST_F(Consented, EndsAtItsTime) {
  const Consent consent = Given();
  EXPECT_TRUE(Covers(consent, turn_, call_, kAnya, consent.expires_at - Duration{1}));
  EXPECT_FALSE(Covers(consent, turn_, call_, kAnya, consent.expires_at));
  EXPECT_FALSE(Covers(consent, turn_, call_, kAnya, consent.created_at - Duration{1}));
}

TEST_F(Consented, WithPointersTheirValuesDecide) {
  const Consent consent = Given({"/to/iban", "/amount"});
  EXPECT_TRUE(CoversArguments(consent, R"({"amount":450,"to":{"iban":"DE1","name":"A."}})"));
  EXPECT_FALSE(CoversArguments(consent, R"({"amount":451,"to":{"iban":"DE1"}})"));
  EXPECT_FALSE(CoversArguments(consent, R"({"amount":450.0,"to":{"iban":"DE1"}})"));
  EXPECT_FALSE(CoversArguments(consent, R"({"amount":450,"to":{"iban":"DE2"}})"));
  EXPECT_FALSE(CoversArguments(consent, R"({"amount":450,"to":{}})"));
  EXPECT_FALSE(CoversArguments(consent, R"({"amount":450,"to":"DE1"})"));
}

TEST_F(Consented, WhereAPointerLeadsToNothingAllArgumentsAreBound) {
  const Consent consent = Given({"/to/iban", "/none"});
  EXPECT_TRUE(consent.match.empty());
  EXPECT_TRUE(CoversArguments(consent, kArguments));
  EXPECT_FALSE(CoversArguments(consent, R"({"amount":1,"to":{"iban":"DE1","name":"Anya"}})"));
}

TEST_F(Consented, OneThatWasChangedBehindOurBackCoversNothing) {
  Consent consent = Given();
  consent.bound = "{}";
  EXPECT_FALSE(CoversArguments(consent, "{}"));
  consent = Given({"/amount"});
  consent.match = {"/to/name"};
  EXPECT_FALSE(CoversNow(consent));
  consent = Given();
  call_.name = consent.tool = "crm__pay";
  EXPECT_FALSE(CoversNow(consent)) << "to another tool";
  call_.name = "crm__refund";
  consent = Given({"/amount"});
  consent.match = {};
  consent.bound = kArguments;
  EXPECT_FALSE(CoversNow(consent));
}

TEST_F(Consented, NeverOfNobodyOrWithoutAChannel) {
  turn_.cid = Cid();
  EXPECT_FALSE(CoversNow(Given()));
  turn_.cid = Cid("callouts:team-1");
  Consent consent = Given();
  consent.user = UserId();
  EXPECT_FALSE(Covers(consent, turn_, call_, UserId(), kNow));
  consent = Given();
  consent.id = ConsentId();
  EXPECT_FALSE(CoversNow(consent)) << "one that was never kept";
}

TEST_F(Consented, ComesBackFromItsRowAsItWas) {
  const Consent consent = Given({"/amount"});
  const Consent read = ConsentFromText(ConsentToText(consent));
  EXPECT_TRUE(CoversNow(read));
  EXPECT_EQ(ConsentToText(read), ConsentToText(consent));
  EXPECT_EQ(DecidedBy(read), "consent:con_1:user:anya-1");
}

}  // namespace
}  // namespace writ::router
