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

// The latest instant up to `now` at which it comes, where `first` is one: found by halving the time
// between, for as many as were missed since there may be.
TimePoint LatestUpTo(const Schedule& schedule, TimePoint first, TimePoint now) {
  TimePoint latest = first;
  TimePoint none_after = now;  // none comes between that and `now`
  while (const auto next = schedule.next_after(latest)) {
    if (*next > now) break;
    latest = *next;
    const TimePoint middle = latest + (none_after - latest) / 2;
    const auto after_middle = schedule.next_after(middle);
    if (after_middle && *after_middle <= now) {
      latest = *after_middle;
    } else {
      none_after = middle;
    }
  }
  return latest;
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

void Schedules::LeaveMissed() {
  for (const Waiting& waiting : waiting_) {
    ledger_.Leave(waiting.schedule.app, waiting.schedule.name, clock_.Now());
  }
}

void Schedules::RunOne(Waiting& waiting) {
  const Schedule& schedule = waiting.schedule;
  const TimePoint now = clock_.Now();
  if (!waiting.is_known) {
    waiting.next = schedule.next_after(ledger_.LastRun(schedule.app, schedule.name, now));
    waiting.is_known = true;
  }
  if (!waiting.next || *waiting.next > now) return;
  // Of those that were missed the latest stands for all.
  const TimePoint instant = LatestUpTo(schedule, *waiting.next, now);
  const ChannelEvent event = EventOf(schedule, instant, now);
  const bool is_first = ledger_.RunAt(schedule.app, schedule.name, instant, event, now);
  waiting.next = schedule.next_after(instant);
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
