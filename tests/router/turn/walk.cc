#include "tests/router/turn/walk.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <random>
#include <utility>
#include <variant>
#include <vector>

namespace writ::tests {

using router::CallId;
using router::TurnEvent;

Walk::Walk(std::uint32_t seed)
    : Walk([random = std::mt19937(seed)]() mutable {
        return static_cast<std::uint32_t>(random());
      }) {}

Walk::Walk(Choose choose) : choose_(std::move(choose)), turn_(ATurn()) {
  turn_.limits.max_model_calls = 4;
  turn_.limits.max_asks = 3;
  turn_.limits.calls_per_turn = 6;
}

void Walk::MoveClock() {
  using std::chrono::milliseconds;
  constexpr std::array<milliseconds, 6> kSteps{milliseconds(0),      milliseconds(1),
                                               milliseconds(900),    milliseconds(40'000),
                                               milliseconds(60'000), milliseconds(300'000)};
  // Mostly small steps, so that a walk gets somewhere before its waits are over.
  now_ += kSteps.at(Below(4) == 0 ? Below(kSteps.size()) : Below(3));
  // Often it is the very instant that a wait is over.
  if (const auto wake = WakeAt(turn_); Below(8) == 0 && wake && *wake > now_) now_ = *wake;
}

std::string Walk::SomeCall() {
  if (turn_.calls.empty() || Below(20) == 0) return "none";
  return turn_.calls[turn_.calls.size() - 1 - Below(std::min<std::size_t>(turn_.calls.size(), 4))]
      .id.text();
}

router::ModelReplied Walk::SomeReply() {
  const std::size_t count = Below(6) == 0 ? 0 : Below(4);
  if (count == 0) return Said(Below(2) == 0 ? "done" : "");
  constexpr std::array<Verdict, 8> kVerdicts{
      Verdict::kFree,     Verdict::kHeld,    Verdict::kHeld,        Verdict::kDenied,
      Verdict::kApproved, Verdict::kRefused, Verdict::kNobodyToAsk, Verdict::kShortCircuited};
  std::vector<router::GatedCall> calls;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string id = "call_" + std::to_string(++calls_);
    calls.push_back(Gated(kVerdicts.at(Below(kVerdicts.size())), id,
                          R"({"a":)" + std::to_string(Below(3)) + "}"));
    calls.back().call.idempotent = Below(2) == 0;
    calls.back().call.has_callback = Below(3) == 0;
    if (Below(3) == 0) {
      calls.back().call.tools_of =
          Below(3) == 0 ? router::ToolsOf::kBackend : router::ToolsOf::kDevice;
    }
    if (!calls.back().status.empty() && Below(3) == 0) calls.back().status = "failed";
  }
  router::ModelReplied replied = Replied(std::move(calls));
  if (Below(10) == 0) replied.reply.stop = router::ModelReply::Stop::kCutOff;
  return replied;
}

// Somebody changed the row behind our back.
void Walk::MayTamper(const CallId& id) {
  router::Call* call = router::FindCall(turn_, id);
  if (call != nullptr && call->approval && Below(10) == 0) call->approval->args_digest = "0";
}

router::CallDecided Walk::SomeDecision() {
  router::CallDecided decided = Decided(SomeCall(), Below(3) != 0);
  decided.by_user = Below(2) == 0;
  if (const router::Call* call = router::FindCall(turn_, decided.call);
      call != nullptr && call->question && Below(8) != 0) {
    decided.approval = call->question->id;
  }
  if (Below(4) == 0) {
    decided.decision.edited_arguments = R"({"a":9})";
    decided.decision.edited_digest =
        router::DigestOf(Below(5) == 0 ? "{}" : R"({"a":9})", "tool", "crm__echo");
  }
  MayTamper(decided.call);
  return decided;
}

router::CallConsulted Walk::SomeConsultation() {
  router::CallConsulted consulted;
  consulted.call = CallId(SomeCall());
  consulted.approval = router::ApprovalId("apr_" + consulted.call.text());
  consulted.verdict = static_cast<router::CallConsulted::Verdict>(Below(4));
  consulted.said.decision.approved = consulted.verdict == router::CallConsulted::Verdict::kApproved;
  consulted.said.decision.decided_by = "callback";
  if (Below(2) == 0) consulted.asked = kAnya;
  MayTamper(consulted.call);
  return consulted;
}

router::CallReported Walk::SomeReport() {
  router::CallReport report;
  report.kind = static_cast<router::CallReport::Kind>(Below(5));
  report.is_error = Below(3) == 0;
  report.text = "result";
  router::CallReported reported = Reported(SomeCall(), report);
  reported.answer_by = now_ + std::chrono::seconds(30);
  if (const router::Call* call = router::FindCall(turn_, reported.call);
      call != nullptr && Below(3) != 0) {
    reported.question = Question(*call);
  }
  return reported;
}

// A call that runs on a device goes its own way. Few calls do: mostly it is one of them, and what
// may come next, so that each way is gone often enough for no seed to matter.
TurnEvent Walk::SomeDevice() {
  const auto waits_for_device = [](const router::Call& call) {
    return call.state == router::CallState::kReady && call.tools_of == router::ToolsOf::kDevice;
  };
  CallId call(SomeCall());
  const router::Call* chosen = router::FindCall(turn_, call);
  if (chosen != nullptr && !waits_for_device(*chosen)) {
    const auto waiting = std::ranges::find_if(turn_.calls, waits_for_device);
    if (waiting != turn_.calls.end()) call = waiting->id;
  }
  MayTamper(call);
  router::Call* offered = router::FindCall(turn_, call);
  const bool is_offered = offered != nullptr && offered->outside;
  if (is_offered && offered->approval && Below(3) == 0) {
    offered->approval->args_digest = "0";  // behind our back, while nobody took it yet
  }
  const router::TimePoint answer_by = now_ + std::chrono::seconds(30);
  if (is_offered == (Below(4) == 0)) return {now_, router::CallOffered{call, answer_by}};
  return {now_, router::CallTaken{call, answer_by}};
}

TurnEvent Walk::RandomEvent() {
  MoveClock();
  if (Below(6) == 0) return SomeDevice();
  switch (Below(19)) {
    case 0:
    case 1:
      return {now_, router::LeaseGranted{}};
    case 2:
    case 3:
      return {now_, SomeReply()};
    case 4:
    case 5:
      return {now_, SomeDecision()};
    case 6:
    case 7:
      return {now_, router::CallSent{CallId(SomeCall())}};
    case 8:
    case 9:
      return {now_, SomeReport()};
    case 10:
    case 11:
      return {now_, router::TimePassed{Below(2) == 0}};
    case 12:
      return {now_, router::CallLost{CallId(SomeCall())}};
    case 13:
      if (Below(2) == 0) {
        return {now_, router::CallShortCircuited{CallId(SomeCall()), "the backend's"}};
      }
      return {now_, router::CallStopped{CallId(SomeCall()), Below(2) == 0 ? "blocked" : "failed",
                                        "stopped"}};
    case 14:
      if (turn_.revision == 0) return {now_, router::ReplyBegun{}};
      return {now_, router::TakenOver{}};
    case 15:
      return {now_,
              router::TextEdited{Below(3) == 0 ? kBen : kAnya, Below(3) == 0 ? "" : "new", now_}};
    case 16:
    case 17:
      return {now_, SomeConsultation()};
    default:
      break;
  }
  switch (Below(6)) {
    case 0:
      return {now_, router::CancelAsked{"message deleted"}};
    case 1:
      return {now_, router::GivenUp{"three claims"}};
    case 2:
      return {now_, router::ModelFailed{}};
    default:
      return {now_, router::TimePassed{true}};
  }
}

std::string Walk::NameOf(const TurnEvent& event) {
  struct Names {
    std::string operator()(const router::LeaseGranted& /*unused*/) { return "lease granted"; }
    std::string operator()(const router::ModelReplied& /*unused*/) { return "model replied"; }
    std::string operator()(const router::ModelFailed& /*unused*/) { return "model failed"; }
    std::string operator()(const router::CallDecided& /*unused*/) { return "call decided"; }
    std::string operator()(const router::CallConsulted& /*unused*/) { return "callback answered"; }
    std::string operator()(const router::CallSent& /*unused*/) { return "call sent"; }
    std::string operator()(const router::CallOffered& /*unused*/) { return "call offered"; }
    std::string operator()(const router::CallTaken& /*unused*/) { return "call taken"; }
    std::string operator()(const router::CallStopped& /*unused*/) { return "call stopped"; }
    std::string operator()(const router::CallShortCircuited& /*unused*/) {
      return "call short-circuited";
    }
    std::string operator()(const router::CallReported& /*unused*/) { return "call reported"; }
    std::string operator()(const router::CallLost& /*unused*/) { return "call lost"; }
    std::string operator()(const router::ReplyBegun& /*unused*/) { return "reply begun"; }
    std::string operator()(const router::TakenOver& /*unused*/) { return "taken over"; }
    std::string operator()(const router::TimePassed& /*unused*/) { return "time passed"; }
    std::string operator()(const router::TextEdited& /*unused*/) { return "text edited"; }
    std::string operator()(const router::CancelAsked& /*unused*/) { return "cancel asked"; }
    std::string operator()(const router::GivenUp& /*unused*/) { return "given up"; }
  };
  return std::visit(Names{}, event.what);
}

}  // namespace writ::tests
