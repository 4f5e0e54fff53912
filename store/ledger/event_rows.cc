#include "store/ledger/event_rows.h"

#include "router/turn/session.h"

namespace writ::store {

EventRow RowOf(const router::ChannelEvent& event, router::TimePoint now) {
  const bool is_answered = event.ignored_because.empty();
  return {.app = event.app.text(),
          .key = DedupeKey(event),
          .message = event.message.text(),
          .state = is_answered ? EventRow::State::kWaiting : EventRow::State::kDone,
          .received_at = now,
          .doc = is_answered ? router::EventToText(event) : std::string(),
          .channel = event.cid.text()};
}

}  // namespace writ::store
