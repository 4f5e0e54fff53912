#pragma once

#include <chrono>
#include <cstddef>
#include <vector>

#include "router/base/time.h"
#include "router/chat/event.h"

namespace writ::router {

// Dedupe keys are kept, and older messages acknowledged and ignored, for this long, so that a
// captured webhook never comes back to life.
inline constexpr std::chrono::hours kEventMemory{7 * 24};

// The port through which webhooks become durable. Shared by all threads; each method is one commit.
class Inbox {
 public:
  enum class Accepted { kStored, kDuplicate, kTooOld };

  virtual ~Inbox() = default;

  // Stores the event with its dedupe key in one commit; durable on return. An event with
  // `ignored_because` is stored as seen and never opened.
  //
  // throws  Failure{kTransient} where it could not be committed: nothing was stored, no key either
  [[nodiscard]] virtual Accepted Accept(const ChannelEvent& event, TimePoint now) = 0;

  // The oldest stored events that no command was opened for yet, in the order of arrival.
  [[nodiscard]] virtual std::vector<ChannelEvent> Waiting(std::size_t limit) = 0;

  // Drops up to `limit` events that are over and older than any that Accept would still take.
  virtual void Forget(std::size_t limit, TimePoint now) = 0;
};

}  // namespace writ::router
