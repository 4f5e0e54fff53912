#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "router/base/time.h"
#include "store/memory/table.h"
#include "store/records.h"

namespace writ::store {

// Everything that the memory store holds, and the ways in which it is looked up.
struct Tables {
  using Text = std::string;
  using Pair = std::pair<Text, Text>;

  // A row with the place of its insertion, which orders what came at the same instant.
  struct Event {
    EventRow row;
    std::int64_t place = 0;
  };

  Tables();
  ~Tables() = default;
  Tables(const Tables&) = delete;
  Tables& operator=(const Tables&) = delete;

  UndoLog undo;
  std::int64_t fence = 0;     // never goes back, not even with a transaction that failed
  std::int64_t sequence = 0;  // the same

  Index<Event, TimePoint, std::int64_t, Pair> events_waiting;
  Index<Event, Text, Text, std::int64_t, Pair> events_of_channel;  // those that wait
  Index<Event, Text, Text, TimePoint, std::int64_t, Pair> events_parked;
  Index<Event, TimePoint, std::int64_t, Pair> events_over;  // parked ones too
  Table<Pair, Event> events;

  Index<SessionRow, Text, Text, Text, TimePoint, Text> sessions_open;
  Index<SessionRow, Text, bool, TimePoint, Text> sessions_listed;
  Index<SessionRow, Text, TimePoint, Text> sessions_active;
  Index<SessionRow, TimePoint, Text> sessions_closed;
  Table<Text, SessionRow> sessions;

  Index<TurnRow, Text, Text, TimePoint, Text> turns_of_message;
  Index<TurnRow, Text, Text, Text> turns_of_client;
  Index<TurnRow, Text, TimePoint, Text> turns_of_session;
  Index<TurnRow, Text, Text, TimePoint, Text> turns_open_in_lane;
  Index<TurnRow, Text, TimePoint, Text> turns_open_in_session;
  Index<TurnRow, Text, Text, int, TimePoint, Text> turns_in_line;
  Index<TurnRow, TimePoint, Text> turns_to_wake;
  Index<TurnRow, TimePoint, Text> turns_ended;
  Index<TurnRow, Text, std::int64_t, Text> turns_changed;
  Table<Text, TurnRow> turns;

  Index<ApprovalRow, Text, TimePoint, Text> approvals_of_run;
  Index<ApprovalRow, Text, TimePoint, Text> approvals_listed;
  Index<ApprovalRow, TimePoint, Text> approvals_settled;
  Index<ApprovalRow, Text, Text> approvals_pending;
  Table<Text, ApprovalRow> approvals;

  Index<ConsentRow, Text, Text, TimePoint, Text> consents_of_lane;
  Index<ConsentRow, TimePoint, Text> consents_expiring;
  Table<Text, ConsentRow> consents;
  Index<BudgetRow, TimePoint, Pair> budgets_since;
  Table<Pair, BudgetRow> budgets;

  Table<Pair, LaneRow> lanes;  // those that are held or were told something

  Index<WorkRow, TimePoint, Pair> work_due;
  Table<Pair, WorkRow> work;

  Index<OutboxRow, Text, Text, Text, std::int64_t, Text> outbox_due;  // by queue
  Index<OutboxRow, Text, Text, std::int64_t, Text> outbox_of_lane;    // those that are due
  Index<OutboxRow, Text, Text> outbox_of_turn;
  Table<Text, OutboxRow> outbox;

  Index<AuditRow, Text, std::int64_t> audit_unsealed;
  Index<AuditRow, Text, std::int64_t, std::int64_t> audit_sealed;
  Table<std::int64_t, AuditRow> audit;  // by place
  Table<Text, AuditChainRow> audit_chains;
  Table<Text, std::int64_t> audit_numbers;  // the last of each session

  Table<Text, TimePoint> nodes;
};

}  // namespace writ::store
