#include "store/ledger/telling.h"

#include <utility>

#include "router/audit/aside.h"
#include "router/audit/entry.h"
#include "router/base/digest.h"

namespace writ::store {

namespace {

constexpr std::size_t kSaltBytes = 16;

}  // namespace

bool IsAudited(const TellingOf& telling, const router::AppId& app) {
  const auto found = telling.find(app);
  return found != telling.end() && found->second.audit;
}

router::UserId PersonOf(const router::Turn& turn) {
  if (!turn.author.empty()) return turn.author;
  return turn.writer.empty() ? turn.initiator : turn.writer;
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

void SaveAuditEntry(Records& records, const AuditPlace& place, router::Json entry) {
  router::SplitEntry split = router::SplitOff(std::move(entry), place.person,
                                              router::HexOf(router::RandomBytes(kSaltBytes)));
  AuditRow row;
  row.app = place.app.text();
  row.doc =
      router::AuditText(std::move(split.entry), records.NextAuditNumber(place.session.text()));
  if (!split.aside.IsNull()) row.aside = split.aside.Canonical();
  records.InsertAudit(row);
}

void TellOf(Records& records, const TellingOf& telling, const router::Turn& before,
            const router::Turn& after, const std::vector<router::Happening>& happened,
            router::TimePoint now) {
  const auto found = telling.find(after.app);
  if (found == telling.end() || after.incognito) return;
  if (found->second.events) {
    for (const router::BackendEvent& event :
         router::EventsOf(happened, after, found->second.with_arguments, now)) {
      SaveEvent(records, after.app, after.session.text(), event, now);
    }
  }
  if (found->second.audit) {
    for (router::Json& entry : router::AuditEntriesOf(happened, before, after, now)) {
      SaveAuditEntry(records, {after.app, after.session, PersonOf(after)}, std::move(entry));
    }
  }
}

}  // namespace writ::store
