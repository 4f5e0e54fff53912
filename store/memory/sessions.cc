#include <string>
#include <vector>

#include "store/memory/memory_records.h"

namespace writ::store {

void MemoryRecords::SaveSession(const SessionRow& row) {
  MustBeWritable();
  tables_.sessions.Put(row.id, row);
}

std::optional<SessionRow> MemoryRecords::FindSession(std::string_view id) {
  const SessionRow* row = tables_.sessions.Find(std::string(id));
  return row == nullptr ? std::nullopt : std::optional(*row);
}

std::optional<SessionRow> MemoryRecords::FindOpenSession(std::string_view app,
                                                         std::string_view agent,
                                                         std::string_view cid) {
  const auto& entries = tables_.sessions_open.entries();
  const auto at = entries.lower_bound(
      {std::string(app), std::string(agent), std::string(cid), TimePoint::min(), ""});
  if (at == entries.end() || std::get<0>(*at) != app || std::get<1>(*at) != agent ||
      std::get<2>(*at) != cid) {
    return std::nullopt;
  }
  return *tables_.sessions.Find(std::get<4>(*at));
}

std::vector<SessionRow> MemoryRecords::ListSessions(std::string_view app, bool open,
                                                    const std::optional<std::string>& cid,
                                                    const std::optional<std::string>& owner,
                                                    std::string_view before_id, std::size_t limit) {
  std::vector<SessionRow> rows;
  TimePoint before = TimePoint::max();
  if (!before_id.empty()) {
    const SessionRow* cursor = tables_.sessions.Find(std::string(before_id));
    if (cursor == nullptr) return rows;
    before = cursor->created_at;
  }
  const auto& entries = tables_.sessions_listed.entries();
  auto at = entries.lower_bound({std::string(app), open, before, std::string(before_id)});
  while (at != entries.begin() && rows.size() < limit) {
    --at;
    if (std::get<0>(*at) != app || std::get<1>(*at) != open) break;
    const SessionRow* row = tables_.sessions.Find(std::get<3>(*at));
    if ((!cid || row->cid == *cid) && (!owner || row->owner == *owner)) rows.push_back(*row);
  }
  return rows;
}

std::vector<SessionRow> MemoryRecords::SessionsActiveSince(std::string_view app, TimePoint since,
                                                           std::size_t limit) {
  std::vector<SessionRow> rows;
  const auto& entries = tables_.sessions_active.entries();
  auto at = entries.lower_bound({std::string(app), TimePoint::max(), ""});
  while (at != entries.begin() && rows.size() < limit) {
    --at;
    if (std::get<0>(*at) != app || std::get<1>(*at) < since) break;
    rows.push_back(*tables_.sessions.Find(std::get<2>(*at)));
  }
  return rows;
}

void MemoryRecords::DeleteSession(std::string_view id) {
  MustBeWritable();
  std::vector<std::string> turns;
  const auto& entries = tables_.turns_of_session.entries();
  for (auto at = entries.lower_bound({std::string(id), TimePoint::min(), ""});
       at != entries.end() && std::get<0>(*at) == id; ++at) {
    turns.push_back(std::get<2>(*at));
  }
  for (const std::string& turn : turns) DeleteTurn(turn);
  tables_.sessions.Erase(std::string(id));
}

}  // namespace writ::store
