#include "bot/metrics/committed.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "router/flow/log_about.h"

namespace writ::bot {
namespace {

using router::Call;
using router::CallId;
using router::Happening;
using router::LogAbout;
using router::Turn;
using Kind = router::Happening::Kind;

void CountEnd(Metrics& metrics, const Turn& turn) {
  const std::string& app = turn.app.text();
  metrics.TurnEnded(app, turn.agent.text(), router::NameOf(turn.state),
                    turn.ended_at.value_or(turn.opened_at) - turn.opened_at);
  for (const Call& call : turn.calls) {
    metrics.CallEnded(app, call.connector.text(), router::OutcomeOf(call.state));
  }
}

// Who decided, without a name, for an SMS user's is their phone number: `user:anya-1` is `user`.
std::string KindOf(const router::Decision& decision) {
  return decision.decided_by.substr(0, decision.decided_by.find(':'));
}

// What the policy or a standing consent decided at once nobody waited for.
void CountDecision(Metrics& metrics, const std::string& app, const router::ApprovalRecord& record) {
  const std::string by = KindOf(*record.decision);
  if (by != "user" && by != "backend" && by != "callback") return;
  metrics.Decided(app, by, record.decision->approved,
                  record.decision->decided_at - record.created_at);
}

std::string_view LineOf(Kind kind) {
  switch (kind) {
    case Kind::kAsked:
      return "call.asked";
    case Kind::kHeld:
      return "call.held";
    case Kind::kPutTo:
      return "call.put_to_another";
    case Kind::kProposed:
      return "call.edit_proposed";
    case Kind::kDecided:
      return "approval.decided";
    case Kind::kExpired:
      return "approval.expired";
    case Kind::kCancelled:
      return "approval.cancelled";
    case Kind::kUsed:
      return "approval.used";
    case Kind::kFinished:
      return "call.ended";
    case Kind::kTurnEnded:
      return "turn.ended";
  }
  return {};
}

bool IsFirstStep(const router::Work& work) {
  return work.claim.call.empty() && work.turn.lease == router::Lease::kHolds &&
         work.turn.model_calls == 0;
}

}  // namespace

void Committed::TellStored(const router::ChannelEvent& event) {
  LogAbout(log_, event)
      .Info("event.stored", {{"delivery", event.delivery}, {"ignored", event.ignored_because}});
}

void Committed::Tell(const router::Advanced& advanced) {
  TellOf(advanced.turn, advanced.happened);
  const auto is_passed_on = [](const router::Effect& effect) {
    return effect.kind == router::Effect::Kind::kPassLease;
  };
  if (std::ranges::any_of(advanced.effects, is_passed_on)) {
    metrics_.LeasePassedOn(advanced.turn.app.text());
  }
  TellOf(advanced.taken);
}

void Committed::TellOf(const Turn& turn, const std::vector<Happening>& happened) {
  for (const Happening& happening : happened) TellOf(turn, happening);
}

void Committed::TellOf(const std::vector<router::Work>& taken) {
  for (const router::Work& work : taken) {
    const Turn& turn = work.turn;
    if (!IsFirstStep(work)) continue;
    metrics_.LeaseGranted(turn.app.text(), turn.agent.text(),
                          turn.lease_since.value_or(turn.opened_at) - turn.opened_at);
    LogAbout(log_, turn).Info("turn.started", {{"message_id", turn.message.text()}});
  }
}

void Committed::TellSent(const Turn& turn, const CallId& id) {
  const Call* call = FindCall(turn, id);
  if (call == nullptr || call->state != router::CallState::kSending) return;
  LogAbout(log_, turn, *call).Info("call.sent");
}

void Committed::TellOf(const Turn& turn, const Happening& happening) {
  const std::string& app = turn.app.text();
  if (happening.kind == Kind::kTurnEnded) {
    CountEnd(metrics_, turn);
    LogAbout(log_, turn)
        .Info(LineOf(happening.kind),
              {{"state", std::string(router::NameOf(turn.state))}, {"why", turn.failure}});
    return;
  }
  const Call* call = FindCall(turn, happening.call);
  if (call == nullptr) return;
  std::string decision;
  std::string decided_by;
  if (happening.kind == Kind::kAsked || happening.kind == Kind::kPutTo) metrics_.Asked(app);
  if (happening.kind == Kind::kHeld) metrics_.CallHeld(app, call->connector.text());
  if (happening.kind == Kind::kDecided) {
    const router::ApprovalRecord& record = RecordOf(*call, happening);
    if (record.decision) {
      decided_by = KindOf(*record.decision);
      decision = record.decision->approved ? "approved" : "denied";
      CountDecision(metrics_, app, record);
    }
  }
  const bool is_over = happening.kind == Kind::kFinished;
  LogAbout(log_, turn, *call)
      .Info(LineOf(happening.kind),
            {{"approval_id", happening.approval.text()},
             {"decision", decision},
             {"decided_by", decided_by},
             {"outcome", is_over ? std::string(router::OutcomeOf(call->state)) : std::string()}});
}

}  // namespace writ::bot
