#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "router/base/ids.h"
#include "router/base/time.h"
#include "router/turn/backend_event.h"
#include "router/turn/happening.h"
#include "router/turn/turn.h"
#include "store/records.h"

namespace writ::store {

// What is written down beside the steps of an app's turns, as the configuration has it.
struct Telling {
  bool events = false;          // for the app's backend
  bool with_arguments = false;  // in them
  bool audit = false;           // the decision log
};
using TellingOf = std::map<router::AppId, Telling>;

[[nodiscard]] bool IsAudited(const TellingOf& telling, const router::AppId& app);

// The queue of an app's events.
[[nodiscard]] std::string EventQueueOf(const router::AppId& app);

// Puts the event at the end of its lane: a session, whose events go out in order.
void SaveEvent(Records& records, const router::AppId& app, std::string_view lane,
               const router::BackendEvent& event, router::TimePoint now);

// Whose turn it is: who wrote its words. Nobody: a command that came by itself.
[[nodiscard]] router::UserId PersonOf(const router::Turn& turn);

struct AuditPlace {
  router::AppId app;
  router::SessionId session;
  router::UserId person = {};  // whom the entry is about, where that is somebody
};
// Adds an entry to the session's part of the log. What is personal in it goes beside it.
void SaveAuditEntry(Records& records, const AuditPlace& place, router::Json entry);

// Writes down what happened in the step from `before` to `after`, in the step's own commit.
void TellOf(Records& records, const TellingOf& telling, const router::Turn& before,
            const router::Turn& after, const std::vector<router::Happening>& happened,
            router::TimePoint now);

}  // namespace writ::store
