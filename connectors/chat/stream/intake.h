#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "router/base/ids.h"
#include "router/base/time.h"
#include "router/chat/event.h"

namespace writ::connectors {

// One delivery of a webhook, as it came. The views must outlive the call alone.
struct StreamDelivery {
  std::string_view body;        // as received, packed or not
  std::string_view signature;   // X-Signature; empty where there was none
  std::string_view webhook_id;  // X-Webhook-Id: for the log alone
};

// Whose deliveries are taken.
struct StreamIdentity {
  router::AppId app;
  // The app's API secrets: more than one while a key is being rotated. An empty one signs nothing.
  std::vector<std::string> secrets;
  std::vector<router::UserId> agent_users;  // their messages are the bot's own
};

enum class StreamRefusal {
  kTooLarge,      // 413: more than 8 MiB when inflated; found before the signature is looked at
  kBadSignature,  // 401
  kMalformed,     // 400: not JSON, or no object with a `type`
};

// Acknowledged (2xx, for anything else would be retried) and not stored: an event of no interest,
// or one without the fields that matter.
struct StreamIgnored {
  std::string because;
};

using StreamIntake = std::variant<StreamRefusal, StreamIgnored, router::ChannelEvent>;

// Verifies a webhook and tells what it says. The signature is over the inflated bytes as they are;
// nothing is parsed before it was found to be right. A message that nobody must answer comes as an
// event with `ignored_because`: it is stored as seen.
//
// received_at  stands in where an event carries no time
// source       platforms' page, 1.1, 1.3, 1.4 (README.md of this folder)
[[nodiscard]] StreamIntake VerifyAndParse(const StreamIdentity& identity,
                                          const StreamDelivery& delivery,
                                          router::TimePoint received_at);

}  // namespace writ::connectors
