#include "store/ledger/events_over.h"

#include <string>
#include <string_view>
#include <utility>

#include "router/base/failure.h"
#include "store/ledger/telling.h"

namespace writ::store {

using router::EventDelivery;
using router::TimePoint;

namespace {

constexpr std::string_view kIdPrefix = "event:";
// Of one commit; a lane with more is given up in several.
constexpr std::size_t kMostGivenUp = 1000;

std::string IdOf(const EventDelivery& delivery) {
  return std::string(kIdPrefix) + delivery.event.id;
}

bool WasMadeBy(const OutboxRow& row, TimePoint time) {
  try {
    return router::MadeAt(row.doc) <= time;
  } catch (const router::Failure&) {  // nobody could be told of it anyway
    return true;
  }
}

}  // namespace

std::vector<EventDelivery> EventsOver::ClaimEvents(const router::AppId& app,
                                                   const router::NodeId& node, std::size_t limit,
                                                   TimePoint now) {
  const std::string queue = EventQueueOf(app);
  std::vector<EventDelivery> deliveries;
  bool any = false;
  // Mostly there is none, and a read costs no commit.
  engine_.Read([&](Records& records) { any = !records.DeliverableOutbox(queue, now, 1).empty(); });
  if (!any) return deliveries;
  engine_.Commit([&](Records& records) {
    deliveries.clear();
    for (OutboxRow& row : records.DeliverableOutbox(queue, now, limit)) {
      row.node = node.text();
      records.SaveOutbox(row, false);
      deliveries.push_back(
          {app, node, {row.id.substr(kIdPrefix.size()), row.doc}, row.attempts, row.failing_since});
    }
  });
  return deliveries;
}

void EventsOver::Told(const EventDelivery& delivery) {
  engine_.Commit([&](Records& records) { records.DeleteOutbox(IdOf(delivery)); });
}

void EventsOver::PostponeEvent(const EventDelivery& delivery, TimePoint due_at, TimePoint now) {
  engine_.Commit([&](Records& records) {
    auto row = records.FindOutbox(IdOf(delivery));
    if (!row || row->node != delivery.node.text()) return;  // another node has it by now
    row->due_at = due_at;
    ++row->attempts;
    if (!row->failing_since) row->failing_since = now;
    row->node.clear();
    records.SaveOutbox(*row, false);
  });
}

std::size_t EventsOver::GiveUpEvents(const EventDelivery& delivery, TimePoint made_by) {
  std::size_t count = 0;
  engine_.Commit([&](Records& records) {
    count = 0;
    const auto row = records.FindOutbox(IdOf(delivery));
    if (!row || row->node != delivery.node.text()) return;
    for (const OutboxRow& next : records.OutboxOfLane(row->app, row->lane, kMostGivenUp)) {
      if (next.id != row->id && !WasMadeBy(next, made_by)) break;
      records.DeleteOutbox(next.id);
      ++count;
    }
  });
  return count;
}

std::optional<TimePoint> EventsOver::NextEvent(const router::AppId& app) {
  std::optional<TimePoint> next;
  engine_.Read([&](Records& records) { next = records.FirstDelivery(EventQueueOf(app)); });
  return next;
}

}  // namespace writ::store
