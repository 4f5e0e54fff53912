#pragma once

#include <string_view>
#include <vector>

#include "router/base/time.h"

namespace writ::connectors {

// One delivery to the events or the interactivity URL, as it came. The views must outlive the call
// alone.
struct SlackDelivery {
  std::string_view body;       // as received: JSON or a form
  std::string_view signature;  // X-Slack-Signature; empty where there was none
  std::string_view timestamp;  // X-Slack-Request-Timestamp; likewise
};

// Whether Slack signed it within five minutes of `now`, before or after: a captured request is
// worthless then. An empty secret signs nothing.
// source: the platforms' page, 2.1
[[nodiscard]] bool IsSignedBySlack(std::string_view signing_secret, const SlackDelivery& delivery,
                                   router::TimePoint now);

}  // namespace writ::connectors
