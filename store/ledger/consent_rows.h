#pragma once

#include <optional>

#include "router/base/time.h"
#include "router/turn/consent.h"
#include "router/turn/event.h"
#include "store/records.h"

namespace writ::store {

// Standing consents inside one transaction.
class ConsentRows {
 public:
  explicit ConsentRows(Records& records) : records_(records) {}

  // Keeps it, where its session is open still: a consent ends with its session. False: it was not
  // kept.
  bool Add(const router::Consent& consent);

  // Those that ended by themselves long ago, some at a time.
  static void RemoveOld(Records& records, router::TimePoint now);

  // The event as the consents of now let it happen; nullopt: as it is. What a consent that has
  // ended was to release is put to a person, or stopped where it was about to leave.
  [[nodiscard]] std::optional<router::TurnEvent> Recheck(const router::Turn& turn,
                                                         const router::TurnEvent& event);

 private:
  [[nodiscard]] bool Stands(const router::Consent& consent, const router::Turn& turn,
                            const router::GatedCall& gated, router::TimePoint now);

  Records& records_;
};

}  // namespace writ::store
