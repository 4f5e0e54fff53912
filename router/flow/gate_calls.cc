// What the model's reply wants goes through the gate: the binding's own rules, the app's backend
// where the binding asks it, then the approval rule.
#include <algorithm>
#include <atomic>
#include <memory>
#include <optional>
#include <utility>

#include "router/base/digest.h"
#include "router/flow/asked_now.h"
#include "router/flow/before_call.h"
#include "router/flow/budgets.h"
#include "router/flow/log_about.h"
#include "router/flow/run_turn.h"
#include "router/flow/running_step.h"
#include "router/tool/gate.h"
#include "router/tool/ruling.h"
#include "router/tool/show_arguments.h"

namespace writ::router {
namespace {

constexpr std::size_t kMarkKeyBytes = 16;

bool IsOfAConnector(const AgentSetup& agent, const std::string& name) {
  return std::ranges::any_of(agent.connectors, [&](const BoundConnector& bound) {
    return name.starts_with(TrueName(bound.binding.id, ""));
  });
}

}  // namespace

// One call of the reply on its way through.
struct RunTurn::Passing {
  GatedCall gated;
  // As the binding's own rules judged it; nullopt: it goes no further.
  std::optional<Gated> judged;
  const Binding* binding = nullptr;
  Check* check = nullptr;  // the backend is to be asked
  ApprovalId approval;     // that it will have where it is held; the backend is told
  std::string mark_key;
  std::optional<CheckOutcome> answer;
};

// The calls of one reply. Each answer of the backend has a place of its own; whoever fills the last
// one goes on.
struct RunTurn::Gating {
  std::shared_ptr<Step> step;
  ModelReply reply;
  std::vector<Passing> calls;
  std::atomic<std::size_t> open{0};
};

RunTurn::Step::Offer RunTurn::Step::Find(const std::string& name) const {
  if (const auto offer = offers.find(name); offer != offers.end()) return offer->second;
  Offer nearest;
  for (const Shelves::Shelved& shelf : shelves) {
    const std::string prefix = TrueName(shelf->binding().id, "");
    if (!name.starts_with(prefix)) continue;
    nearest.shelf = shelf.get();
    if (const ShelvedTool* tool = shelf->Find(name.substr(prefix.size()))) {
      return {shelf.get(), tool};
    }
  }
  return nearest;
}

void RunTurn::GateReply(std::shared_ptr<Step> step, const ModelReply& reply) {
  auto gating = std::make_shared<Gating>();
  gating->step = std::move(step);
  gating->reply = reply;
  gating->calls.reserve(reply.calls.size());
  const Turn& turn = gating->step->turn;
  for (const ModelCall& wanted : reply.calls) {
    gating->calls.push_back(JudgeCall(*gating->step, wanted));
    // What the turn has no room for is refused when the reply is taken.
    if (turn.calls.size() + gating->calls.size() >
        static_cast<std::size_t>(turn.limits.calls_per_turn)) {
      gating->calls.back().check = nullptr;
      gating->calls.back().gated.charges.clear();
    }
  }
  AskBackend(gating);
}

// What the rules say by themselves, and all that is known of the call.
RunTurn::Passing RunTurn::JudgeCall(const Step& step, const ModelCall& wanted) const {
  Passing passing;
  GatedCall& gated = passing.gated;
  Call& call = gated.call;
  call.id = CallId(ports_.ids.Next("call_"));
  call.provider_id = wanted.provider_id;
  call.offered_name = wanted.offered_name;
  call.name = wanted.offered_name;
  const auto [shelf, tool] = step.Find(wanted.offered_name);
  if (tool == nullptr) {
    const bool away = shelf == nullptr && IsOfAConnector(*step.agent, wanted.offered_name);
    gated.status = away ? "failed" : "unknown_tool";
    gated.reason = shelf != nullptr ? Gate(*shelf, nullptr, wanted.arguments_text).reason
                   : away           ? "its connector can't be reached at the moment"
                                    : "no connector has a tool of that name";
    return passing;
  }
  call.connector = shelf->binding().id;
  call.tool = tool->tool.name;
  call.name = tool->name;
  call.title = tool->tool.title;
  call.schema_digest = tool->schema_digest;
  call.idempotent = tool->idempotent;
  call.tools_of = shelf->binding().tools_of;
  if (call.tools_of == ToolsOf::kDevice && step.turn.initiator.empty()) {
    gated.status = "blocked";
    gated.reason = "it runs on a device of somebody who did not ask for this";
    return passing;
  }
  Gated judged = Gate(*shelf, tool, wanted.arguments_text);
  call.arguments = judged.canonical;
  gated.status = judged.status;
  gated.reason = judged.reason;
  switch (judged.verdict) {
    case Gated::Verdict::kRefused:
      return passing;
    case Gated::Verdict::kFaulty:
      // Fails closed and loudly: an operator's rule could not be judged.
      LogAbout(ports_.log, step.turn, call).Error("gate.rule_failed", {{"why", judged.reason}});
      gated.status = "failed";
      return passing;
    case Gated::Verdict::kFree:
    case Gated::Verdict::kHeld:
      break;
  }
  ShownArguments shown = ShowArgumentsOf(shelf->binding(), *tool, judged.arguments);
  call.shown = std::move(shown.text);
  call.shown_cut = shown.cut;
  passing.mark_key = HexOf(RandomBytes(kMarkKeyBytes));
  call.mark = MarkOf(passing.mark_key, call.arguments);
  gated.charges = ChargesOfCall(*step.agent, shelf->binding(), step.turn);
  passing.approval = ApprovalId(ports_.ids.Next("apr_"));
  passing.binding = &shelf->binding();
  if (const BoundConnector* bound = FindConnector(*step.agent, call.connector)) {
    passing.check = bound->before_call;
  }
  passing.judged = std::move(judged);
  return passing;
}

// All of the reply's calls are asked about at once; the reply is committed when all is known.
void RunTurn::AskBackend(const std::shared_ptr<Gating>& gating) {
  std::vector<std::size_t> asking;
  for (std::size_t i = 0; i < gating->calls.size(); ++i) {
    if (gating->calls[i].check != nullptr) asking.push_back(i);
  }
  if (asking.empty()) {
    AdmitReply(*gating);
    return;
  }
  gating->open = asking.size();
  for (const std::size_t at : asking) {
    const Passing& passing = gating->calls[at];
    const Call& call = passing.gated.call;
    passing.check->Ask(
        BeforeCallQuestion(ports_.ids.Next("msg_"), CheckMoment::kBeforeApproval,
                           gating->step->turn, call, passing.approval, call.arguments),
        gating->step->stop, [this, gating, at](CheckOutcome answer) {
          gating->calls[at].answer = std::move(answer);
          if (--gating->open > 0) return;
          RunJob(gating->step->claim, [this, gating] { AdmitReply(*gating); });
        });
  }
}

void RunTurn::AdmitReply(const Gating& gating) {
  const Step& step = *gating.step;
  if (step.stop.stop_requested() && node_.IsDraining()) {
    Finish(step.claim);  // the node stops: another start asks again
    return;
  }
  std::vector<GatedCall> calls;
  calls.reserve(gating.calls.size());
  for (const Passing& passing : gating.calls) calls.push_back(AdmitCall(step.turn, passing));
  consents_.Find(*step.app, *step.agent, step.turn, std::move(calls),
                 [this, step = gating.step, reply = gating.reply](std::vector<GatedCall> admitted) {
                   const ModelUsage& usage = reply.usage;
                   TakeReply(*step, {reply,
                                     std::move(admitted),
                                     ChargesOfTokens(*step->agent, step->turn,
                                                     usage.input_tokens + usage.output_tokens),
                                     {},
                                     step->app->quotas.held_calls});
                 });
}

void RunTurn::TakeReply(const Step& step, ModelReplied replied) {
  const std::size_t known = step.turn.calls.size();
  Commit(step.claim, std::move(replied), [this, known, claim = step.claim](Advanced advanced) {
    for (std::size_t i = known; i < advanced.turn.calls.size(); ++i) {
      const Call& call = advanced.turn.calls[i];
      if (call.status != "nobody_to_ask") continue;
      LogAbout(ports_.log, advanced.turn, call).Info("call.nobody_to_ask");
    }
    Finish(claim);
    Follow(std::move(advanced));
  });
}

GatedCall RunTurn::AdmitCall(const Turn& turn, const Passing& passing) const {
  GatedCall gated = passing.gated;
  if (!passing.judged) return gated;
  if (passing.answer) {
    Ruling ruling = RulingOf(*passing.answer);
    LogRuling(turn, gated.call, ruling);
    switch (ruling.kind) {
      case Ruling::Kind::kAllow:
        break;
      case Ruling::Kind::kBlock:
        gated.status = "blocked";
        gated.reason = std::move(ruling.reason);
        return gated;
      case Ruling::Kind::kShortCircuit:
        gated.verdict = GatedCall::Verdict::kShortCircuited;
        gated.result = std::move(ruling.result);
        return gated;
    }
  }
  if (passing.judged->verdict == Gated::Verdict::kFree) {
    gated.verdict = GatedCall::Verdict::kFree;
    return gated;
  }
  const Approver approver = passing.binding->approver;
  const Asked asked = AskedNow(ports_, turn, gated.call, approver);
  switch (approver) {
    case Approver::kWriter:
      gated.verdict = GatedCall::Verdict::kHeld;
      if (asked.kind == Asked::Kind::kNobody) {
        gated.verdict = GatedCall::Verdict::kNobodyToAsk;
        gated.reason = "this needs a person's approval, and there is nobody to ask";
      }
      break;
    case Approver::kCallback:
      gated.call.has_callback = true;
      gated.verdict = GatedCall::Verdict::kHeld;
      break;
    case Approver::kBackend:
      gated.verdict = GatedCall::Verdict::kHeld;
      break;
    case Approver::kAutoApprove:
      gated.verdict = GatedCall::Verdict::kApproved;
      break;
    case Approver::kAutoDeny:
      gated.verdict = GatedCall::Verdict::kDenied;
      gated.reason = passing.binding->auto_deny_reason;
      break;
  }
  ApprovalRecord& approval = gated.approval;
  approval.id = passing.approval;
  approval.run = turn.id;
  approval.call = gated.call.id;
  approval.app = turn.app;
  approval.lane = turn.lane;
  approval.cid = turn.cid;
  approval.asked = asked.user;
  approval.connector = gated.call.connector;
  approval.tool = gated.call.name;
  approval.arguments = gated.call.arguments;
  approval.args_digest = DigestOf(gated.call.arguments, approval.kind, approval.tool);
  approval.mark_key = passing.mark_key;
  approval.hint = passing.judged->hint;
  approval.metadata = turn.metadata;
  return gated;
}

void RunTurn::LogRuling(const Turn& turn, const Call& call, const Ruling& ruling) const {
  LogAbout log(ports_.log, turn, call);
  if (!ruling.fault.empty()) {
    log.Error("before_call.failed", {{"why", ruling.fault}});
    return;
  }
  switch (ruling.kind) {
    case Ruling::Kind::kAllow:
      return;
    case Ruling::Kind::kBlock:
      log.Info("before_call.blocked");
      return;
    case Ruling::Kind::kShortCircuit:
      log.Info("before_call.short_circuited");
      return;
  }
}

}  // namespace writ::router
