#include "store/ledger/session_rows.h"

#include <optional>
#include <utility>

#include "router/base/failure.h"
#include "router/turn/idle_sessions.h"

namespace writ::store {

void SaveSession(Records& records, const router::Session& session) {
  records.SaveSession({.id = session.id.text(),
                       .app = session.app.text(),
                       .agent = session.agent.text(),
                       .cid = session.cid.text(),
                       .owner = session.owner.text(),
                       .open = session.open,
                       .created_at = session.created_at,
                       .last_active_at = session.last_active_at,
                       .doc = router::SessionToText(session)});
}

bool IsIdle(Records& records, const router::Session& session, router::Duration session_idle,
            router::TimePoint now) {
  const auto life = router::IdleLife(session, session_idle);
  return life && session.last_active_at + *life < now &&
         records.OpenTurnsOfSession(session.id.text(), 1).empty();
}

void EndSession(Records& records, router::Session session, router::TimePoint now) {
  if (session.incognito) {
    records.DeleteSession(session.id.text());
    return;
  }
  session.open = false;
  session.closed_at = now;
  SaveSession(records, session);
}

router::Session SessionOf(const SessionRow& row) { return router::SessionFromText(row.doc); }

std::optional<router::Session> ReadableSession(const SessionRow& row) {
  try {
    return SessionOf(row);
  } catch (const router::Failure&) {
    return std::nullopt;
  }
}

}  // namespace writ::store
