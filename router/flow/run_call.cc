// One call from `ready` to its report.
#include <utility>

#include "router/base/digest.h"
#include "router/base/trace.h"
#include "router/flow/asked_now.h"
#include "router/flow/before_call.h"
#include "router/flow/log_about.h"
#include "router/flow/run_turn.h"
#include "router/tool/gate.h"
#include "router/tool/on_behalf.h"
#include "router/tool/ruling.h"
#include "router/turn/approval_record.h"
#include "router/turn/consent.h"
#include "router/turn/question.h"

namespace writ::router {
namespace {

constexpr std::size_t kMarkKeyBytes = 16;

OnBehalf OnBehalfOf(const Turn& turn, const Call& call, const std::string& audience,
                    TimePoint now) {
  return {.app = turn.app,
          .cid = turn.cid,
          .call = call.id,
          .writer = turn.writer,
          .initiator = turn.initiator,
          .approval = call.approval ? call.approval->id : ApprovalId(),
          .args_digest = DigestOf(ArgumentsToRun(call), "tool", call.name),
          .audience = audience,
          .now = now};
}

Json TextOrNull(const std::string& text) { return text.empty() ? Json() : Json(text); }

// What the app's backend needs to know of a call that it runs itself.
Json PartOf(const Turn& turn, const Call& call) {
  return Json::MakeObject({{"app_id", turn.app.text()},
                           {"cid", TextOrNull(turn.cid.text())},
                           {"session_id", turn.session.text()},
                           {"run_id", turn.id.text()},
                           {"name", call.name},
                           {"writer", TextOrNull(turn.writer.text())},
                           {"initiator", TextOrNull(turn.initiator.text())}});
}

}  // namespace

struct RunTurn::Sending {
  Claim claim;
  Turn turn;
  Call call;
  std::stop_token stop;
  const BoundConnector* bound = nullptr;
  bool again = false;  // an idempotent call that was found in `sending`
};

void RunTurn::BeginCall(const Work& work, std::stop_token stop) {
  auto sending = std::make_shared<Sending>();
  sending->claim = work.claim;
  sending->turn = work.turn;
  sending->stop = std::move(stop);
  const Call* call = FindCall(sending->turn, work.claim.call);
  if (call == nullptr) {
    Finish(work.claim);
    return;
  }
  sending->call = *call;
  const AgentSetup* agent = directory_.FindAgent(sending->turn.app, sending->turn.agent);
  sending->bound = agent != nullptr ? FindConnector(*agent, call->connector) : nullptr;
  const auto ended = [this, claim = work.claim](Advanced advanced) {
    Finish(claim);
    Follow(std::move(advanced));
  };
  if (work.lost) {
    LogAbout(ports_.log, work.turn, *call)
        .Warn("call.lost", {{"idempotent", call->idempotent ? "yes" : "no"}});
    if (!call->idempotent || sending->bound == nullptr) {
      Commit(work.claim, CallLost{work.claim.call}, ended);
      return;
    }
    sending->again = true;
  } else if (sending->bound == nullptr) {
    Commit(work.claim,
           CallStopped{work.claim.call, "unknown_tool", "its connector is not configured any more"},
           ended);
    return;
  }
  if (auto shelf = shelves_.Fresh(*sending->bound, kListAgeToSend)) {
    SendCall(sending, std::move(shelf));
    return;
  }
  shelves_.Get(*sending->bound, {sending->turn.app, sending->turn.session}, kListAgeToSend,
               sending->stop, [this, sending](const Shelves::Outcome& shelf) {
                 RunInJob(sending->claim, [this, sending, shelf] { SendCall(sending, shelf); });
               });
}

// The gate of now: what was free or approved may not be so any more.
void RunTurn::SendCall(const std::shared_ptr<Sending>& sending, Shelves::Outcome shelf) {
  const auto ended = [this, claim = sending->claim](Advanced advanced) {
    Finish(claim);
    Follow(std::move(advanced));
  };
  const CallId& id = sending->call.id;
  if (sending->again) {
    Commit(sending->claim, CallLost{id}, [this, sending](const Advanced&) { LeaveNow(sending); });
    return;
  }
  if (std::holds_alternative<std::string>(shelf)) {  // its log says why
    if (node_.IsDraining()) {
      Finish(sending->claim);
      return;
    }
    Commit(sending->claim, CallStopped{id, "failed", "the connector's tools could not be had"},
           ended);
    return;
  }
  const auto& known = *std::get<Shelves::Shelved>(shelf);
  if (auto stopped = GateNow(known, sending->call.tool, sending->call.schema_digest,
                             ArgumentsToRun(sending->call))) {
    if (stopped->status == "failed") {  // fails closed and loudly, as at the first gate
      LogAbout(ports_.log, sending->turn, sending->call)
          .Error("gate.rule_failed", {{"why", stopped->reason}});
    }
    Commit(sending->claim, CallStopped{id, std::move(stopped->status), std::move(stopped->reason)},
           ended);
    return;
  }
  Check* check = sending->bound->before_call;
  const auto& approval = sending->call.approval;
  if (check == nullptr || !approval) {  // a free call was asked about just now
    CheckConsent(sending);
    return;
  }
  const RunTurn::Sending& asking = *sending;
  check->Ask(BeforeCallQuestion(ports_.ids.Next("msg_"), CheckMoment::kBeforeSending, asking.turn,
                                asking.call, approval->id, ArgumentsToRun(asking.call)),
             asking.stop, [this, sending](CheckOutcome answer) {
               RunJob(sending->claim,
                      [this, sending, answer = std::move(answer)] { OnRuling(sending, answer); });
             });
}

// What the backend says at the moment of use.
void RunTurn::OnRuling(const std::shared_ptr<Sending>& sending, const CheckOutcome& answer) {
  const auto ended = [this, claim = sending->claim](Advanced advanced) {
    Finish(claim);
    Follow(std::move(advanced));
  };
  const CallId& id = sending->call.id;
  Ruling ruling = RulingOf(answer);
  LogRuling(sending->turn, sending->call, ruling);
  switch (ruling.kind) {
    case Ruling::Kind::kAllow:
      CheckConsent(sending);
      return;
    case Ruling::Kind::kBlock:
      Commit(sending->claim, CallStopped{id, "blocked", std::move(ruling.reason)}, ended);
      return;
    case Ruling::Kind::kShortCircuit:
      Commit(sending->claim, CallShortCircuited{id, std::move(ruling.result)}, ended);
      return;
  }
}

// What a standing consent released is looked at last: between the gate and now its person may have
// left, and its rule may be another one.
void RunTurn::CheckConsent(const std::shared_ptr<Sending>& sending) {
  if (!IsByConsent(sending->call)) {
    CommitSent(sending);
    return;
  }
  const AppSetup* app = directory_.FindApp(sending->turn.app);
  consents_.FindWhatStops(
      *app, sending->bound->binding, sending->turn, sending->call,
      [this, sending](std::optional<Stopped> stopped) {
        RunJob(sending->claim, [this, sending, stopped = std::move(stopped)] {
          if (!stopped) {
            CommitSent(sending);
          } else if (node_.IsDraining() && stopped->status == "failed") {
            Finish(sending->claim);  // another start asks again
          } else {
            Commit(sending->claim, CallStopped{sending->call.id, stopped->status, stopped->reason},
                   [this, claim = sending->claim](Advanced advanced) {
                     Finish(claim);
                     Follow(std::move(advanced));
                   });
          }
        });
      });
}

void RunTurn::CommitSent(const std::shared_ptr<Sending>& sending) {
  if (sending->call.tools_of == ToolsOf::kDevice) {  // the device that takes it sends it, so to say
    const TimePoint answer_by = ports_.clock.Now() + sending->bound->binding.timeout;
    Commit(sending->claim, CallOffered{sending->call.id, answer_by},
           [this, claim = sending->claim](Advanced advanced) {
             Finish(claim);
             Follow(std::move(advanced));
           });
    return;
  }
  Commit(sending->claim, CallSent{sending->call.id}, [this, sending](Advanced advanced) {
    const Call* call = FindCall(advanced.turn, sending->call.id);
    if (call == nullptr || call->state != CallState::kSending) {  // its approval was worth nothing
      Finish(sending->claim);
      Follow(std::move(advanced));
      return;
    }
    sending->call = *call;
    Follow(std::move(advanced));
    LeaveNow(sending);
  });
}

// Who is asked what the tool wants to know: never a policy or a callback, which know no person's
// answer.
Asked RunTurn::AskedByTool(const Sending& sending) const {
  const Turn& turn = sending.turn;
  if (turn.asks >= turn.limits.max_asks) return {};
  const bool backends = sending.bound->binding.approver == Approver::kBackend;
  return AskedNow(ports_, turn, sending.call, backends ? Approver::kBackend : Approver::kWriter);
}

// A question of the tool's is made ready to be put to whoever is asked.
CallReported RunTurn::ReportOf(const Sending& sending, CallReport report) const {
  const Call& call = sending.call;
  CallReported reported{call.id, std::move(report)};
  if (reported.report.kind == CallReport::Kind::kLater) {
    reported.answer_by = ports_.clock.Now() + sending.bound->binding.timeout;
  }
  if (reported.report.kind != CallReport::Kind::kNeedsInput) return reported;
  if (!reported.report.input || !CanBeAsked(*reported.report.input)) {
    reported.report.kind = CallReport::Kind::kRefused;
    reported.report.what = "the tool asks something that can't be put to a person";
    return reported;
  }
  const Asked asked = AskedByTool(sending);
  if (asked.kind == Asked::Kind::kNobody) {
    reported.report.what = "the tool asks something, and there is nobody to ask";
    return reported;
  }
  const Turn& turn = sending.turn;
  ToolQuestion& question = reported.question.emplace();
  ApprovalRecord& record = question.approval;
  record.id = ApprovalId(ports_.ids.Next("apr_"));
  record.run = turn.id;
  record.call = call.id;
  record.question = call.question ? call.question->question + 1 : 1;
  record.app = turn.app;
  record.lane = turn.lane;
  record.cid = turn.cid;
  record.asked = asked.user;
  record.kind = kInputKind;
  record.connector = call.connector;
  record.tool = call.name;
  record.arguments = QuestionText(*reported.report.input);
  record.args_digest = DigestOf(record.arguments, record.kind, record.tool);
  record.mark_key = HexOf(RandomBytes(kMarkKeyBytes));
  record.metadata = turn.metadata;
  question.state = reported.report.input->request_state;
  ShownText shown = ShownQuestion(*reported.report.input);
  question.shown = std::move(shown.text);
  question.shown_cut = shown.cut;
  return reported;
}

void RunTurn::LeaveNow(const std::shared_ptr<Sending>& sending) {
  const auto reported = [this, sending](const CallReport& report) {
    RunJob(sending->claim, [this, sending, report] {
      if (!report.what.empty()) {
        LogAbout(ports_.log, sending->turn, sending->call)
            .Warn("call.not_answered", {{"why", report.what}});
      }
      Commit(sending->claim, ReportOf(*sending, report), [this, sending](Advanced advanced) {
        Finish(sending->claim);
        Follow(std::move(advanced));
      });
    });
  };
  if (!node_.ClaimsHold()) {
    // The node slept: somebody else may have the call by now. The fence says so at the commit.
    reported({CallReport::Kind::kRefused, "", false, "the node's claim was too old to send"});
    return;
  }
  CallRequest request;
  request.tool = sending->call.tool;
  request.arguments = ArgumentsToRun(sending->call);
  request.idempotency_key = sending->call.id.text();
  request.timeout = sending->bound->binding.timeout;
  request.may_repeat = sending->call.idempotent;
  request.trace = TraceOfPiece(sending->turn.trace, sending->call.id.text());
  if (const auto& forwarding = sending->bound->binding.forwarding) {
    request.on_behalf = SignOnBehalf(
        OnBehalfOf(sending->turn, sending->call, forwarding->audience, ports_.clock.Now()),
        forwarding->secret);
  }
  if (sending->call.tools_of == ToolsOf::kBackend) {
    request.part_of = PartOf(sending->turn, sending->call);
  }
  request.may_ask = AskedByTool(*sending).kind != Asked::Kind::kNobody;
  request.input = AnswerOf(sending->call);
  sending->bound->connector->Call(request, sending->stop, reported);
}

}  // namespace writ::router
