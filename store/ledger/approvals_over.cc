#include "store/ledger/approvals_over.h"

#include <utility>

#include "router/audit/entry.h"
#include "store/ledger/approval_rows.h"
#include "store/ledger/consent_rows.h"
#include "store/ledger/turn_rows.h"

namespace writ::store {

using router::AppId;
using router::ApprovalId;
using router::ApprovalRecord;
using router::ApprovalStatus;
using router::TimePoint;

namespace {

std::optional<ApprovalRecord> RecordIn(Records& records, const AppId& app, const ApprovalId& id) {
  auto record = ApprovalRows(records).Get(id);
  if (record && record->app != app) record.reset();
  return record;
}

ApprovalFilter PendingOn(const AppId& app, const std::string& lane) {
  ApprovalFilter filter;
  filter.app = app.text();
  filter.lane = lane;
  filter.status = static_cast<int>(ApprovalStatus::kPending);
  return filter;
}

}  // namespace

router::HeldThere ApprovalsOver::Look(const AppId& app, const std::string& lane,
                                      const router::CallId& call, const ApprovalId& request,
                                      const router::UserId& user) {
  router::HeldThere there;
  engine_.Read([&](Records& records) {
    there = {};
    there.something_runs = !records.OpenTurnsOfLane(app.text(), lane, 1).empty();
    if (!there.something_runs) return;
    const auto record = RecordIn(records, app, request);
    if (record && record->lane == lane && record->call == call &&
        record->status == ApprovalStatus::kPending) {
      there.held = record;
    }
    if (user.empty()) return;
    ApprovalFilter asked = PendingOn(app, lane);
    asked.asked = user.text();
    asked.limit = 1;
    there.caller_is_asked_there = !records.ListApprovals(asked).empty();
  });
  return there;
}

std::optional<router::Turn> ApprovalsOver::TurnOf(const ApprovalRecord& record) {
  std::optional<router::Turn> turn;
  engine_.Read([&](Records& records) {
    if (const auto row = records.FindTurn(record.run.text())) turn = TurnRows::Read(records, *row);
  });
  return turn;
}

ApprovalsOver::Settled ApprovalsOver::Settle(const AppId& app, const ApprovalId& id,
                                             const router::CallDecided& decided,
                                             const router::NodeId& node, TimePoint now) {
  Settled settled;
  engine_.Commit([&](Records& records) {
    settled = {};
    auto record = RecordIn(records, app, id);
    if (!record) return;
    settled = {Settled::Kind::kAlreadyDecided, record, {}, std::nullopt};
    TurnRows turns(records, telling_, node, now);
    auto turn = turns.Load(record->run.text());
    router::CallDecided answer = decided;
    answer.call = record->call;
    answer.approval = id;
    TurnRows::Moved made;
    const bool moved = turn && turns.Move(*turn, {now, answer}, &made);
    const bool too_late = record->status == ApprovalStatus::kPending && record->expires_at <= now;
    if (turn && !moved && too_late) {  // whoever comes first says so, this answer or the sweep
      const bool somebody_waits = records.FirstInLine(turn->app.text(), turn->lane).has_value();
      (void)turns.Move(*turn, {now, router::TimePassed{somebody_waits}}, &made);
    }
    settled.record = RecordIn(records, app, id);
    settled.taken = turns.TakeTaken();
    settled.happened = std::move(made.happened);
    settled.turn = std::move(turn);
    // A record that was tampered with moved its call to an end, but released nothing.
    const router::Call* call = settled.turn ? FindCall(*settled.turn, record->call) : nullptr;
    const bool proposed = call != nullptr && call->proposal.has_value();
    if (moved && (settled.record->decision || proposed)) settled.kind = Settled::Kind::kSettled;
    if (moved && decided.remember && settled.record->status == ApprovalStatus::kApproved) {
      const bool given = ConsentRows(records).Add(*decided.remember);
      if (given && IsAudited(telling_, app)) {
        SaveAuditEntry(records, {app, decided.remember->session, decided.remember->user},
                       router::ConsentGivenEntry(*decided.remember, decided.decision));
      }
    }
  });
  return settled;
}

std::optional<ApprovalRecord> ApprovalsOver::Get(const AppId& app, const ApprovalId& id) {
  std::optional<ApprovalRecord> record;
  engine_.Read([&](Records& records) { record = RecordIn(records, app, id); });
  return record;
}

std::vector<ApprovalRecord> ApprovalsOver::List(const AppId& app,
                                                const router::ApprovalPage& page) {
  std::vector<ApprovalRecord> list;
  ApprovalFilter filter;
  filter.app = app.text();
  if (page.status) filter.status = static_cast<int>(*page.status);
  if (page.run) filter.run = page.run->text();
  filter.lane = page.lane;
  if (page.asked) filter.asked = page.asked->text();
  filter.before_at = page.before_at;
  filter.before_id = page.before_id.text();
  filter.limit = page.limit;
  engine_.Read([&](Records& records) {
    list.clear();
    for (const ApprovalRow& row : records.ListApprovals(filter)) {
      if (auto record = RecordIn(records, app, ApprovalId(row.id))) {
        list.push_back(*std::move(record));
      }
    }
  });
  return list;
}

}  // namespace writ::store
