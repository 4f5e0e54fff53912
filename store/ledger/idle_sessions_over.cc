#include "store/ledger/idle_sessions_over.h"

#include <algorithm>

#include "store/ledger/session_rows.h"

namespace writ::store {

using router::SessionId;

router::IdleSessions::Looked IdleSessionsOver::EndIdle(
    const router::AppId& app, const SessionId& after, std::size_t limit,
    const std::function<std::optional<router::Duration>(const router::AgentId&)>& session_idle,
    router::TimePoint now) {
  Looked looked;
  std::vector<SessionRow> idle;
  const auto idle_of = [&](const SessionRow& row) {
    return session_idle(router::AgentId(row.agent)).value_or(router::Duration::max());
  };
  engine_.Read([&](Records& records) {
    looked = {};
    idle.clear();
    for (SessionRow& row :
         records.ListSessions(app.text(), true, std::nullopt, std::nullopt, after.text(), limit)) {
      looked.last = SessionId(row.id);
      const auto shortest = std::min<router::Duration>(idle_of(row), router::kLongestIncognito);
      if (row.last_active_at + shortest >= now) continue;  // whatever it is: not yet
      if (IsIdle(records, SessionOf(row), idle_of(row), now)) idle.push_back(std::move(row));
    }
  });
  for (const SessionRow& row : idle) {
    bool has_ended = false;
    engine_.Commit([&](Records& records) {
      has_ended = false;
      const auto found = records.FindSession(row.id);
      if (!found || !found->open) return;
      router::Session session = SessionOf(*found);
      if (!IsIdle(records, session, idle_of(row), now)) return;  // a command came meanwhile
      EndSession(records, std::move(session), now);
      has_ended = true;
    });
    if (has_ended) looked.ended.emplace_back(row.id);
  }
  return looked;
}

}  // namespace writ::store
