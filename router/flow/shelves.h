#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <variant>
#include <vector>

#include "router/base/jobs.h"
#include "router/base/log.h"
#include "router/flow/setup.h"
#include "router/tool/shelf.h"
#include "router/turn/ledger.h"

namespace writ::router {

// How old a connector's list may be when the model is asked, and when a call is about to leave.
inline constexpr std::chrono::minutes kListAgeToOffer{5};
inline constexpr std::chrono::seconds kListAgeToSend{30};

// The tools of each binding, with their schemas read once for each list. Shared by all threads.
class Shelves {
 public:
  using Shelved = std::shared_ptr<const Shelf>;
  using Outcome = std::variant<Shelved, std::string>;  // or why there is none

  // sessions  where declared tools are; nullptr: there are no sessions here
  Shelves(Jobs& jobs, Log& log, SessionLedger* sessions = nullptr)
      : jobs_(jobs), log_(log), sessions_(sessions) {}

  // For whom the tools are: those of devices and of the app's backend are the session's.
  struct For {
    AppId app;
    SessionId session;
  };
  // The server's shelf, where it is known without asking; else nullptr.
  [[nodiscard]] Shelved Fresh(const BoundConnector& bound, std::chrono::milliseconds max_age) const;

  // `done` runs as a job, once.
  void Get(const BoundConnector& bound, const For& whom, std::chrono::milliseconds max_age,
           std::stop_token stop, std::function<void(Outcome)> done);

  // The shelves of all the agent's connectors that answered, in the agent's order. One that can't
  // be had is left out: its tools are not offered.
  void GetAll(const AgentSetup& agent, const For& whom, std::chrono::milliseconds max_age,
              const std::stop_token& stop, std::function<void(std::vector<Shelved>)> done);

  struct Trouble {
    std::string connector;
    std::string what;
  };
  // Connectors that are failing at the moment, for /readyz.
  [[nodiscard]] std::vector<Trouble> Troubles() const;

 private:
  [[nodiscard]] Outcome TryDeclared(const BoundConnector& bound, const For& whom);
  [[nodiscard]] Outcome TryKeep(const BoundConnector& bound, ToolListOutcome outcome);
  [[nodiscard]] Outcome Keep(const BoundConnector& bound, ToolListOutcome outcome);
  // `what` is for anyone who asks whether the node is ready, `detail` for the log alone: it names
  // hosts and ports.
  void SetTrouble(const BoundConnector& bound, std::string what, std::string detail);

  Jobs& jobs_;
  Log& log_;
  SessionLedger* sessions_;
  mutable std::mutex mutex_;
  // Guarded by mutex_; by the address of the binding in the directory.
  std::map<const BoundConnector*, Shelved> kept_;
  std::map<const BoundConnector*, std::string> troubles_;
};

}  // namespace writ::router
