#include "store/memory/tables.h"

#include <optional>
#include <tuple>

namespace writ::store {

namespace {

Tables::Pair KeyOf(const EventRow& row) { return {row.app, row.key}; }

// An entry where `in` holds, else none.
template <class... Fields>
std::optional<std::tuple<Fields...>> When(bool in, const Fields&... fields) {
  if (!in) return std::nullopt;
  return std::tuple<Fields...>(fields...);
}

}  // namespace

Tables::Tables()
    : events_waiting([](const Event& event) {
        return When(event.row.state == EventRow::State::kWaiting, event.row.received_at,
                    event.place, KeyOf(event.row));
      }),
      events_of_channel([](const Event& event) {
        return When(event.row.state == EventRow::State::kWaiting, event.row.app, event.row.channel,
                    event.place, KeyOf(event.row));
      }),
      events_parked([](const Event& event) {
        return When(event.row.state == EventRow::State::kParked, event.row.app, event.row.message,
                    event.row.received_at, event.place, KeyOf(event.row));
      }),
      events_over([](const Event& event) {
        return When(event.row.state != EventRow::State::kWaiting, event.row.received_at,
                    event.place, KeyOf(event.row));
      }),
      events(undo, {&events_waiting, &events_of_channel, &events_parked, &events_over}),
      sessions_open([](const SessionRow& row) {
        return When(row.open, row.app, row.agent, row.cid, row.created_at, row.id);
      }),
      sessions_listed([](const SessionRow& row) {
        return When(true, row.app, row.open, row.created_at, row.id);
      }),
      sessions_active([](const SessionRow& row) {
        return When(row.open && !row.cid.empty(), row.app, row.last_active_at, row.id);
      }),
      sessions_closed(
          [](const SessionRow& row) { return When(!row.open, row.created_at, row.id); }),
      sessions(undo, {&sessions_open, &sessions_listed, &sessions_active, &sessions_closed}),
      turns_of_message([](const TurnRow& row) {
        return When(!row.message.empty(), row.app, row.message, row.created_at, row.id);
      }),
      turns_of_client([](const TurnRow& row) {
        return When(!row.client_id.empty(), row.session, row.client_id, row.id);
      }),
      turns_of_session(
          [](const TurnRow& row) { return When(true, row.session, row.created_at, row.id); }),
      turns_open_in_lane([](const TurnRow& row) {
        return When(!row.ended, row.app, row.lane, row.created_at, row.id);
      }),
      turns_open_in_session(
          [](const TurnRow& row) { return When(!row.ended, row.session, row.created_at, row.id); }),
      turns_in_line([](const TurnRow& row) {
        return When(!row.ended && row.line >= 0, row.app, row.lane, row.line, row.line_at, row.id);
      }),
      turns_to_wake([](const TurnRow& row) {
        return When(!row.ended && row.wake_at, row.wake_at.value_or(TimePoint{}), row.id);
      }),
      turns_ended([](const TurnRow& row) { return When(row.ended, row.created_at, row.id); }),
      turns_changed(
          [](const TurnRow& row) { return When(true, row.session, row.changed, row.id); }),
      turns(undo,
            {&turns_of_message, &turns_of_client, &turns_of_session, &turns_open_in_lane,
             &turns_open_in_session, &turns_in_line, &turns_to_wake, &turns_ended, &turns_changed}),
      approvals_of_run(
          [](const ApprovalRow& row) { return When(true, row.run, row.created_at, row.id); }),
      approvals_listed(
          [](const ApprovalRow& row) { return When(true, row.app, row.created_at, row.id); }),
      approvals_settled(
          [](const ApprovalRow& row) { return When(row.status != 0, row.created_at, row.id); }),
      approvals_pending(
          [](const ApprovalRow& row) { return When(row.status == 0, row.app, row.id); }),
      approvals(undo,
                {&approvals_of_run, &approvals_listed, &approvals_settled, &approvals_pending}),
      consents_of_lane([](const ConsentRow& row) {
        return When(true, row.app, row.lane, row.created_at, row.id);
      }),
      consents_expiring([](const ConsentRow& row) { return When(true, row.expires_at, row.id); }),
      consents(undo, {&consents_of_lane, &consents_expiring}),
      budgets_since([](const BudgetRow& row) {
        return When(true, row.since, Pair{row.app, row.counter});
      }),
      budgets(undo, {&budgets_since}),
      lanes(undo, {}),
      work_due([](const WorkRow& row) { return When(true, row.due_at, Pair(row.turn, row.call)); }),
      work(undo, {&work_due}),
      outbox_due([](const OutboxRow& row) {
        return When(row.due, row.queue, row.app, row.lane, row.sequence, row.id);
      }),
      outbox_of_lane([](const OutboxRow& row) {
        return When(row.due, row.app, row.lane, row.sequence, row.id);
      }),
      outbox_of_turn(
          [](const OutboxRow& row) { return When(!row.turn.empty(), row.turn, row.id); }),
      outbox(undo, {&outbox_due, &outbox_of_lane, &outbox_of_turn}),
      audit_unsealed([](const AuditRow& row) { return When(row.seal == 0, row.app, row.place); }),
      audit_sealed(
          [](const AuditRow& row) { return When(row.seal != 0, row.app, row.seal, row.place); }),
      audit(undo, {&audit_unsealed, &audit_sealed}),
      audit_chains(undo, {}),
      audit_numbers(undo, {}),
      nodes(undo, {}) {}

}  // namespace writ::store
