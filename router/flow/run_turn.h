#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "router/approval/ask.h"
#include "router/flow/callback.h"
#include "router/flow/edit.h"
#include "router/flow/growing_replies.h"
#include "router/flow/log_about.h"
#include "router/flow/node.h"
#include "router/flow/ports.h"
#include "router/flow/setup.h"
#include "router/flow/shelves.h"
#include "router/flow/standing_consents.h"
#include "router/tool/ruling.h"
#include "router/turn/ledger.h"

namespace writ::router {

// Works on claimed pieces: a turn's next step (ask the model, gate what it wants) or one call (look
// at the rules of now, commit `sending`, send, report). No thread waits in here for the world: each
// outcome comes back as a job, is committed under the piece's fence, and what became due in that
// commit is begun.
class RunTurn {
 public:
  RunTurn(const Ports& ports, const Directory& directory, Shelves& shelves, Node& node,
          UnderWay& under_way, GrowingReplies& growing)
      : ports_(ports),
        directory_(directory),
        shelves_(shelves),
        node_(node),
        under_way_(under_way),
        growing_(growing) {}

  // Begins each piece as a job.
  void Begin(std::vector<Work> works);
  // Begins what a commit made due, and stops the requests of a turn that it ended.
  void Follow(Advanced advanced);
  // Stops what is under way in vain: another node has the piece now, or ended its turn.
  void StopLost();
  [[nodiscard]] std::vector<Claim> UnderWayNow() const { return under_way_.Claims(); }
  // The node for which what is new is claimed: nobody where there is no room for it.
  [[nodiscard]] NodeId ClaimantOfNew();
  [[nodiscard]] UnderWay& under_way() { return under_way_; }
  // Something was committed: a channel may have something to be shown, and a wait may be over at
  // `wake_at`, sooner than whoever sleeps until then knows.
  void Changed(std::optional<TimePoint> wake_at) { changed_(wake_at); }
  void OnChanged(std::function<void(std::optional<TimePoint>)> listener) {
    changed_ = std::move(listener);
  }
  // Something of the session was committed by this node, for whoever follows it. A hint: what
  // nothing was begun for is not told of.
  void OnSessionChanged(std::function<void(const SessionId&)> listener) {
    session_changed_ = std::move(listener);
  }

 private:
  struct Step;     // one step under way
  struct Sending;  // one call under way
  struct Consult;  // a callback that is asked about a held call

  // Runs `job`, which works on the claimed piece, as a job. Where the store can't be reached it
  // runs again after a while; where the turn can't be worked on at all it is given up.
  void RunJob(const Claim& claim, std::function<void()> job, int attempt = 0);
  // The same on this thread, which runs a job already.
  void RunInJob(const Claim& claim, const std::function<void()>& job, int attempt = 0);

  void BeginStep(const Work& work, std::stop_token stop);
  // Why the model may not be asked: its tokens of the day are used up.
  [[nodiscard]] std::optional<std::string> WhyOverBudget(const AgentSetup& agent,
                                                         const Turn& turn) const;
  void ReadHistory(std::shared_ptr<Step> step);
  void AskModel(const std::shared_ptr<Step>& step);
  void FollowGrowth(const std::shared_ptr<Step>& step, ModelRequest& request);
  void OnModel(const std::shared_ptr<Step>& step, const Model::Outcome& outcome);

  struct Gating;   // the calls of one reply on their way through the gate
  struct Passing;  // one of them
  void GateReply(std::shared_ptr<Step> step, const ModelReply& reply);
  [[nodiscard]] Passing JudgeCall(const Step& step, const ModelCall& wanted) const;
  void AskBackend(const std::shared_ptr<Gating>& gating);
  void AdmitReply(const Gating& gating);
  void TakeReply(const Step& step, ModelReplied replied);
  [[nodiscard]] GatedCall AdmitCall(const Turn& turn, const Passing& passing) const;
  void LogRuling(const Turn& turn, const Call& call, const Ruling& ruling) const;

  void BeginConsult(const Work& work, std::stop_token stop);
  void OnCallback(const std::shared_ptr<Consult>& consult, const CheckOutcome& outcome);
  void OnCallbacksEdit(const std::shared_ptr<Consult>& consult, const CallbackAnswer& answer,
                       const Shelves::Outcome& shelf);
  void Consulted(const Consult& consult, const CallbackAnswer& answer, const CheckedEdit& edit);

  void BeginCall(const Work& work, std::stop_token stop);
  void SendCall(const std::shared_ptr<Sending>& sending, Shelves::Outcome shelf);
  void OnRuling(const std::shared_ptr<Sending>& sending, const CheckOutcome& answer);
  void CheckConsent(const std::shared_ptr<Sending>& sending);
  void CommitSent(const std::shared_ptr<Sending>& sending);
  void LeaveNow(const std::shared_ptr<Sending>& sending);
  [[nodiscard]] Asked AskedByTool(const Sending& sending) const;
  [[nodiscard]] CallReported ReportOf(const Sending& sending, CallReport report) const;

  // Commits the event under the claim; tries again with a back-off while the store can't be
  // reached, for what happened outside can't be taken back. `then` runs where it was committed.
  void Commit(const Claim& claim,
              std::variant<ModelReplied, ModelFailed, CallConsulted, CallSent, CallOffered,
                           CallStopped, CallShortCircuited, CallReported, CallLost, GivenUp>
                  what,
              std::function<void(Advanced)> then, int attempt = 0);
  void GiveUp(const Claim& claim, std::string reason);
  void Finish(const Claim& claim);
  // For what is said of a piece when its turn is not at hand.
  [[nodiscard]] LogAbout LogOf(const Claim& claim) const;
  void ClearIndicator(const Turn& turn);

  const Ports& ports_;
  const Directory& directory_;
  Shelves& shelves_;
  Node& node_;
  UnderWay& under_way_;
  GrowingReplies& growing_;
  const StandingConsents consents_{ports_};
  std::function<void(std::optional<TimePoint>)> changed_ = [](std::optional<TimePoint>) {};
  std::function<void(const SessionId&)> session_changed_ = [](const SessionId&) {};
};

}  // namespace writ::router
