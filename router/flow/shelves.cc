#include "router/flow/shelves.h"

#include <exception>
#include <utility>

#include "router/flow/declared_tools.h"

namespace writ::router {

Shelves::Shelved Shelves::Fresh(const BoundConnector& bound,
                                std::chrono::milliseconds max_age) const {
  if (bound.binding.tools_of != ToolsOf::kServer) return nullptr;
  const auto listed_at = bound.connector->ListedAt(max_age);
  if (!listed_at) return nullptr;
  const std::lock_guard lock(mutex_);
  const auto kept = kept_.find(&bound);
  const bool is_of_it = kept != kept_.end() && kept->second->fetched_at() == *listed_at;
  return is_of_it ? kept->second : nullptr;
}

void Shelves::Get(const BoundConnector& bound, const For& whom, std::chrono::milliseconds max_age,
                  std::stop_token stop, std::function<void(Outcome)> done) {
  if (bound.binding.tools_of != ToolsOf::kServer) {
    jobs_.Run([this, &bound, whom, done = std::move(done)] { done(TryDeclared(bound, whom)); });
    return;
  }
  bound.connector->ListTools(
      max_age, std::move(stop),
      [this, &bound, done = std::move(done)](ToolListOutcome outcome) mutable {
        // Reading schemas takes its time: not on the client's thread.
        jobs_.Run([this, &bound, done = std::move(done), outcome = std::move(outcome)]() mutable {
          done(TryKeep(bound, std::move(outcome)));
        });
      });
}

void Shelves::GetAll(const AgentSetup& agent, const For& whom, std::chrono::milliseconds max_age,
                     const std::stop_token& stop, std::function<void(std::vector<Shelved>)> done) {
  struct Gathering {
    std::mutex mutex;
    std::vector<Shelved> shelves;  // guarded by mutex; a null one did not answer
    std::size_t missing = 0;       // guarded by mutex
    std::function<void(std::vector<Shelved>)> done;
  };
  const auto gathering = std::make_shared<Gathering>();
  gathering->done = std::move(done);
  std::vector<std::size_t> to_ask;
  for (const BoundConnector& bound : agent.connectors) {
    gathering->shelves.push_back(Fresh(bound, max_age));
    if (!gathering->shelves.back()) to_ask.push_back(gathering->shelves.size() - 1);
  }
  gathering->missing = to_ask.size();
  if (to_ask.empty()) {
    jobs_.Run([gathering] { gathering->done(std::move(gathering->shelves)); });
    return;
  }
  for (const std::size_t i : to_ask) {
    Get(agent.connectors[i], whom, max_age, stop, [gathering, i](Outcome outcome) {
      bool last = false;
      {
        const std::lock_guard lock(gathering->mutex);
        if (auto* shelf = std::get_if<Shelved>(&outcome)) gathering->shelves[i] = *shelf;
        last = --gathering->missing == 0;
      }
      if (!last) return;
      std::erase(gathering->shelves, nullptr);
      gathering->done(std::move(gathering->shelves));
    });
  }
}

Shelves::Outcome Shelves::TryDeclared(const BoundConnector& bound, const For& whom) {
  try {
    std::optional<Session> session;
    if (sessions_ != nullptr) session = sessions_->FindSession(whom.app, whom.session);
    return ShelfOfDeclared(bound.binding, session.value_or(Session{}));
  } catch (const std::exception& fault) {
    return std::string(fault.what());
  }
}

// Whoever waits for the shelf must hear of it, whatever a server put into its list.
Shelves::Outcome Shelves::TryKeep(const BoundConnector& bound, ToolListOutcome outcome) {
  try {
    return Keep(bound, std::move(outcome));
  } catch (const std::exception& fault) {
    SetTrouble(bound, "its list can't be read", fault.what());
    return std::string(fault.what());
  }
}

Shelves::Outcome Shelves::Keep(const BoundConnector& bound, ToolListOutcome outcome) {
  if (auto* failure = std::get_if<ToolListFailure>(&outcome)) {
    SetTrouble(bound, "its tools can't be listed", failure->what);
    return failure->what;
  }
  const ToolList& list = std::get<ToolList>(outcome);
  {
    const std::lock_guard lock(mutex_);
    const auto kept = kept_.find(&bound);
    if (kept != kept_.end() && kept->second->fetched_at() == list.fetched_at) return kept->second;
  }
  const auto shelf = std::make_shared<const Shelf>(bound.binding, list);
  {
    const std::lock_guard lock(mutex_);
    kept_[&bound] = shelf;
  }
  SetTrouble(bound,
             shelf->failing()
                 ? "require_approval names `" + *shelf->failing() + "`, which is no tool"
                 : "",
             "");
  return shelf;
}

void Shelves::SetTrouble(const BoundConnector& bound, std::string what, std::string detail) {
  {
    const std::lock_guard lock(mutex_);
    std::string& known = troubles_[&bound];
    if (known == what) return;
    known = what;
  }
  if (what.empty()) {
    log_.Info("connector.recovered", {{"connector", bound.binding.id.text()}});
  } else {
    log_.Error("connector.failing", {{"connector", bound.binding.id.text()},
                                     {"why", std::move(what)},
                                     {"detail", std::move(detail)}});
  }
}

std::vector<Shelves::Trouble> Shelves::Troubles() const {
  std::vector<Trouble> troubles;
  const std::lock_guard lock(mutex_);
  for (const auto& [bound, what] : troubles_) {
    if (!what.empty()) troubles.push_back({bound->binding.id.text(), what});
  }
  return troubles;
}

}  // namespace writ::router
