#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "router/turn/charge.h"
#include "router/turn/event.h"
#include "router/turn/next.h"
#include "router/turn/turn.h"

namespace writ::router {

// The turn while one event moves it; the parts of next() share it. Each method returns whether the
// event may happen in this state; where it may not, nothing was changed.
class Mover {
 public:
  Mover(Turn turn, TimePoint now) : turn_(std::move(turn)), now_(now) {}

  bool On(const LeaseGranted& event);
  bool On(const ModelReplied& event);
  bool On(const ModelFailed& event);
  bool On(const CallDecided& event);
  bool On(const CallConsulted& event);
  bool On(const CallSent& event);
  bool On(const CallOffered& event);
  bool On(const CallTaken& event);
  bool On(const CallStopped& event);
  bool On(const CallShortCircuited& event);
  bool On(const CallReported& event);
  bool On(const CallLost& event);
  bool On(const ReplyBegun& event);
  bool On(const TakenOver& event);
  bool On(const TimePassed& event);
  bool On(const TextEdited& event);
  bool On(const CancelAsked& event);
  bool On(const GivenUp& event);

  // The new state, once the event was taken.
  [[nodiscard]] Step Finish(bool accepted) &&;

 private:
  void Do(Effect::Kind kind, const CallId& call = {}) { effects_.push_back({kind, call}); }

  // The reply without calls that ends the turn.
  void Conclude(const ModelReply& reply);
  void Admit(const GatedCall& gated);
  [[nodiscard]] bool IsStopped(const GatedCall& gated, bool pre_approved, bool asks, Call& call);
  [[nodiscard]] bool WasDeclined(const Call& call) const;
  // Whether the command's pre-approval is of this call and not used up.
  [[nodiscard]] bool IsPreApproved(const Call& call, const ApprovalRecord& approval) const;
  void DecideAtOnce(Call& call, bool approved, std::string reason, std::string_view decided_by);
  void DecideByConsent(Call& call, const Consent& consent);
  void Hold(Call& call, ApprovalRecord& ask);
  void HoldForQuestion(Call& call, const CallReported& event);
  // Whether a decision on that ask of the call may still come.
  [[nodiscard]] bool MayDecide(const Call* call, const ApprovalId& approval) const;
  // Fails the call where its record was changed behind our back.
  bool FailWhereTampered(Call& call);
  void Decide(Call& call, const Proposal& said);
  void PutTo(Call& call, const UserId& asked);
  bool ExpireHeld();
  // Ends the calls whose time outside is over.
  bool ExpireOutside();
  // Uses up what lets the call run and moves it to `sending`; fails it where that is worth nothing.
  // Whether it may run now.
  bool Use(Call& call);
  // Moves `call` to an end that it reached without (or before) an answer.
  void Settle(Call& call, CallState state, std::string_view status, std::string reason);
  // The app's backend answered in the connector's place.
  void ShortCircuit(Call& call, std::string result);
  // Follows the calls: thinking again once all are settled.
  void Follow();
  void End(TurnState state, std::string_view reply, std::string failure);
  void KeepTime();

  Turn turn_;
  TimePoint now_;
  std::vector<Effect> effects_;
  Charging charging_;
};

}  // namespace writ::router
