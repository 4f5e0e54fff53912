#include "store/ledger/telling.h"

#include <utility>
#include <vector>

#include "router/audit/entry.h"
#include "router/turn/happening.h"

namespace writ::store {

bool IsAudited(const TellingOf& telling, const router::AppId& app) {
  const auto found = telling.find(app);
  return found != telling.end() && found->second.audit;
}

std::string EventQueueOf(const router::AppId& app) { return "events:" + app.text(); }

void SaveEvent(Records& records, const router::AppId& app, std::string_view lane,
               const router::BackendEvent& event, router::TimePoint now) {
  OutboxRow row;
  row.id = "event:" + event.id;
  row.queue = EventQueueOf(app);
  row.app = app.text();
  row.lane = lane;
  row.doc = event.body;
  row.due = true;
  row.due_at = now;
  records.SaveOutbox(row, true);
}

void SaveAuditEntry(Records& records, const router::AppId& app, const router::SessionId& session,
                    router::Json entry) {
  AuditRow row;
  row.app = app.text();
  row.doc = router::AuditText(std::move(entry), records.NextAuditNumber(session.text()));
  records.InsertAudit(row);
}

void TellOf(Records& records, const TellingOf& telling, const router::Turn& before,
            const router::Turn& after, router::TimePoint now) {
  const auto found = telling.find(after.app);
  if (found == telling.end() || after.incognito) return;
  const std::vector<router::Happening> told = router::Happenings(before, after);
  if (found->second.events) {
    for (const router::BackendEvent& event :
         router::EventsOf(told, after, found->second.with_arguments, now)) {
      SaveEvent(records, after.app, after.session.text(), event, now);
    }
  }
  if (found->second.audit) {
    for (router::Json& entry : router::AuditEntriesOf(told, before, after, now)) {
      SaveAuditEntry(records, after.app, after.session, std::move(entry));
    }
  }
}

}  // namespace writ::store
