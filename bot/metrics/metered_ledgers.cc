#include "bot/metrics/metered_ledgers.h"

#include <string>
#include <string_view>
#include <utility>

#include "router/base/failure.h"

namespace writ::bot {
namespace {

using router::Advanced;
using router::Turn;

std::string_view OutcomeOf(router::Inbox::Accepted accepted, const router::ChannelEvent& event) {
  switch (accepted) {
    case router::Inbox::Accepted::kStored:
      return event.ignored_because.empty() ? "stored" : "ignored";
    case router::Inbox::Accepted::kDuplicate:
      return "duplicate";
    case router::Inbox::Accepted::kTooOld:
      return "too_old";
  }
  return {};
}

}  // namespace

router::Inbox::Accepted MeteredInbox::Accept(const router::ChannelEvent& event,
                                             router::TimePoint now) {
  try {
    const Accepted accepted = inbox_.Accept(event, now);
    metrics_.EventTaken(event.app.text(), OutcomeOf(accepted, event));
    if (accepted == Accepted::kStored) committed_.TellStored(event);
    return accepted;
  } catch (const router::Failure&) {
    metrics_.EventTaken(event.app.text(), "unavailable");
    throw;
  }
}

std::vector<router::ChannelEvent> MeteredInbox::Waiting(std::size_t limit) {
  return inbox_.Waiting(limit);
}

void MeteredInbox::Forget(std::size_t limit, router::TimePoint now) { inbox_.Forget(limit, now); }

router::EventOpened MeteredTurns::Open(const router::Opening& opening, const router::NodeId& node,
                                       router::TimePoint now) {
  router::EventOpened opened = turns_.Open(opening, node, now);
  for (const Advanced& moved : opened.moved) committed_.Tell(moved);
  committed_.TellOf(opened.taken);
  return opened;
}

router::CommandTaken MeteredTurns::Take(const router::ApiCommand& command,
                                        const router::NodeId& node, router::TimePoint now) {
  router::CommandTaken taken = turns_.Take(command, node, now);
  for (const Advanced& moved : taken.moved) committed_.Tell(moved);
  committed_.TellOf(taken.taken);
  return taken;
}

router::Claimed MeteredTurns::ClaimDue(const router::NodeId& node, std::size_t limit,
                                       router::TimePoint now) {
  router::Claimed claimed = turns_.ClaimDue(node, limit, now);
  for (const Advanced& given_up : claimed.given_up) committed_.Tell(given_up);
  committed_.TellOf(claimed.taken);
  return claimed;
}

std::optional<Advanced> MeteredTurns::Advance(const router::Claim& claim,
                                              const router::TurnEvent& event) {
  std::optional<Advanced> advanced = turns_.Advance(claim, event);
  if (!advanced) return advanced;
  committed_.Tell(*advanced);
  if (const auto* sent = std::get_if<router::CallSent>(&event.what)) {
    committed_.TellSent(advanced->turn, sent->call);
  }
  return advanced;
}

std::vector<router::Claim> MeteredTurns::Lost(const std::vector<router::Claim>& claims) {
  return turns_.Lost(claims);
}

router::UsedCounters MeteredTurns::CountersNow(const router::AppId& app,
                                               const std::vector<router::Charge>& charges) {
  return turns_.CountersNow(app, charges);
}

std::optional<Advanced> MeteredTurns::Move(const router::CommandId& turn,
                                           const router::TurnEvent& event,
                                           const router::NodeId& node) {
  std::optional<Advanced> advanced = turns_.Move(turn, event, node);
  if (advanced) committed_.Tell(*advanced);
  return advanced;
}

std::vector<Advanced> MeteredTurns::Wake(const router::NodeId& node, std::size_t limit,
                                         router::TimePoint now) {
  std::vector<Advanced> woken = turns_.Wake(node, limit, now);
  for (const Advanced& advanced : woken) committed_.Tell(advanced);
  return woken;
}

std::optional<router::TimePoint> MeteredTurns::NextWake() { return turns_.NextWake(); }

std::optional<Turn> MeteredTurns::Find(const router::AppId& app, const router::CommandId& turn) {
  return turns_.Find(app, turn);
}

std::vector<Turn> MeteredTurns::Before(const Turn& turn, std::size_t limit) {
  return turns_.Before(turn, limit);
}

std::vector<Turn> MeteredTurns::Meanwhile(const Turn& turn, std::size_t limit) {
  return turns_.Meanwhile(turn, limit);
}

bool MeteredTurns::Beat(const router::NodeId& node, router::TimePoint alive_until,
                        router::TimePoint now, const std::vector<router::Claim>& under_way) {
  return turns_.Beat(node, alive_until, now, under_way);
}

void MeteredTurns::Leave(const router::NodeId& node) { turns_.Leave(node); }

router::SessionLedger::Opened MeteredSessions::OpenSession(const router::Session& session,
                                                           const router::AppQuotas& quotas) {
  return sessions_.OpenSession(session, quotas);
}

std::vector<router::SessionNews> MeteredSessions::News(const std::vector<Watched>& watched) {
  return sessions_.News(watched);
}

std::optional<router::Session> MeteredSessions::FindSession(const router::AppId& app,
                                                            const router::SessionId& id) {
  return sessions_.FindSession(app, id);
}

std::optional<router::Session> MeteredSessions::OpenSessionOn(const router::AppId& app,
                                                              const router::AgentId& agent,
                                                              const router::Cid& cid) {
  return sessions_.OpenSessionOn(app, agent, cid);
}

std::vector<router::Session> MeteredSessions::ListSessions(const router::AppId& app,
                                                           const Page& page) {
  return sessions_.ListSessions(app, page);
}

std::vector<Advanced> MeteredSessions::CloseSession(const router::AppId& app,
                                                    const router::SessionId& id,
                                                    const router::NodeId& node,
                                                    router::TimePoint now) {
  std::vector<Advanced> cancelled = sessions_.CloseSession(app, id, node, now);
  for (const Advanced& advanced : cancelled) committed_.Tell(advanced);
  return cancelled;
}

void MeteredSessions::RememberHistory(const router::SessionId& id,
                                      const std::vector<router::HistoryMessage>& history) {
  sessions_.RememberHistory(id, history);
}

std::vector<router::Session> MeteredSessions::ActiveSince(const router::AppId& app,
                                                          router::TimePoint since,
                                                          std::size_t limit) {
  return sessions_.ActiveSince(app, since, limit);
}

router::HeldThere MeteredApprovals::Look(const router::AppId& app, const std::string& lane,
                                         const router::CallId& call,
                                         const router::ApprovalId& request,
                                         const router::UserId& user) {
  return approvals_.Look(app, lane, call, request, user);
}

std::optional<Turn> MeteredApprovals::TurnOf(const router::ApprovalRecord& record) {
  return approvals_.TurnOf(record);
}

router::ApprovalLedger::Settled MeteredApprovals::Settle(const router::AppId& app,
                                                         const router::ApprovalId& id,
                                                         const router::CallDecided& decided,
                                                         const router::NodeId& node,
                                                         router::TimePoint now) {
  Settled settled = approvals_.Settle(app, id, decided, node, now);
  if (settled.turn) committed_.TellOf(*settled.turn, settled.happened);
  committed_.TellOf(settled.taken);
  return settled;
}

std::optional<router::ApprovalRecord> MeteredApprovals::Get(const router::AppId& app,
                                                            const router::ApprovalId& id) {
  return approvals_.Get(app, id);
}

std::vector<router::ApprovalRecord> MeteredApprovals::List(const router::AppId& app,
                                                           const router::ApprovalPage& page) {
  return approvals_.List(app, page);
}

std::vector<router::Delivery> MeteredOutbox::ClaimDeliveries(const router::NodeId& node,
                                                             std::size_t limit,
                                                             router::TimePoint now) {
  return outbox_.ClaimDeliveries(node, limit, now);
}

void MeteredOutbox::Delivered(const router::Delivery& delivery, router::TimePoint now) {
  outbox_.Delivered(delivery, now);
}

void MeteredOutbox::Postpone(const router::Delivery& delivery, router::TimePoint due_at) {
  outbox_.Postpone(delivery, due_at);
}

void MeteredOutbox::GiveUp(const router::Delivery& delivery) {
  outbox_.GiveUp(delivery);
  metrics_.PostGivenUp(delivery.app.text());
}

std::optional<router::TimePoint> MeteredOutbox::NextDelivery() { return outbox_.NextDelivery(); }

std::optional<router::Forgotten> MeteredPersonalData::Forget(
    const router::AppId& app, const router::UserId& user, const std::string& from,
    const router::NodeId& node, const router::ConsentLedger::Ending& by) {
  auto forgotten = data_.Forget(app, user, from, node, by);
  if (!forgotten) return forgotten;
  for (const Advanced& ended : forgotten->ended) committed_.Tell(ended);
  return forgotten;
}

}  // namespace writ::bot
