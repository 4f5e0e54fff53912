// The turn itself: each byte chooses what happens to it next.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "router/approval/may_answer.h"
#include "router/chat/chat.h"
#include "router/turn/consent.h"
#include "router/turn/next.h"
#include "tests/fuzz/target.h"
#include "tests/router/turn/promises.h"
#include "tests/router/turn/walk.h"

namespace writ::fuzz {
namespace {

using router::ApprovalRecord;
using router::Call;
using router::CallDecided;
using router::Turn;
using router::UserId;
using tests::kAnya;
using tests::kBen;

// The input byte by byte; 0 once it is used up.
class Bytes {
 public:
  explicit Bytes(std::string_view input) : input_(input) {}
  std::uint32_t Take() {
    if (input_.empty()) return 0;
    const auto byte = static_cast<unsigned char>(input_.front());
    input_.remove_prefix(1);
    return byte;
  }
  [[nodiscard]] bool empty() const { return input_.empty(); }

 private:
  std::string_view input_;
};

// What was consented to beforehand, for one turn or until somebody ends it.
constexpr std::string_view kAllowed = R"({"a":1})";

router::Caller SomeCaller(std::uint32_t chosen) {
  switch (chosen % 5) {
    case 0:
      return router::BackendCaller{};
    case 1:
      return router::UserCaller{kBen, {}};
    case 2:
      if (chosen % 2 == 0) return router::UserCaller{};
      return router::AnonymousCaller{};
    default:
      return router::UserCaller{kAnya, {}};
  }
}

std::string NameOf(const router::Caller& caller) {
  if (const auto* user = std::get_if<router::UserCaller>(&caller)) return "user:" + user->id.text();
  return std::holds_alternative<router::BackendCaller>(caller) ? "backend" : "anonymous";
}

// What the store would have on it.
router::HeldThere HeldFor(const Turn& turn, const CallDecided& decided,
                          const router::Caller& caller) {
  router::HeldThere there;
  there.something_runs = !router::HasEnded(turn.state);
  const auto* user = std::get_if<router::UserCaller>(&caller);
  for (const Call& call : turn.calls) {
    const ApprovalRecord* ask = router::StandingAsk(call);
    if (ask == nullptr || ask->status != router::ApprovalStatus::kPending) continue;
    if (user != nullptr && ask->asked == user->id) there.caller_is_asked_there = true;
    if (call.id == decided.call && ask->id == decided.approval) there.held = *ask;
  }
  return there;
}

// Whether somebody gives that answer who may: the judge's to say, as in the program.
bool MayDecide(const Turn& turn, CallDecided& decided, std::uint32_t chosen) {
  const router::Caller caller = SomeCaller(chosen);
  const router::HeldThere there = HeldFor(turn, decided, caller);
  router::Membership membership;
  membership.answer = chosen < 200   ? router::Membership::Answer::kMember
                      : chosen < 230 ? router::Membership::Answer::kNotMember
                                     : router::Membership::Answer::kUnknown;
  if (router::JudgeAnswer(caller, there, membership) != router::MayAnswer::kYes) return false;
  decided.decision.decided_by = NameOf(caller);
  decided.by_user = std::holds_alternative<router::UserCaller>(caller);
  Require(!decided.by_user || membership.answer == router::Membership::Answer::kMember,
          "whoever is no member decides nothing");
  return true;
}

// Anya's, or Ben's, to calls with the arguments that are allowed; or it is over.
std::optional<router::Consent> SomeConsent(const router::TurnEvent& event, const Turn& turn,
                                           const router::GatedCall& gated, std::uint32_t chosen) {
  Call allowed = gated.call;
  allowed.arguments = kAllowed;
  router::Consent consent = router::ConsentTo(turn, allowed, chosen % 3 == 0 ? kBen : kAnya, {});
  consent.id = router::ConsentId("con_1");
  consent.created_at = event.now - std::chrono::minutes(5);
  consent.expires_at = event.now + std::chrono::minutes(chosen % 4 == 0 ? 0 : 1);
  if (!router::Covers(consent, turn, gated.call, gated.approval.asked, event.now)) return {};
  return consent;
}

// A call may be asked of anybody, or of nobody but the backend; and may be consented to already.
void ChooseAsked(router::TurnEvent& event, const Turn& turn, Bytes& bytes) {
  auto* replied = std::get_if<router::ModelReplied>(&event.what);
  if (replied == nullptr) return;
  for (router::GatedCall& gated : replied->calls) {
    if (gated.verdict != router::GatedCall::Verdict::kHeld) continue;
    const std::uint32_t chosen = bytes.Take();
    if (chosen % 4 == 0) gated.approval.asked = kBen;
    if (chosen % 4 == 1) gated.approval.asked = UserId();
    if (chosen >= 192) gated.consent = SomeConsent(event, turn, gated, chosen / 4);
  }
}

// What the app's backend allowed with the command.
void PreApprove(Turn& turn) {
  turn.pre_approval = {"crm__echo", router::DigestOf(kAllowed, "tool", "crm__echo"), {}};
}

// Who decided was asked, or had said it before: for these arguments, and not too long ago.
void CheckDecided(const Turn& turn, const Call& call, const ApprovalRecord& record) {
  const router::Decision& decision = *record.decision;
  const std::string& by = decision.decided_by;
  Require(decision.approved, "what is used was allowed");
  Require(by != "anonymous", "nobody is somebody");
  Require(
      !by.starts_with("user:") || (by == "user:" + record.asked.text() && !record.asked.empty()),
      "a person's consent is that of whoever was asked");
  if (router::IsByConsent(call) && record.question == 0) {
    Require(decision.consent_user == record.asked && !record.asked.empty(),
            "a standing consent is of whoever would be asked");
    Require(call.arguments == kAllowed && decision.consent_until > decision.decided_at,
            "a standing consent is for what it says, until it ends");
  }
  if (decision.authenticated_by == "pre_approval") {
    Require(turn.pre_approval && turn.pre_approval->used_by == call.id,
            "what was allowed with a command is allowed once");
    Require(call.arguments == kAllowed, "what was allowed with a command is these arguments");
  }
}

// What a person allowed was asked of that person, and no other.
void CheckRightPerson(const Turn& turn) {
  for (const Call& call : turn.calls) {
    for (const auto* record : {&call.approval, &call.question}) {
      if (!*record || !(*record)->consumed) continue;
      Require((*record)->decision.has_value(), "what is used was decided");
      CheckDecided(turn, call, **record);
    }
  }
}

// Where nothing more happens but time, a turn comes to its end or waits for the channel or for a
// node, never for itself.
void CheckEnds(Turn turn) {
  for (int step = 0; step < 200 && !router::HasEnded(turn.state); ++step) {
    const auto wake = router::WakeAt(turn);
    if (!wake) break;
    turn = router::Next(std::move(turn), {*wake, router::TimePassed{true}}).turn;
  }
  Require(!router::WakeAt(turn), "no wait goes on for ever");
  const bool is_work =
      router::IsStepDue(turn) || std::ranges::any_of(turn.calls, [](const Call& call) {
        return router::IsDue(call) || router::IsConsultDue(call);
      });
  Require(router::HasEnded(turn.state) || turn.state == router::TurnState::kQueued ||
              turn.lease == router::Lease::kWaitsAgain || is_work,
          "no state is without an end");
}

void Fuzz(std::string_view input) {
  Bytes bytes(input.substr(0, 600));
  tests::Walk walk([&bytes] { return bytes.Take(); });
  if (!input.empty() && input.back() % 2 != 0) {
    Turn turn = walk.turn();
    PreApprove(turn);
    walk.Follow(std::move(turn));
  }
  for (int after_end = 0; !bytes.empty() && after_end < 5;) {
    router::TurnEvent event = walk.RandomEvent();
    const Turn before = walk.turn();
    if (auto* decided = std::get_if<CallDecided>(&event.what);
        decided != nullptr && !MayDecide(before, *decided, bytes.Take())) {
      continue;
    }
    ChooseAsked(event, before, bytes);
    router::Step step = router::Next(before, event);
    tests::ExpectPromisesHold(before, event, step);
    CheckRightPerson(step.turn);
    after_end += router::HasEnded(before.state) ? 1 : 0;
    walk.Follow(std::move(step.turn));
  }
  CheckEnds(walk.turn());
  const std::string kept = router::TurnToText(walk.turn());
  Require(router::TurnToText(router::TurnFromText(kept)) == kept, "a turn is kept as it is");
}

}  // namespace
}  // namespace writ::fuzz

WRIT_FUZZ_TARGET(turn, writ::fuzz::Fuzz)
