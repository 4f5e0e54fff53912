#include "router/flow/tell.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <string>
#include <utility>
#include <vector>

#include "router/base/failure.h"

namespace writ::router {
namespace {

using std::chrono::milliseconds;

constexpr std::size_t kMostOut = 8;  // for one app
constexpr milliseconds kFirstRetry{1000};
constexpr milliseconds kLongestRetry{300000};
constexpr milliseconds kStoreRetry{500};
constexpr std::chrono::hours kLongestTry{24};

// Twice as long each time, less up to a quarter, so that many do not come back at once. The event's
// own id spreads them: it needs no more chance than that.
milliseconds RetryDelay(const EventDelivery& delivery) {
  const milliseconds delay =
      std::min(kFirstRetry * (1 << std::min(delivery.attempts, 10)), kLongestRetry);
  const std::size_t spread =
      std::hash<std::string>{}(delivery.event.id + std::to_string(delivery.attempts)) % 256;
  return delay - delay / 4 * static_cast<int>(spread) / 256;
}

}  // namespace

void Tell::Pump() {
  for (const AppSetup& app : directory_.apps()) PumpApp(app);
}

std::optional<TimePoint> Tell::Next() {
  std::optional<TimePoint> next;
  for (const AppSetup& app : directory_.apps()) {
    if (app.backend == nullptr) continue;
    const auto due = events_.NextEvent(app.id);
    if (due) next = next ? std::min(*next, *due) : *due;
  }
  return next;
}

void Tell::PumpApp(const AppSetup& app) {
  if (app.backend == nullptr || node_.IsDraining()) return;
  for (bool done = false; !done;) {
    const auto room = BeginToLook(app.id);
    if (!room) return;
    std::vector<EventDelivery> due;
    try {
      if (*room > 0) due = events_.ClaimEvents(app.id, node_.id(), *room, ports_.clock.Now());
    } catch (const std::exception&) {
      (void)EndLook(app.id, 0);
      throw;
    }
    done = EndLook(app.id, due.size());
    for (const EventDelivery& delivery : due) Send(app, delivery);
  }
}

void Tell::Send(const AppSetup& app, const EventDelivery& delivery) {
  app.backend->Tell(
      delivery.event.id, delivery.event.body, {},
      [this, &app, delivery](const std::optional<BackendFailure>& failure) {
        ports_.jobs.Run([this, &app, delivery, failure] { OnOutcome(app, delivery, failure); });
      });
}

void Tell::OnOutcome(const AppSetup& app, const EventDelivery& delivery,
                     const std::optional<BackendFailure>& failure) {
  if (!failure) {
    Keep(app, [this, delivery] { events_.Told(delivery); });
    return;
  }
  const TimePoint since = delivery.failing_since.value_or(ports_.clock.Now());
  if (since + kLongestTry <= ports_.clock.Now()) {
    Keep(app, [this, delivery, why = *failure] { GiveUp(delivery, why); });
  } else {
    Postpone(app, delivery, *failure);
  }
}

void Tell::Postpone(const AppSetup& app, const EventDelivery& delivery,
                    const BackendFailure& failure) {
  const TimePoint now = ports_.clock.Now();
  const milliseconds delay = failure.retry_after.value_or(RetryDelay(delivery));
  ports_.log.Warn("event.postponed", {{"app_id", delivery.app.text()},
                                      {"event_id", delivery.event.id},
                                      {"why", failure.what},
                                      {"delay_ms", std::to_string(delay.count())}});
  Keep(app, [this, delivery, now, delay] { events_.PostponeEvent(delivery, now + delay, now); });
  ports_.http.After(delay, {}, [this, &app] { ports_.jobs.Run([this, &app] { PumpApp(app); }); });
}

void Tell::GiveUp(const EventDelivery& delivery, const BackendFailure& failure) {
  const std::size_t count = events_.GiveUpEvents(delivery, ports_.clock.Now() - kLongestTry);
  ports_.log.Error("event.given_up", {{"app_id", delivery.app.text()},
                                      {"event_id", delivery.event.id},
                                      {"why", failure.what},
                                      {"events", std::to_string(count)}});
}

void Tell::Keep(const AppSetup& app, std::function<void()> commit) {
  try {
    commit();
  } catch (const Failure& failure) {
    ports_.log.Warn("events.hindered", {{"why", failure.what()}});
    ports_.http.After(kStoreRetry, {}, [this, &app, commit = std::move(commit)] {
      ports_.jobs.Run([this, &app, commit] { Keep(app, commit); });
    });
    return;
  }
  OneLessOut(app.id);
  // The session's next one; apart, for what was told must not be told twice.
  ports_.jobs.Run([this, &app] { PumpApp(app); });
}

std::optional<std::size_t> Tell::BeginToLook(const AppId& app) {
  const std::lock_guard lock(mutex_);
  Line& line = lines_[app];
  if (line.looking) {
    line.look_again = true;
    return std::nullopt;
  }
  line.looking = true;
  line.look_again = false;
  return kMostOut - line.out;
}

bool Tell::EndLook(const AppId& app, std::size_t claimed) {
  const std::lock_guard lock(mutex_);
  Line& line = lines_[app];
  line.looking = false;
  line.out += claimed;
  return !line.look_again;
}

void Tell::OneLessOut(const AppId& app) {
  const std::lock_guard lock(mutex_);
  --lines_[app].out;
}

}  // namespace writ::router
