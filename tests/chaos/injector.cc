#include "tests/chaos/injector.h"

#include <csignal>
#include <utility>
#include <variant>

namespace writ::chaos {
namespace {

constexpr Milliseconds kReadyWithin{1000};

bool Lasts(FaultKind kind) {
  switch (kind) {
    case FaultKind::kKillNode:
    case FaultKind::kTerminateNode:
    case FaultKind::kStopNode:
    case FaultKind::kCutNode:
    case FaultKind::kCrashStore:
    case FaultKind::kRestartStore:
      return true;
    case FaultKind::kLoseCommit:
    case FaultKind::kConnectorSlow:
    case FaultKind::kConnectorFails:
    case FaultKind::kConnectorDies:
    case FaultKind::kConnectorForgets:
    case FaultKind::kModelSlow:
    case FaultKind::kModelFails:
    case FaultKind::kPlatformLimits:
    case FaultKind::kPlatformFails:
    case FaultKind::kPlatformDies:
    case FaultKind::kMembersFail:
      return false;
  }
  return false;
}

}  // namespace

// A node that is waited for.
struct Injector::State {
  struct Wait {
    FaultKind kind;
    Moment since;
    bool is_asked = false;
  };
  mutable std::mutex mutex;  // guards both
  std::map<std::size_t, Wait> waits;
  std::map<FaultKind, std::vector<Moment>> recoveries;
};

Injector::Injector(Nodes& nodes, StoreUnderTest& store, Outside& outside, router::HttpClient& http,
                   const RunClock& clock)
    : nodes_(nodes),
      store_(store),
      outside_(outside),
      http_(http),
      clock_(clock),
      state_(std::make_shared<State>()) {}

Injector::~Injector() { stop_.request_stop(); }

void Injector::Note(const std::string& what) {
  log_.push_back(std::to_string(clock_.Now().count()) + " ms " + what);
}

void Injector::Begin(const Fault& fault) {
  ++begun_[fault.kind];
  Note(std::string(NameOf(fault.kind)) + ", node " + std::to_string(fault.node) + ", for " +
       std::to_string(fault.lasts.count()) + " ms, times " + std::to_string(fault.times));
  switch (fault.kind) {
    case FaultKind::kKillNode:
      nodes_.Kill(fault.node);
      break;
    case FaultKind::kTerminateNode:
      nodes_.Signal(fault.node, SIGTERM);
      break;
    case FaultKind::kStopNode:
      nodes_.Signal(fault.node, SIGSTOP);
      break;
    case FaultKind::kCutNode:
      store_.Cut(fault.node);
      break;
    case FaultKind::kLoseCommit:
      store_.LoseCommitOf(fault.node);
      break;
    case FaultKind::kCrashStore:
      store_.Crash();
      break;
    case FaultKind::kRestartStore:
      store_.Stop();
      break;
    case FaultKind::kConnectorSlow:
    case FaultKind::kConnectorFails:
    case FaultKind::kConnectorDies:
    case FaultKind::kConnectorForgets:
    case FaultKind::kModelSlow:
    case FaultKind::kModelFails:
    case FaultKind::kPlatformLimits:
    case FaultKind::kPlatformFails:
    case FaultKind::kPlatformDies:
    case FaultKind::kMembersFail:
      outside_.Suffer(fault);
      break;
  }
  if (Lasts(fault.kind)) ends_.emplace(clock_.Now() + fault.lasts, fault);
}

void Injector::End(const Fault& fault) {
  Note("over: " + std::string(NameOf(fault.kind)) + ", node " + std::to_string(fault.node));
  switch (fault.kind) {
    case FaultKind::kKillNode:
    case FaultKind::kTerminateNode:
      nodes_.Start(fault.node);
      break;
    case FaultKind::kStopNode:
      nodes_.Signal(fault.node, SIGCONT);
      break;
    case FaultKind::kCutNode:
      store_.Join(fault.node);
      break;
    case FaultKind::kCrashStore:
    case FaultKind::kRestartStore:
      store_.Start();
      for (std::size_t node = 0; node < nodes_.count(); ++node) ExpectReady(fault, node);
      return;
    case FaultKind::kLoseCommit:
    case FaultKind::kConnectorSlow:
    case FaultKind::kConnectorFails:
    case FaultKind::kConnectorDies:
    case FaultKind::kConnectorForgets:
    case FaultKind::kModelSlow:
    case FaultKind::kModelFails:
    case FaultKind::kPlatformLimits:
    case FaultKind::kPlatformFails:
    case FaultKind::kPlatformDies:
    case FaultKind::kMembersFail:
      return;
  }
  ExpectReady(fault, fault.node);
}

void Injector::ExpectReady(const Fault& fault, std::size_t node) {
  const std::lock_guard lock(state_->mutex);
  state_->waits.emplace(node, State::Wait{fault.kind, clock_.Now()});
}

void Injector::Tend() {
  nodes_.Supervise();
  while (!ends_.empty() && ends_.begin()->first <= clock_.Now()) {
    const Fault fault = ends_.begin()->second;
    ends_.erase(ends_.begin());
    // A node that was told to end and does not yet: its next life must wait for it.
    if (fault.kind == FaultKind::kTerminateNode && !nodes_.HasEnded(fault.node)) {
      ends_.emplace(clock_.Now() + Milliseconds(200), fault);
      break;
    }
    End(fault);
  }
  // Nobody who is down again is waited for.
  const std::lock_guard lock(state_->mutex);
  for (const auto& [at, fault] : ends_) {
    if (IsOfNode(fault.kind)) state_->waits.erase(fault.node);
  }
  for (auto& [node, wait] : state_->waits) {
    if (std::exchange(wait.is_asked, true)) continue;
    router::HttpRequest request;
    request.url = nodes_.UrlOf(node) + "/readyz";
    request.timeout = kReadyWithin;
    http_.Send(std::move(request), stop_.get_token(),
               [state = state_, node = node, &clock = clock_](const router::HttpOutcome& outcome) {
                 const auto* response = std::get_if<router::HttpResponse>(&outcome);
                 const std::lock_guard inner(state->mutex);
                 const auto found = state->waits.find(node);
                 if (found == state->waits.end()) return;
                 found->second.is_asked = false;
                 if (response == nullptr || response->status != 200) return;
                 state->recoveries[found->second.kind].push_back(clock.Now() - found->second.since);
                 state->waits.erase(found);
               });
  }
}

void Injector::EndAll() {
  for (const auto& [at, fault] : std::exchange(ends_, {})) {
    if (fault.kind == FaultKind::kTerminateNode && !nodes_.HasEnded(fault.node)) {
      ends_.emplace(clock_.Now(), fault);
    } else {
      End(fault);
    }
  }
}

bool Injector::IsQuiet() const {
  const std::lock_guard lock(state_->mutex);
  return ends_.empty() && state_->waits.empty();
}

std::map<FaultKind, std::vector<Moment>> Injector::recoveries() const {
  const std::lock_guard lock(state_->mutex);
  return state_->recoveries;
}

}  // namespace writ::chaos
