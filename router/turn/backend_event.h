#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "router/base/ids.h"
#include "router/base/json.h"
#include "router/base/time.h"
#include "router/turn/happening.h"
#include "router/turn/turn.h"

namespace writ::router {

// An event for the app's backend (contract section 6): `body` is what is signed and posted.
struct BackendEvent {
  std::string id;  // `evt_…`, the webhook's id: the same for the same happening
  std::string body;
};

// The events that tell of what one step made happen; `after` is where it led. Without arguments
// and their digests unless `with_arguments`.
[[nodiscard]] std::vector<BackendEvent> EventsOf(const std::vector<Happening>& told,
                                                 const Turn& after, bool with_arguments,
                                                 TimePoint now);

// One event. `subject` is what it is about: of one type and subject there is one event.
[[nodiscard]] BackendEvent MakeEvent(std::string_view type, std::string_view subject,
                                     const AppId& app, const Cid& cid, Json data, TimePoint now);

// When the event was made. throws Failure{kPermanent} where the body is not one of MakeEvent's
[[nodiscard]] TimePoint MadeAt(const std::string& body);

}  // namespace writ::router
