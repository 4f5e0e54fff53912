#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "router/chat/event.h"
#include "router/turn/ledger.h"
#include "router/turn/next.h"
#include "store/ledger/approvals_over.h"
#include "store/ledger/inbox_over.h"
#include "store/ledger/outbox_over.h"
#include "store/ledger/sessions_over.h"
#include "store/ledger/turns_over.h"
#include "tests/contract/ledger/engines.h"
#include "tests/support/fake_clock.h"
#include "tests/support/recording_log.h"

namespace writ::tests {

inline const router::AppId kAcme{"acme"};
inline const router::AgentId kHelper{"helper"};
inline const router::Cid kTeam{"callouts:team-1"};
inline const router::UserId kAnya{"anya-1"};
inline const router::UserId kBen{"ben-2"};
inline const router::NodeId kNode{"node-a"};
inline const router::NodeId kOtherNode{"node-b"};

// A call that the gate let run, or that it holds for `asked`. Its id is `call`, its tool
// `crm__echo`, its arguments name the id.
[[nodiscard]] router::GatedCall FreeCall(const std::string& call);
[[nodiscard]] router::GatedCall HeldCall(const std::string& call, const router::CommandId& run,
                                         const router::UserId& asked = kAnya);
[[nodiscard]] router::ApprovalRecord RecordFor(const std::string& call, const std::string& run,
                                               const router::UserId& asked = kAnya);
[[nodiscard]] router::ModelReplied Calls(std::vector<router::GatedCall> calls);
[[nodiscard]] router::ModelReplied Says(const std::string& text);
[[nodiscard]] router::CallReported Answered(const std::string& text);
[[nodiscard]] router::CallDecided Allowed(const std::string& call, const router::UserId& by);
[[nodiscard]] router::CallDecided Declined(const std::string& call, const router::UserId& by);

// The ledgers over one engine and a clock that is moved by hand; the suites of every port derive
// from it.
class LedgerContract : public testing::TestWithParam<EngineCase> {
 protected:
  LedgerContract();

  [[nodiscard]] store::Engine& engine() { return under_test_->engine(); }
  [[nodiscard]] router::TimePoint Now() const { return clock_.Now(); }
  template <class What>
  [[nodiscard]] router::TurnEvent Event(What what) const {
    return {Now(), std::move(what)};
  }

  // A message as a webhook brings it; its id is also its text.
  [[nodiscard]] router::ChannelEvent Message(const std::string& id,
                                             const router::UserId& author = kAnya,
                                             const router::Cid& cid = kTeam) const;
  [[nodiscard]] router::ChannelEvent Edit(const router::ChannelEvent& message,
                                          const std::string& text,
                                          const router::UserId& editor) const;
  [[nodiscard]] router::ChannelEvent Deletion(const router::ChannelEvent& message,
                                              const router::UserId& by) const;
  [[nodiscard]] router::Opening OpeningOf(const router::ChannelEvent& event);

  // Accepts and opens. The command of message `m` has the id `cmd-m`.
  std::vector<router::Work> Arrive(const router::ChannelEvent& event,
                                   const router::NodeId& node = kNode);
  // Of a message that gets the lease at once.
  router::Claim ArriveAndStart(const router::ChannelEvent& event);

  // Moves under the claim; it must be accepted.
  router::Advanced Tell(const router::Claim& claim, const auto& what) {
    auto advanced = turns_.Advance(claim, Event(what));
    EXPECT_TRUE(advanced);
    return advanced.value_or(router::Advanced{});
  }
  // The command's step asks for one held call; its approval's id is `apr-<call>`.
  router::Advanced Hold(const router::Claim& claim, const std::string& call,
                        const router::UserId& asked = kAnya);
  [[nodiscard]] router::ApprovalLedger::Settled Settle(const std::string& call,
                                                       const router::CallDecided& decided,
                                                       const router::NodeId& node = kNode);
  // Sends the approved call and reports its answer.
  router::Advanced Run(const router::Claim& call);

  [[nodiscard]] router::Turn Turn(const std::string& message);
  [[nodiscard]] router::TurnState StateOf(const std::string& message);
  // The texts of notices that wait to be shown anywhere.
  [[nodiscard]] std::vector<std::string> Notices();

  FakeClock clock_;
  RecordingLog log_;
  std::unique_ptr<LedgerEngine> under_test_;
  store::TellingOf telling_;  // what is written down beside the steps; nothing at first
  store::TurnsOver turns_;
  store::SessionsOver sessions_;
  store::ApprovalsOver approvals_;
  store::InboxOver inbox_;
  store::OutboxOver outbox_;
  router::TurnLimits limits_;  // of the commands that are opened
  std::size_t queue_per_channel_ = 100;
  router::ChannelRule rule_ = router::ChannelRule::kNamed;

 private:
  int sessions_made_ = 0;
};

[[nodiscard]] inline std::string NameOfEngine(const testing::TestParamInfo<EngineCase>& info) {
  return info.param.name;
}

// The claim on that call among the work that a commit made due; fails the test where it is not.
[[nodiscard]] router::Claim ClaimOn(const std::vector<router::Work>& work, const std::string& call);

}  // namespace writ::tests

// NOLINTNEXTLINE(cppcoreguidelines-macro-usage): gtest has no other way
#define WRIT_ON_EVERY_ENGINE(suite)                                                     \
  INSTANTIATE_TEST_SUITE_P(Engines, suite, testing::ValuesIn(::writ::tests::Engines()), \
                           ::writ::tests::NameOfEngine)
