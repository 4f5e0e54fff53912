#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "router/base/ids.h"
#include "router/base/log.h"
#include "router/base/time.h"
#include "router/turn/schedule_ledger.h"

namespace writ::router {

// A command that comes by the clock.
struct Schedule {
  AppId app;
  std::string name;  // unique within the app
  Cid cid;
  std::string text;
  // The first instant after that one at which it comes; nullopt: it never does again.
  std::function<std::optional<TimePoint>(TimePoint)> next_after;
};

// Makes the commands of schedules: messages that nobody wrote, in the channel's own session. Of
// what was missed while no node ran the latest is made up for, once. On one thread.
class Schedules {
 public:
  Schedules(ScheduleLedger& ledger, const Clock& clock, Log& log, std::vector<Schedule> schedules);

  // Stores what is due as events, which are opened as any other is.
  void Run();
  // On a backup that was restored, before the first Run(): what was missed since it was made may
  // have run, so none of it is made up for.
  void LeaveMissed();
  // When something is due next; nullopt: nothing ever.
  [[nodiscard]] std::optional<TimePoint> Next() const;

 private:
  struct Waiting {
    Schedule schedule;
    bool is_known = false;          // to the store
    std::optional<TimePoint> next;  // once it is known
  };
  void RunOne(Waiting& waiting);

  ScheduleLedger& ledger_;
  const Clock& clock_;
  Log& log_;
  std::vector<Waiting> waiting_;
};

}  // namespace writ::router
