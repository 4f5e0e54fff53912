#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "router/flow/ports.h"
#include "router/flow/setup.h"
#include "router/tool/binding.h"
#include "router/tool/gate.h"
#include "router/turn/consent.h"
#include "router/turn/event.h"

namespace writ::router {

// The one of these that covers a call which would be put to `asked`, where the binding of now
// allows that; nullptr: none. Who is a member is not looked at.
[[nodiscard]] const Consent* FindCovering(const std::vector<Consent>& standing,
                                          const Binding& binding, const Turn& turn,
                                          const Call& call, const UserId& asked, TimePoint now);

// Finds which calls of a reply were consented to before by whom they would be put to.
class StandingConsents {
 public:
  using Done = std::function<void(std::vector<GatedCall>)>;

  using Checked = std::function<void(std::optional<Stopped>)>;

  explicit StandingConsents(const Ports& ports) : ports_(ports) {}

  // Names the consent (GatedCall::consent) of each held call that one covers, where its binding of
  // now allows that and the platform says that the person is a member now and has been one since
  // before they gave it. Who is no member any more has no consent left; where that can't be had the
  // call is put to them as usual. The commit that uses a consent reads it anew.
  //
  // `done` runs once: at once where no consent is there to be used, else as a job.
  void Find(const AppSetup& app, const AgentSetup& agent, const Turn& turn,
            std::vector<GatedCall> calls, const Done& done) const;

  // At the moment of use: what stops a call that a consent released. The binding of now is looked
  // at, and the platform is asked once more; whoever can't be said to be a member still has not
  // consented. nullopt: nothing. The commit that sends the call reads the consent once more.
  //
  // `done` runs once: at once where the platform need not be asked, else as a job.
  // throws  Failure{kTransient} where the store could not be reached
  void FindWhatStops(const AppSetup& app, const Binding& binding, const Turn& turn,
                     const Call& call, const Checked& done) const;

 private:
  enum class Worth { kStands, kEnded, kUnknown };
  // What the platform said of the person decides. One that is worth nothing any more ends here.
  [[nodiscard]] Worth WorthNow(const Membership& membership, const Consent& consent) const;
  void End(const Consent& consent, const char* why) const;

  const Ports& ports_;
};

}  // namespace writ::router
