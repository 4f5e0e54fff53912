#pragma once

#include "router/base/log.h"
#include "router/base/time.h"
#include "router/flow/setup.h"
#include "router/turn/restored.h"

namespace writ::router {

// For a store that was restored from a backup, before this node does anything else and while no
// other runs. What became of its unfinished work after the backup was made is not known, so none of
// it goes on: commands end as failed and say so, held calls are cancelled, those that were sent end
// as outcome_unknown, stored events are left unanswered, and standing consents end, for they may
// have been withdrawn since.
//
// throws  Failure{kTransient} where the store could not be reached; run again it goes on
void EndWhatWasRestored(RestoredStore& store, const Directory& directory, const Clock& clock,
                        Log& log);

}  // namespace writ::router
