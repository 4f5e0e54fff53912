#include "router/flow/schedules.h"

#include <algorithm>

namespace writ::router {
namespace {

// Its message is nobody's: the channel has none of that id.
ChannelEvent EventOf(const Schedule& schedule, TimePoint instant, TimePoint now) {
  ChannelEvent event;
  event.kind = ChannelEvent::Kind::kMessageNew;
  event.app = schedule.app;
  event.cid = schedule.cid;
  event.message = MessageId("schedule:" + schedule.name + ":" + FormatTime(instant));
  event.text = schedule.text;
  event.created_at = now;
  event.happened_at = now;
  event.delivery = "schedule";
  return event;
}

}  // namespace

Schedules::Schedules(ScheduleLedger& ledger, const Clock& clock, Log& log,
                     std::vector<Schedule> schedules)
    : ledger_(ledger), clock_(clock), log_(log) {
  waiting_.reserve(schedules.size());
  for (Schedule& schedule : schedules) waiting_.push_back({std::move(schedule), false, {}});
}

void Schedules::Run() {
  for (Waiting& waiting : waiting_) RunOne(waiting);
}

void Schedules::RunOne(Waiting& waiting) {
  const Schedule& schedule = waiting.schedule;
  const TimePoint now = clock_.Now();
  if (!waiting.is_known) {
    waiting.next = schedule.next_after(ledger_.LastRun(schedule.app, schedule.name, now));
    waiting.is_known = true;
  }
  if (!waiting.next || *waiting.next > now) return;
  TimePoint instant = *waiting.next;
  std::optional<TimePoint> next = schedule.next_after(instant);
  while (next && *next <= now) {  // missed: the latest stands for all
    instant = *next;
    next = schedule.next_after(instant);
  }
  const ChannelEvent event = EventOf(schedule, instant, now);
  const bool is_first = ledger_.RunAt(schedule.app, schedule.name, instant, event, now);
  waiting.next = next;
  if (!is_first) return;
  log_.Info("schedule.ran", {{"app_id", schedule.app.text()},
                             {"schedule", schedule.name},
                             {"instant", FormatTime(instant)}});
}

std::optional<TimePoint> Schedules::Next() const {
  std::optional<TimePoint> earliest;
  for (const Waiting& waiting : waiting_) {
    if (waiting.next && (!earliest || *waiting.next < *earliest)) earliest = waiting.next;
  }
  return earliest;
}

}  // namespace writ::router
