#include "store/ledger/event_rows.h"

#include "router/turn/session.h"

namespace writ::store {

EventRow RowOf(const router::ChannelEvent& event, router::TimePoint now) {
  return {
      .app = event.app.text(),
      .key = DedupeKey(event),
      .message = event.message.text(),
      .state = event.ignored_because.empty() ? EventRow::State::kWaiting : EventRow::State::kDone,
      .received_at = now,
      .doc = router::EventToText(event),
      .channel = event.cid.text()};
}

}  // namespace writ::store
