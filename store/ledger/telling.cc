#include "store/ledger/telling.h"

#include <vector>

#include "router/turn/happening.h"

namespace writ::store {

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

void TellOf(Records& records, const TellingOf& telling, const router::Turn& before,
            const router::Turn& after, router::TimePoint now) {
  const auto found = telling.find(after.app);
  if (found == telling.end()) return;
  const std::vector<router::Happening> told = router::Happenings(before, after);
  if (found->second.events) {
    for (const router::BackendEvent& event :
         router::EventsOf(told, after, found->second.with_arguments, now)) {
      SaveEvent(records, after.app, after.session.text(), event, now);
    }
  }
}

}  // namespace writ::store
