#include "store/redis/keys.h"
#include "store/redis/redis_records.h"

namespace writ::store {

void RedisRecords::SaveTurn(const TurnRow& row) {
  Writes();
  // Another one's is found by the memory, and refused there.
  if (!row.client_id.empty() && tables_.turns.Find(row.id) == nullptr) {
    (void)FindTurnOfClient(row.session, row.client_id);
  }
  (void)LastChange(row.session);  // the memory counts from there
  memory_.SaveTurn(row);
  Held<TurnTable>().Change(row.id);
}

std::optional<TurnRow> RedisRecords::FindTurn(std::string_view id) {
  Load<TurnTable>(std::string(id));
  return memory_.FindTurn(id);
}

std::optional<TurnRow> RedisRecords::FindTurnOfMessage(std::string_view app,
                                                       std::string_view message) {
  if (message.empty()) return std::nullopt;
  LoadRange<TurnTable>(
      {.index = IndexName("by:turn_of_message", {app, message}), .skip = kOrderedSize},
      /*marked=*/true, 1);
  return memory_.FindTurnOfMessage(app, message);
}

std::optional<TurnRow> RedisRecords::FindTurnOfClient(std::string_view session,
                                                      std::string_view client_id) {
  if (client_id.empty()) return std::nullopt;
  LoadRange<TurnTable>({.index = IndexName("by:turn_of_client", {session, client_id})},
                       /*marked=*/true, 1);
  return memory_.FindTurnOfClient(session, client_id);
}

std::vector<TurnRow> RedisRecords::TurnsBefore(std::string_view session, TimePoint before,
                                               std::string_view before_id, std::size_t limit) {
  LoadRange<TurnTable>({.index = IndexName("by:turn_of_session", {session}),
                        .to = "(" + Ordered(before) + std::string(before_id),
                        .last_first = true,
                        .skip = kOrderedSize},
                       /*marked=*/true, limit);
  return memory_.TurnsBefore(session, before, before_id, limit);
}

std::vector<TurnRow> RedisRecords::OpenTurnsOfLane(std::string_view app, std::string_view lane,
                                                   std::size_t limit) {
  LoadRange<TurnTable>(
      {.index = IndexName("by:turn_open_in_lane", {app, lane}), .skip = kOrderedSize},
      /*marked=*/true, limit);
  return memory_.OpenTurnsOfLane(app, lane, limit);
}

std::vector<TurnRow> RedisRecords::OpenTurnsOfSession(std::string_view session, std::size_t limit) {
  LoadRange<TurnTable>(
      {.index = IndexName("by:turn_open_in_session", {session}), .skip = kOrderedSize},
      /*marked=*/true, limit);
  return memory_.OpenTurnsOfSession(session, limit);
}

std::optional<TurnRow> RedisRecords::FirstInLine(std::string_view app, std::string_view lane) {
  LoadRange<TurnTable>(
      {.index = IndexName("by:turn_in_line", {app, lane}), .skip = 2 * kOrderedSize},
      /*marked=*/true, 1);
  return memory_.FirstInLine(app, lane);
}

// Not by loading them: the line may be long.
std::size_t RedisRecords::CountInLine(std::string_view app, std::string_view lane, int line) {
  return Count<TurnTable>({.index = IndexName("by:turn_in_line", {app, lane}),
                           .from = "[" + Ordered(line),
                           .to = "(" + Ordered(line + 1)},
                          /*marked=*/true, [&](const TurnRow& row) {
                            return row.app == app && row.lane == lane && row.line == line &&
                                   !row.ended && row.line >= 0;
                          });
}

std::vector<TurnRow> RedisRecords::TurnsToWake(TimePoint now, std::size_t limit) {
  limit = std::min(limit, most_);
  LoadRange<TurnTable>(
      {.index = "by:turn_to_wake", .to = "[" + Ordered(now) + "\xff", .skip = kOrderedSize},
      /*marked=*/false, limit);
  return memory_.TurnsToWake(now, limit);
}

std::optional<TimePoint> RedisRecords::FirstWake() {
  if (Held<TurnTable>().changed().empty()) {
    const auto first = transaction_.FetchFirst("by:turn_to_wake");
    if (!first) return std::nullopt;
    return TimePoint(router::Duration(OrderedNumber(*first)));
  }
  LoadRange<TurnTable>({.index = "by:turn_to_wake", .skip = kOrderedSize}, /*marked=*/false, 1);
  return memory_.FirstWake();
}

std::vector<TurnRow> RedisRecords::TurnsChanged(std::string_view session, std::int64_t after,
                                                std::size_t limit) {
  LoadRange<TurnTable>({.index = IndexName("by:turn_changed", {session}),
                        .from = "[" + Ordered(after + 1),
                        .skip = kOrderedSize},
                       /*marked=*/true, limit);
  return memory_.TurnsChanged(session, after, limit);
}

std::int64_t RedisRecords::LastChange(std::string_view session) {
  if (sessions_with_last_change_.emplace(session).second) {
    LoadRange<TurnTable>({.index = IndexName("by:turn_changed", {session}),
                          .last_first = true,
                          .skip = kOrderedSize},
                         /*marked=*/true, 1);
  }
  return memory_.LastChange(session);
}

void RedisRecords::DeleteTurn(std::string_view id) {
  Writes();
  Load<TurnTable>(std::string(id));
  const std::vector<ApprovalRow> approvals = ApprovalsOfRun(id);
  const std::vector<WorkRow> work = WorkOfTurn(id);
  memory_.DeleteTurn(id);
  for (const ApprovalRow& row : approvals) Held<ApprovalTable>().Change(row.id);
  for (const WorkRow& row : work) Held<WorkTable>().Change({row.turn, row.call});
  Held<TurnTable>().Change(std::string(id));
}

std::size_t RedisRecords::CountUpTo(std::string_view app, Counted what, std::size_t limit) {
  std::size_t count = 0;
  switch (what) {
    case Counted::kOpenSessions:
      count =
          Count<SessionTable>({.index = IndexName("by:session", {"open", app})}, /*marked=*/false,
                              [&](const SessionRow& row) { return row.app == app && row.open; });
      break;
    case Counted::kQueuedTurns:
      count = Count<TurnTable>(
          {.index = IndexName("by:turn_queued", {app})}, /*marked=*/false,
          [&](const TurnRow& row) { return row.app == app && !row.ended && row.line == 1; });
      break;
    case Counted::kPendingApprovals:
      count = Count<ApprovalTable>(
          {.index = IndexName("by:approval_status", {"0", app})}, /*marked=*/false,
          [&](const ApprovalRow& row) { return row.app == app && row.status == 0; });
      break;
  }
  return std::min(count, limit);
}

}  // namespace writ::store
