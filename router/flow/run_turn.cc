#include "router/flow/run_turn.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <typeinfo>
#include <utility>

#include "router/base/failure.h"
#include "router/turn/face.h"

namespace writ::router {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kFirstRetry{50};
constexpr milliseconds kLongestRetry{2000};
// From the end of a piece to the look for what was left: one for all that end meanwhile.
constexpr milliseconds kLookForRoom{100};

milliseconds RetryDelay(int attempt) {
  return std::min(kFirstRetry * (1 << std::min(attempt, 8)), kLongestRetry);
}

bool ShowsFace(const std::vector<Effect>& effects) {
  return std::ranges::count(effects, Effect::Kind::kShowFace, &Effect::kind) > 0;
}

}  // namespace

void RunTurn::Begin(std::vector<Work> works) {
  if (node_.IsDraining()) return;  // the next start takes it up
  for (Work& work : works) {
    session_changed_(work.turn.session);
    std::stop_token stop;
    const Call* call = FindCall(work.turn, work.claim.call);
    const bool consults = call != nullptr && IsConsultDue(*call);
    const bool may_repeat = work.claim.call.empty() || consults;
    LineIds ids = call == nullptr ? IdsOf(work.turn) : IdsOf(work.turn, *call);
    if (!under_way_.Begin(work.claim, may_repeat, std::move(ids), stop)) continue;
    const Claim claim = work.claim;
    RunJob(claim, [this, work = std::move(work), consults, stop = std::move(stop)] {
      if (work.claim.call.empty()) {
        BeginStep(work, stop);
      } else if (consults) {
        BeginConsult(work, stop);
      } else {
        BeginCall(work, stop);
      }
    });
  }
}

void RunTurn::RunJob(const Claim& claim, std::function<void()> job, int attempt) {
  ports_.jobs.Run([this, claim, job = std::move(job), attempt] { RunInJob(claim, job, attempt); });
}

void RunTurn::RunInJob(const Claim& claim, const std::function<void()>& job, int attempt) {
  try {
    job();
  } catch (const Failure& failure) {
    LogOf(claim).Warn("turn.hindered", {{"why", failure.what()}});
    if (failure.kind() == Failure::Kind::kPermanent) {
      GiveUp(claim, failure.what());
      return;
    }
    ports_.http.After(RetryDelay(attempt), {},
                      [this, claim, job, attempt] { RunJob(claim, job, attempt + 1); });
  } catch (const std::exception& fault) {
    // A fault of ours. The piece must not stay claimed by a node that lives and does nothing.
    LogOf(claim).Error("turn.fault", {{"type", typeid(fault).name()}});
    GiveUp(claim, "a fault inside");
  }
}

void RunTurn::Follow(Advanced advanced) {
  if (HasEnded(advanced.turn.state)) {
    under_way_.Stop(advanced.turn.id);
    growing_.End(advanced.turn.id);
    // Else whoever shows the last face does it, after that; a node that drains shows none.
    if (!ShowsFace(advanced.effects) || node_.IsDraining()) ClearIndicator(advanced.turn);
  }
  Begin(std::move(advanced.taken));  // first: a call that was allowed waits for nobody's face
  session_changed_(advanced.turn.session);
  Changed(WakeAt(advanced.turn));
}

void RunTurn::StopLost() {
  for (const Claim& claim : ports_.turns.Lost(under_way_.Claims())) under_way_.Stop(claim);
}

void RunTurn::ClearIndicator(const Turn& turn) {
  const AppSetup* app = directory_.FindApp(turn.app);
  const AgentSetup* agent = directory_.FindAgent(turn.app, turn.agent);
  if (turn.cid.empty() || app == nullptr || agent == nullptr) return;
  app->chat->Indicate(turn.cid, agent->user, FaceMessageId(turn.id), Indicator::kClear);
}

void RunTurn::Commit(const Claim& claim,
                     std::variant<ModelReplied, ModelFailed, CallConsulted, CallSent, CallOffered,
                                  CallStopped, CallShortCircuited, CallReported, CallLost, GivenUp>
                         what,
                     std::function<void(Advanced)> then, int attempt) {
  TurnEvent event{ports_.clock.Now(), {}};
  std::visit([&](const auto& happened) { event.what = happened; }, what);
  std::optional<Advanced> advanced;
  try {
    advanced = ports_.turns.Advance(claim, event);
  } catch (const Failure& failure) {
    if (failure.kind() == Failure::Kind::kPermanent) {
      LogOf(claim).Error("turn.commit_refused", {{"why", failure.what()}});
      // What can't be committed ends the turn; where that can't be either, its time-out does.
      if (std::holds_alternative<GivenUp>(what)) {
        Finish(claim);
      } else {
        GiveUp(claim, failure.what());
      }
      return;
    }
    ports_.http.After(RetryDelay(attempt), {}, [=, this]() mutable {
      ports_.jobs.Run(
          [=, this]() mutable { Commit(claim, std::move(what), std::move(then), attempt + 1); });
    });
    return;
  }
  if (!advanced) {
    LogOf(claim).Warn("turn.claim_lost");
    Finish(claim);
    return;
  }
  then(*std::move(advanced));
}

void RunTurn::GiveUp(const Claim& claim, std::string reason) {
  Commit(claim, GivenUp{std::move(reason)}, [this, claim](Advanced advanced) {
    Finish(claim);
    Follow(std::move(advanced));
  });
}

NodeId RunTurn::ClaimantOfNew() {
  if (under_way_.HasRoomForNew()) return node_.Claimant();
  under_way_.SetLeft(true);
  return {};
}

LogAbout RunTurn::LogOf(const Claim& claim) const { return {ports_.log, under_way_.IdsOf(claim)}; }

void RunTurn::Finish(const Claim& claim) {
  under_way_.End(claim);
  if (under_way_.HasLeft()) Changed(ports_.clock.Now() + kLookForRoom);
}

}  // namespace writ::router
