#include "store/ledger/session_rows.h"

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

router::Session SessionOf(const SessionRow& row) { return router::SessionFromText(row.doc); }

}  // namespace writ::store
