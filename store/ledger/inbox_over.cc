#include "store/ledger/inbox_over.h"

#include "router/base/failure.h"
#include "router/turn/session.h"
#include "store/ledger/event_rows.h"

namespace writ::store {

using router::ChannelEvent;
using router::TimePoint;

router::Inbox::Accepted InboxOver::Accept(const ChannelEvent& event, TimePoint now) {
  if (event.created_at < now - router::kEventMemory) return Accepted::kTooOld;
  const EventRow row = RowOf(event, now);
  bool stored = false;
  engine_.Commit([&](Records& records) { stored = records.InsertEvent(row); });
  return stored ? Accepted::kStored : Accepted::kDuplicate;
}

std::vector<ChannelEvent> InboxOver::Waiting(std::size_t limit) {
  std::vector<ChannelEvent> events;
  engine_.Read([&](Records& records) {
    events.clear();
    for (const EventRow& row : records.WaitingEvents(limit)) {
      try {
        events.push_back(router::EventFromText(row.doc));
      } catch (const router::Failure&) {  // one that can't be read keeps no other from its answer
      }
    }
  });
  return events;
}

void InboxOver::Forget(std::size_t limit, TimePoint now) {
  // A day more than Accept looks back: the platform's clock and ours need not agree.
  const TimePoint before = now - router::kEventMemory - std::chrono::hours(24);
  engine_.Commit([&](Records& records) { records.DeleteEventsBefore(before, limit); });
}

}  // namespace writ::store
