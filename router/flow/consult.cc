// A held call whose binding's approver is a callback: the app's backend is asked, and what it says
// is an event of the turn. The call stays held meanwhile, answerable by the backend alone.
#include <utility>

#include "router/flow/asked_now.h"
#include "router/flow/log_about.h"
#include "router/flow/run_turn.h"

namespace writ::router {

struct RunTurn::Consult {
  Claim claim;
  Turn turn;
  Call call;
  std::stop_token stop;
  const BoundConnector* bound = nullptr;
};

void RunTurn::BeginConsult(const Work& work, std::stop_token stop) {
  auto consult = std::make_shared<Consult>();
  consult->claim = work.claim;
  consult->turn = work.turn;
  consult->call = *FindCall(work.turn, work.claim.call);
  consult->stop = std::move(stop);
  const AgentSetup* agent = directory_.FindAgent(work.turn.app, work.turn.agent);
  consult->bound = agent != nullptr ? FindConnector(*agent, consult->call.connector) : nullptr;
  if (consult->bound == nullptr || consult->bound->callback == nullptr) {
    OnCallback(consult, CheckFailed{"no callback is configured for it any more"});
    return;
  }
  consult->bound->callback->Ask(
      CallbackQuestion(ports_.ids.Next("msg_"), consult->turn, consult->call), consult->stop,
      [this, consult](const CheckOutcome& outcome) {
        RunJob(consult->claim, [this, consult, outcome] { OnCallback(consult, outcome); });
      });
}

void RunTurn::OnCallback(const std::shared_ptr<Consult>& consult, const CheckOutcome& outcome) {
  if (node_.IsDraining()) {  // stopped, or too late to be sure: another start asks again
    Finish(consult->claim);
    return;
  }
  CallbackAnswer answer = ReadCallback(outcome);
  const ApprovalRecord& record = *consult->call.approval;
  if (answer.edited && IsAsAsked(record, *answer.edited) && !consult->call.proposal) {
    answer.edited.reset();
  }
  if (!answer.edited) {
    Consulted(*consult, answer, {});
    return;
  }
  shelves_.Get(*consult->bound, {consult->turn.app, consult->turn.session}, kListAgeToSend,
               consult->stop, [this, consult, answer](const Shelves::Outcome& shelf) {
                 RunJob(consult->claim, [this, consult, answer, shelf] {
                   OnCallbacksEdit(consult, answer, shelf);
                 });
               });
}

void RunTurn::OnCallbacksEdit(const std::shared_ptr<Consult>& consult, const CallbackAnswer& answer,
                              const Shelves::Outcome& shelf) {
  using Kind = CallbackAnswer::Kind;
  const auto* known = std::get_if<Shelves::Shelved>(&shelf);
  if (known == nullptr) {
    if (node_.IsDraining()) {
      Finish(consult->claim);
      return;
    }
    Consulted(*consult, {Kind::kFailed, "its edit could not be checked", std::nullopt}, {});
    return;
  }
  const CheckedEdit edit =
      CheckEditOf(*consult->bound, **known, consult->call, *consult->call.approval, *answer.edited);
  if (!edit.faults.empty()) {
    Consulted(*consult, {Kind::kFailed, "its edit does not fit the tool", std::nullopt}, {});
    return;
  }
  Consulted(*consult, answer, edit);
}

void RunTurn::Consulted(const Consult& consult, const CallbackAnswer& answer,
                        const CheckedEdit& edit) {
  const Turn& turn = consult.turn;
  const Asked writer = AskedNow(ports_, turn, consult.call, Approver::kWriter);
  CallConsulted said;
  said.call = consult.call.id;
  said.approval = consult.call.approval->id;
  said.said.decision.reason = answer.reason;
  said.said.decision.decided_by = "callback";
  switch (answer.kind) {
    case CallbackAnswer::Kind::kApproved:
      said.verdict = CallConsulted::Verdict::kApproved;
      said.said.decision.approved = true;
      said.said.decision.edited_arguments = edit.canonical;
      said.said.decision.edited_digest = edit.canonical.empty() ? "" : edit.digest;
      said.said.shown = edit.shown;
      said.said.shown_cut = edit.shown_cut;
      said.said.mark = edit.mark;
      break;
    case CallbackAnswer::Kind::kDenied:
      said.verdict = CallConsulted::Verdict::kDenied;
      break;
    case CallbackAnswer::Kind::kPending:
      said.verdict = CallConsulted::Verdict::kPending;
      said.asked = writer.user;
      break;
    case CallbackAnswer::Kind::kFailed:
      said.verdict = CallConsulted::Verdict::kFailed;
      if (consult.bound != nullptr && consult.bound->binding.callback_failure_to_writer) {
        said.asked = writer.user;
      }
      LogAbout(ports_.log, turn, consult.call)
          .Warn("callback.failed", {{"approval_id", said.approval.text()}, {"why", answer.reason}});
      break;
  }
  Commit(consult.claim, std::move(said), [this, claim = consult.claim](Advanced advanced) {
    Finish(claim);
    Follow(std::move(advanced));
  });
}

}  // namespace writ::router
