#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "router/turn/next.h"
#include "tests/router/turn/a_turn.h"

namespace writ::tests {

using Verdict = router::GatedCall::Verdict;

// A call of a reply as the gate judged it.
inline router::GatedCall Gated(Verdict verdict, const std::string& id,
                               const std::string& arguments = R"({"a":1})") {
  router::GatedCall gated;
  gated.call = ACall(id, arguments);
  gated.verdict = verdict;
  if (verdict == Verdict::kRefused) gated.status = "blocked";
  if (verdict == Verdict::kNobodyToAsk) gated.reason = "nobody there";
  if (verdict == Verdict::kShortCircuited) {
    gated.result = "the backend's";
  } else if (verdict != Verdict::kRefused && verdict != Verdict::kFree) {
    gated.approval = AnApproval(gated.call);
  }
  return gated;
}

inline router::ModelReplied Replied(std::vector<router::GatedCall> calls) {
  router::ModelReplied replied;
  for (const router::GatedCall& gated : calls) {
    replied.reply.calls.push_back(
        {gated.call.provider_id, gated.call.offered_name, gated.call.arguments});
  }
  replied.calls = std::move(calls);
  return replied;
}

inline router::ModelReplied Said(std::string text) {
  router::ModelReplied replied;
  replied.reply.text = std::move(text);
  return replied;
}

inline router::CallDecided Decided(const std::string& id, bool approved, std::string reason = "") {
  router::CallDecided decided;
  decided.call = router::CallId(id);
  decided.approval = router::ApprovalId("apr_" + id);
  decided.decision.approved = approved;
  decided.decision.reason = std::move(reason);
  decided.decision.decided_by = "user:anya-1";
  return decided;
}

// What the call's tool asks instead of answering.
inline router::ToolQuestion Question(const router::Call& call,
                                     const router::UserId& asked = kAnya) {
  router::ToolQuestion question;
  question.approval = AnApproval(call, asked);
  question.approval.question = call.question ? call.question->question + 1 : 1;
  question.approval.id = router::ApprovalId("apr_" + call.id.text() + "_q" +
                                            std::to_string(question.approval.question));
  question.approval.kind = "input";
  question.approval.arguments = R"({"size":{"message":"Which size?"}})";
  question.approval.args_digest =
      router::DigestOf(question.approval.arguments, "input", question.approval.tool);
  question.state = "opaque";
  question.shown = "asks: \"Which size?\"";
  return question;
}
inline router::CallReported Asks(const router::Call& call) {
  router::CallReported reported{call.id, {}};
  reported.report.kind = router::CallReport::Kind::kNeedsInput;
  reported.question = Question(call);
  return reported;
}

inline router::CallReported Reported(const std::string& id, router::CallReport report) {
  return {router::CallId(id), std::move(report)};
}
inline router::CallReported Answered(const std::string& id, std::string text = "hi") {
  return Reported(id, {.kind = router::CallReport::Kind::kAnswered,
                       .text = std::move(text),
                       .is_error = false,
                       .what = ""});
}

// A turn that is moved by hand, and the clock beside it.
class Moved {
 public:
  explicit Moved(router::Turn turn = ATurn()) : turn_(std::move(turn)) {}

  // Takes the event; false where it may not happen.
  template <class What>
  bool Take(What what) {
    router::Step step = router::Next(turn_, {now_, std::move(what)});
    turn_ = std::move(step.turn);
    effects_ = std::move(step.effects);
    return step.accepted;
  }
  bool TimePasses(std::chrono::milliseconds by, bool somebody_waits = false) {
    now_ += by;
    return Take(router::TimePassed{somebody_waits});
  }
  void Advance(std::chrono::milliseconds by) { now_ += by; }

  // Of the last event.
  [[nodiscard]] bool Did(router::Effect::Kind kind, const std::string& call = "") const {
    for (const router::Effect& effect : effects_) {
      if (effect.kind == kind && effect.call.text() == call) return true;
    }
    return false;
  }
  [[nodiscard]] router::Turn& turn() { return turn_; }
  [[nodiscard]] const router::Call& CallOf(const std::string& id) const {
    return *router::FindCall(turn_, router::CallId(id));
  }
  [[nodiscard]] router::CallState StateOf(const std::string& id) const { return CallOf(id).state; }
  [[nodiscard]] router::TimePoint now() const { return now_; }
  [[nodiscard]] const std::vector<router::Effect>& effects() const { return effects_; }

 private:
  router::Turn turn_;
  router::TimePoint now_ = kNoon;
  std::vector<router::Effect> effects_;
};

// One that has the lease and thinks.
inline Moved Thinking(router::Turn turn = ATurn()) {
  Moved moved(std::move(turn));
  moved.Take(router::LeaseGranted{});
  return moved;
}

// One whose model made these calls.
inline Moved After(std::vector<router::GatedCall> calls, router::Turn turn = ATurn()) {
  Moved moved = Thinking(std::move(turn));
  moved.Take(Replied(std::move(calls)));
  return moved;
}

}  // namespace writ::tests
