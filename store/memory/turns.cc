#include <iterator>
#include <limits>
#include <string>

#include "router/base/failure.h"
#include "store/memory/memory_records.h"

namespace writ::store {

using router::Failure;

namespace {

std::optional<TurnRow> Copy(const TurnRow* row) {
  return row == nullptr ? std::nullopt : std::optional(*row);
}

}  // namespace

void MemoryRecords::SaveTurn(const TurnRow& row) {
  MustBeWritable();
  const auto same = FindTurnOfClient(row.session, row.client_id);
  if (same && same->id != row.id) {
    throw Failure(Failure::Kind::kPermanent,
                  "turn " + row.id + ": its client_id is that of " + same->id);
  }
  TurnRow saved = row;
  saved.changed = LastChange(row.session) + 1;
  tables_.turns.Put(saved.id, saved);
}

std::optional<TurnRow> MemoryRecords::FindTurn(std::string_view id) {
  return Copy(tables_.turns.Find(std::string(id)));
}

std::optional<TurnRow> MemoryRecords::FindTurnOfMessage(std::string_view app,
                                                        std::string_view message) {
  const auto& entries = tables_.turns_of_message.entries();
  const auto at =
      entries.lower_bound({std::string(app), std::string(message), TimePoint::min(), ""});
  if (at == entries.end() || std::get<0>(*at) != app || std::get<1>(*at) != message) {
    return std::nullopt;
  }
  return FindTurn(std::get<3>(*at));
}

std::optional<TurnRow> MemoryRecords::FindTurnOfClient(std::string_view session,
                                                       std::string_view client_id) {
  const auto& entries = tables_.turns_of_client.entries();
  const auto at = entries.lower_bound({std::string(session), std::string(client_id), ""});
  if (at == entries.end() || std::get<0>(*at) != session || std::get<1>(*at) != client_id) {
    return std::nullopt;
  }
  return FindTurn(std::get<2>(*at));
}

std::vector<TurnRow> MemoryRecords::TurnsBefore(std::string_view session, TimePoint before,
                                                std::string_view before_id, std::size_t limit) {
  std::vector<TurnRow> rows;
  const auto& entries = tables_.turns_of_session.entries();
  auto at = entries.lower_bound({std::string(session), before, std::string(before_id)});
  while (at != entries.begin() && rows.size() < limit) {
    --at;
    if (std::get<0>(*at) != session) break;
    rows.push_back(*tables_.turns.Find(std::get<2>(*at)));
  }
  return rows;
}

std::vector<TurnRow> MemoryRecords::OpenTurnsOfLane(std::string_view app, std::string_view lane,
                                                    std::size_t limit) {
  std::vector<TurnRow> rows;
  const auto& entries = tables_.turns_open_in_lane.entries();
  for (auto at = entries.lower_bound({std::string(app), std::string(lane), TimePoint::min(), ""});
       at != entries.end() && rows.size() < limit; ++at) {
    if (std::get<0>(*at) != app || std::get<1>(*at) != lane) break;
    rows.push_back(*tables_.turns.Find(std::get<3>(*at)));
  }
  return rows;
}

std::vector<TurnRow> MemoryRecords::OpenTurnsOfSession(std::string_view session,
                                                       std::size_t limit) {
  std::vector<TurnRow> rows;
  const auto& entries = tables_.turns_open_in_session.entries();
  for (auto at = entries.lower_bound({std::string(session), TimePoint::min(), ""});
       at != entries.end() && rows.size() < limit; ++at) {
    if (std::get<0>(*at) != session) break;
    rows.push_back(*tables_.turns.Find(std::get<2>(*at)));
  }
  return rows;
}

std::optional<TurnRow> MemoryRecords::FirstInLine(std::string_view app, std::string_view lane) {
  const auto& entries = tables_.turns_in_line.entries();
  const auto at =
      entries.lower_bound({std::string(app), std::string(lane), 0, TimePoint::min(), ""});
  if (at == entries.end() || std::get<0>(*at) != app || std::get<1>(*at) != lane) {
    return std::nullopt;
  }
  return FindTurn(std::get<4>(*at));
}

std::size_t MemoryRecords::CountInLine(std::string_view app, std::string_view lane, int line) {
  const auto& entries = tables_.turns_in_line.entries();
  const std::string app_text(app);
  const std::string lane_text(lane);
  const auto from = entries.lower_bound({app_text, lane_text, line, TimePoint::min(), ""});
  const auto to = entries.lower_bound({app_text, lane_text, line + 1, TimePoint::min(), ""});
  return static_cast<std::size_t>(std::distance(from, to));
}

std::vector<TurnRow> MemoryRecords::TurnsToWake(TimePoint now, std::size_t limit) {
  std::vector<TurnRow> rows;
  for (const auto& [wake_at, id] : tables_.turns_to_wake.entries()) {
    if (rows.size() == limit || wake_at > now) break;
    rows.push_back(*tables_.turns.Find(id));
  }
  return rows;
}

std::optional<TimePoint> MemoryRecords::FirstWake() {
  const auto& entries = tables_.turns_to_wake.entries();
  return entries.empty() ? std::nullopt : std::optional(std::get<0>(*entries.begin()));
}

std::vector<TurnRow> MemoryRecords::TurnsChanged(std::string_view session, std::int64_t after,
                                                 std::size_t limit) {
  std::vector<TurnRow> rows;
  const auto& entries = tables_.turns_changed.entries();
  for (auto at = entries.lower_bound({std::string(session), after + 1, ""});
       at != entries.end() && rows.size() < limit; ++at) {
    if (std::get<0>(*at) != session) break;
    rows.push_back(*tables_.turns.Find(std::get<2>(*at)));
  }
  return rows;
}

std::int64_t MemoryRecords::LastChange(std::string_view session) {
  const auto& entries = tables_.turns_changed.entries();
  auto at =
      entries.lower_bound({std::string(session), std::numeric_limits<std::int64_t>::max(), ""});
  if (at == entries.begin()) return 0;
  --at;
  return std::get<0>(*at) == session ? std::get<1>(*at) : 0;
}

void MemoryRecords::DeleteTurn(std::string_view id) {
  MustBeWritable();
  for (const ApprovalRow& approval : ApprovalsOfRun(id)) tables_.approvals.Erase(approval.id);
  for (const WorkRow& work : WorkOfTurn(id)) DeleteWork(work.turn, work.call);
  tables_.turns.Erase(std::string(id));
}

std::size_t MemoryRecords::CountUpTo(std::string_view app, Counted what, std::size_t limit) {
  const std::string of_app(app);
  // The entries from `at` on, as long as they are the app's and `counts`.
  const auto count_from = [&](const auto& index, auto at, const auto& counts) {
    std::size_t count = 0;
    for (; at != index.entries().end() && count < limit && std::get<0>(*at) == of_app; ++at) {
      if (counts(*at)) ++count;
    }
    return count;
  };
  switch (what) {
    case Counted::kOpenSessions: {
      const auto& index = tables_.sessions_listed;
      const auto from = index.entries().lower_bound({of_app, true, TimePoint::min(), ""});
      return count_from(index, from, [](const auto&) { return true; });
    }
    case Counted::kQueuedTurns: {
      const auto& index = tables_.turns_in_line;
      const auto from = index.entries().lower_bound({of_app, "", 0, TimePoint::min(), ""});
      return count_from(index, from, [](const auto& entry) { return std::get<2>(entry) == 1; });
    }
    case Counted::kPendingApprovals: {
      const auto& index = tables_.approvals_pending;
      const auto from = index.entries().lower_bound({of_app, ""});
      return count_from(index, from, [](const auto&) { return true; });
    }
  }
  return 0;
}

}  // namespace writ::store
