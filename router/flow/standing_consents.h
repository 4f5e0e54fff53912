#pragma once

#include <functional>
#include <vector>

#include "router/flow/ports.h"
#include "router/flow/setup.h"
#include "router/turn/event.h"

namespace writ::router {

// Finds which calls of a reply were consented to before by whom they would be put to.
class StandingConsents {
 public:
  using Done = std::function<void(std::vector<GatedCall>)>;

  explicit StandingConsents(const Ports& ports) : ports_(ports) {}

  // Names the consent (GatedCall::consent) of each held call that one covers, where its binding of
  // now allows that and the platform says that the person is a member now and has been one since
  // before they gave it. Who is no member any more has no consent left; where that can't be had the
  // call is put to them as usual. The commit that uses a consent reads it anew.
  //
  // `done` runs once: at once where no consent is there to be used, else as a job.
  void Find(const AppSetup& app, const AgentSetup& agent, const Turn& turn,
            std::vector<GatedCall> calls, const Done& done) const;

 private:
  // What the platform said of the person decides; names no consent that is worth nothing.
  void Judge(const Membership& membership, std::vector<GatedCall>& calls) const;
  void End(const Consent& consent, const char* why) const;

  const Ports& ports_;
};

}  // namespace writ::router
