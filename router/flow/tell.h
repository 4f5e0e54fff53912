#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <mutex>
#include <optional>

#include "router/chat/backend.h"
#include "router/flow/node.h"
#include "router/flow/ports.h"
#include "router/flow/setup.h"
#include "router/turn/event_outbox.h"

namespace writ::router {

// Tells each app's backend what the outbox holds for it: a session's events in order, each until it
// is taken, for a day. Few are out at a time for one app, so that a slow backend keeps nobody's
// turns nor another app's events waiting.
class Tell {
 public:
  Tell(const Ports& ports, EventOutbox& events, const Directory& directory, Node& node)
      : ports_(ports), events_(events), directory_(directory), node_(node) {}

  // Claims what is due and sends it on its way.
  void Pump();
  // When something is due next; nullopt: nothing waits.
  [[nodiscard]] std::optional<TimePoint> Next();

 private:
  void PumpApp(const AppSetup& app);
  void Send(const AppSetup& app, const EventDelivery& delivery);
  void OnOutcome(const AppSetup& app, const EventDelivery& delivery,
                 const std::optional<BackendFailure>& failure);
  void Postpone(const AppSetup& app, const EventDelivery& delivery, const BackendFailure& failure);
  void GiveUp(const EventDelivery& delivery, const BackendFailure& failure);
  // Runs `commit` now, and again after a while where the store can't be reached.
  void Keep(const AppSetup& app, std::function<void()> commit);

  struct Line {
    std::size_t out = 0;      // events that are on their way
    bool looking = false;     // somebody claims for the app
    bool look_again = false;  // and was told meanwhile that there may be more
  };
  // How many more may go out, where nobody else looks.
  [[nodiscard]] std::optional<std::size_t> BeginToLook(const AppId& app);
  // False: it is to be looked again.
  bool EndLook(const AppId& app, std::size_t claimed);
  void OneLessOut(const AppId& app);

  const Ports& ports_;
  EventOutbox& events_;
  const Directory& directory_;
  Node& node_;
  std::mutex mutex_;
  std::map<AppId, Line> lines_;  // guarded by mutex_
};

}  // namespace writ::router
