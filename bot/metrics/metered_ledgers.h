#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "bot/metrics/committed.h"
#include "bot/metrics/metrics.h"
#include "router/approval/ledger.h"
#include "router/approval/personal_data.h"
#include "router/chat/inbox.h"
#include "router/turn/ledger.h"
#include "router/turn/outbox.h"

namespace writ::bot {

// The store's ledgers with a count of what was committed through them. Everything given outlives
// them.

class MeteredInbox final : public router::Inbox {
 public:
  MeteredInbox(router::Inbox& inbox, Metrics& metrics, Committed& committed)
      : inbox_(inbox), metrics_(metrics), committed_(committed) {}

  Accepted Accept(const router::ChannelEvent& event, router::TimePoint now) override;
  std::vector<router::ChannelEvent> Waiting(std::size_t limit) override;
  void Forget(std::size_t limit, router::TimePoint now) override;

 private:
  router::Inbox& inbox_;
  Metrics& metrics_;
  Committed& committed_;
};

class MeteredTurns final : public router::TurnLedger {
 public:
  MeteredTurns(router::TurnLedger& turns, Committed& committed)
      : turns_(turns), committed_(committed) {}

  router::EventOpened Open(const router::Opening& opening, const router::NodeId& node,
                           router::TimePoint now) override;
  router::CommandTaken Take(const router::ApiCommand& command, const router::NodeId& node,
                            router::TimePoint now) override;
  router::Claimed ClaimDue(const router::NodeId& node, std::size_t limit,
                           router::TimePoint now) override;
  std::optional<router::Advanced> Advance(const router::Claim& claim,
                                          const router::TurnEvent& event) override;
  std::vector<router::Claim> Lost(const std::vector<router::Claim>& claims) override;
  router::UsedCounters CountersNow(const router::AppId& app,
                                   const std::vector<router::Charge>& charges) override;
  std::optional<router::Advanced> Move(const router::CommandId& turn,
                                       const router::TurnEvent& event,
                                       const router::NodeId& node) override;
  std::vector<router::Advanced> Wake(const router::NodeId& node, std::size_t limit,
                                     router::TimePoint now) override;
  std::optional<router::TimePoint> NextWake() override;
  std::optional<router::Turn> Find(const router::AppId& app,
                                   const router::CommandId& turn) override;
  std::vector<router::Turn> Before(const router::Turn& turn, std::size_t limit) override;
  std::vector<router::Turn> Meanwhile(const router::Turn& turn, std::size_t limit) override;
  bool Beat(const router::NodeId& node, router::TimePoint alive_until, router::TimePoint now,
            const std::vector<router::Claim>& under_way) override;
  void Leave(const router::NodeId& node) override;

 private:
  router::TurnLedger& turns_;
  Committed& committed_;
};

class MeteredSessions final : public router::SessionLedger {
 public:
  MeteredSessions(router::SessionLedger& sessions, Committed& committed)
      : sessions_(sessions), committed_(committed) {}

  Opened OpenSession(const router::Session& session, const router::AppQuotas& quotas) override;
  std::optional<router::Session> FindSession(const router::AppId& app,
                                             const router::SessionId& id) override;
  std::optional<router::Session> OpenSessionOn(const router::AppId& app,
                                               const router::AgentId& agent,
                                               const router::Cid& cid) override;
  std::vector<router::Session> ListSessions(const router::AppId& app, const Page& page) override;
  std::vector<router::SessionNews> News(const std::vector<Watched>& watched) override;
  std::vector<router::Advanced> CloseSession(const router::AppId& app, const router::SessionId& id,
                                             const router::NodeId& node,
                                             router::TimePoint now) override;
  void RememberHistory(const router::SessionId& id,
                       const std::vector<router::HistoryMessage>& history) override;
  std::vector<router::Session> ActiveSince(const router::AppId& app, router::TimePoint since,
                                           std::size_t limit) override;

 private:
  router::SessionLedger& sessions_;
  Committed& committed_;
};

class MeteredApprovals final : public router::ApprovalLedger {
 public:
  MeteredApprovals(router::ApprovalLedger& approvals, Committed& committed)
      : approvals_(approvals), committed_(committed) {}

  router::HeldThere Look(const router::AppId& app, const std::string& lane,
                         const router::CallId& call, const router::ApprovalId& request,
                         const router::UserId& user) override;
  std::optional<router::Turn> TurnOf(const router::ApprovalRecord& record) override;
  Settled Settle(const router::AppId& app, const router::ApprovalId& id,
                 const router::CallDecided& decided, const router::NodeId& node,
                 router::TimePoint now) override;
  std::optional<router::ApprovalRecord> Get(const router::AppId& app,
                                            const router::ApprovalId& id) override;
  std::vector<router::ApprovalRecord> List(const router::AppId& app,
                                           const router::ApprovalPage& page) override;

 private:
  router::ApprovalLedger& approvals_;
  Committed& committed_;
};

class MeteredOutbox final : public router::Outbox {
 public:
  MeteredOutbox(router::Outbox& outbox, Metrics& metrics) : outbox_(outbox), metrics_(metrics) {}

  std::vector<router::Delivery> ClaimDeliveries(const router::NodeId& node, std::size_t limit,
                                                router::TimePoint now) override;
  void Delivered(const router::Delivery& delivery, router::TimePoint now) override;
  void Postpone(const router::Delivery& delivery, router::TimePoint due_at) override;
  void GiveUp(const router::Delivery& delivery) override;
  std::optional<router::TimePoint> NextDelivery() override;

 private:
  router::Outbox& outbox_;
  Metrics& metrics_;
};

class MeteredPersonalData final : public router::PersonalData {
 public:
  MeteredPersonalData(router::PersonalData& data, Committed& committed)
      : data_(data), committed_(committed) {}

  std::optional<router::Forgotten> Forget(const router::AppId& app, const router::UserId& user,
                                          const std::string& from, const router::NodeId& node,
                                          const router::ConsentLedger::Ending& by) override;

 private:
  router::PersonalData& data_;
  Committed& committed_;
};

}  // namespace writ::bot
