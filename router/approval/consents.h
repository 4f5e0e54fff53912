#pragma once

#include <string>
#include <vector>

#include "router/base/ids.h"
#include "router/base/time.h"
#include "router/turn/consent.h"

namespace writ::router {

// The port through which standing consents are found and ended. They are given in the commit of an
// answer (ApprovalLedger::Settle) and used in the commit of a model's reply (TurnLedger::Advance),
// which reads them anew. Shared by all threads; each method is one commit.
//
// throws  Failure{kTransient} where the store could not be reached
class ConsentLedger {
 public:
  virtual ~ConsentLedger() = default;

  // Those of the channel that have not ended, newest first; of one person, or of everybody where
  // `user` is nobody.
  [[nodiscard]] virtual std::vector<Consent> Standing(const AppId& app, const Cid& cid,
                                                      const UserId& user, TimePoint now) = 0;

  // How one ends, for the audit log.
  struct Ending {
    std::string by;        // as Decision::decided_by: `user:<id>`, `backend`, `policy`
    std::string known_by;  // as Decision::authenticated_by
    TimePoint at;
  };
  // Ends it; no commit after this one uses it. False: the channel has none of that id, or it is not
  // `user`'s (where that is somebody).
  [[nodiscard]] virtual bool End(const AppId& app, const Cid& cid, const ConsentId& id,
                                 const UserId& user, const Ending& ending) = 0;
};

}  // namespace writ::router
