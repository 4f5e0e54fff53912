#include "store/ledger/idle_sessions_over.h"

#include <algorithm>
#include <chrono>
#include <string>

#include "store/ledger/session_rows.h"

namespace writ::store {

using router::SessionId;

namespace {

// A counter whose window is never over, so that it is kept: when the last walk began.
constexpr const char* kWalk = "idle_sessions";
constexpr router::TimePoint kAlways{std::chrono::sys_days(std::chrono::year(9999) / 1 / 1)};

}  // namespace

bool IdleSessionsOver::BeginWalk(const router::AppId& app, router::Duration rest,
                                 router::TimePoint now) {
  if (engine_.IsExclusive()) return true;  // there is no other node
  bool begins = false;
  const auto is_resting = [&](Records& records) {
    const auto row = records.FindBudget(app.text(), kWalk);
    return row && router::TimePoint(router::Duration(row->used)) + rest > now;
  };
  engine_.Read([&](Records& records) { begins = !is_resting(records); });
  if (!begins) return false;
  engine_.Commit([&](Records& records) {
    begins = !is_resting(records);
    if (begins) records.SaveBudget({app.text(), kWalk, kAlways, now.time_since_epoch().count()});
  });
  return begins;
}

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
