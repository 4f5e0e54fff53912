// The turn itself: each byte chooses what happens to it next.
#include <algorithm>
#include <cstdint>
#include <string>
#include <variant>

#include "router/approval/may_answer.h"
#include "router/chat/chat.h"
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

router::Caller SomeCaller(Bytes& bytes) {
  switch (bytes.Take() % 5) {
    case 0:
      return router::BackendCaller{};
    case 1:
      return router::UserCaller{kBen, {}};
    case 2:
      return router::AnonymousCaller{};
    default:
      return router::UserCaller{kAnya, {}};
  }
}

std::string NameOf(const router::Caller& caller) {
  const auto* user = std::get_if<router::UserCaller>(&caller);
  return user == nullptr ? "backend" : "user:" + user->id.text();
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
bool MayDecide(const Turn& turn, CallDecided& decided, Bytes& bytes) {
  const router::Caller caller = SomeCaller(bytes);
  const router::HeldThere there = HeldFor(turn, decided, caller);
  router::Membership membership;
  membership.answer = router::Membership::Answer::kMember;
  if (router::JudgeAnswer(caller, there, membership) != router::MayAnswer::kYes) return false;
  decided.decision.decided_by = NameOf(caller);
  decided.by_user = std::holds_alternative<router::UserCaller>(caller);
  return true;
}

// A call may be asked of anybody, or of nobody but the backend.
void ChooseAsked(router::ModelReplied& replied, Bytes& bytes) {
  for (router::GatedCall& gated : replied.calls) {
    if (gated.verdict != router::GatedCall::Verdict::kHeld) continue;
    const auto choice = bytes.Take() % 4;
    if (choice == 0) gated.approval.asked = kBen;
    if (choice == 1) gated.approval.asked = UserId();
  }
}

// What a person allowed was asked of that person, and no other.
void CheckRightPerson(const Turn& turn) {
  for (const Call& call : turn.calls) {
    for (const auto* record : {&call.approval, &call.question}) {
      if (!*record || !(*record)->consumed) continue;
      Require((*record)->decision && (*record)->decision->approved, "what is used was allowed");
      const std::string& by = (*record)->decision->decided_by;
      Require(!by.starts_with("user:") || by == "user:" + (*record)->asked.text(),
              "a person's consent is that of whoever was asked");
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
  for (int after_end = 0; !bytes.empty() && after_end < 5;) {
    router::TurnEvent event = walk.RandomEvent();
    const Turn before = walk.turn();
    if (auto* decided = std::get_if<CallDecided>(&event.what);
        decided != nullptr && !MayDecide(before, *decided, bytes)) {
      continue;
    }
    if (auto* replied = std::get_if<router::ModelReplied>(&event.what)) {
      ChooseAsked(*replied, bytes);
    }
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
