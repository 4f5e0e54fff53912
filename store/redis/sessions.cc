#include <string>
#include <vector>

#include "store/redis/keys.h"
#include "store/redis/redis_records.h"

namespace writ::store {

void RedisRecords::SaveSession(const SessionRow& row) {
  Writes();
  memory_.SaveSession(row);
  Held<SessionTable>().Change(row.id);
}

std::optional<SessionRow> RedisRecords::FindSession(std::string_view id) {
  Load<SessionTable>(std::string(id));
  return memory_.FindSession(id);
}

std::optional<SessionRow> RedisRecords::FindOpenSession(std::string_view app,
                                                        std::string_view agent,
                                                        std::string_view cid) {
  LoadRange<SessionTable>(
      {.index = IndexName("by:session_open", {app, agent, cid}), .skip = kOrderedSize},
      /*marked=*/true, 1);
  return memory_.FindOpenSession(app, agent, cid);
}

std::vector<SessionRow> RedisRecords::ListSessions(std::string_view app, bool open,
                                                   const std::optional<std::string>& cid,
                                                   const std::optional<std::string>& owner,
                                                   std::string_view before_id, std::size_t limit) {
  const std::string_view state = open ? "open" : "closed";
  RedisRange range{
      .index = IndexName("by:session", {state, app}), .last_first = true, .skip = kOrderedSize};
  if (cid) {
    range.index = IndexName("by:session_of_cid", {state, app, *cid});
  } else if (owner) {
    range.index = IndexName("by:session_of_owner", {state, app, *owner});
  }
  if (!before_id.empty()) {
    const auto cursor = FindSession(before_id);
    if (!cursor) return {};
    range.to = "(" + Ordered(cursor->created_at) + cursor->id;
  }
  LoadRange<SessionTable>(range, /*marked=*/false, limit,
                          [&](const SessionRow& row) { return !owner || row.owner == *owner; });
  return memory_.ListSessions(app, open, cid, owner, before_id, limit);
}

std::vector<SessionRow> RedisRecords::SessionsActiveSince(std::string_view app, TimePoint since,
                                                          std::size_t limit) {
  LoadRange<SessionTable>({.index = IndexName("by:session_active", {app}),
                           .from = "[" + Ordered(since),
                           .last_first = true,
                           .skip = kOrderedSize},
                          /*marked=*/false, limit);
  return memory_.SessionsActiveSince(app, since, limit);
}

void RedisRecords::DeleteSession(std::string_view id) {
  Writes();
  Load<SessionTable>(std::string(id));
  LoadRange<TurnTable>({.index = IndexName("by:turn_of_session", {id}), .skip = kOrderedSize},
                       /*marked=*/true, kAll);
  std::vector<std::string> turns;  // those that this transaction made, too
  for (const auto& [session, created_at, turn] : tables_.turns_of_session.entries()) {
    if (session == id) turns.push_back(turn);
  }
  for (const std::string& turn : turns) DeleteTurn(turn);
  memory_.DeleteSession(id);
  Held<SessionTable>().Change(std::string(id));
}

}  // namespace writ::store
