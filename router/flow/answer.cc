#include "router/flow/answer.h"

#include <future>
#include <memory>
#include <utility>

#include "router/base/place.h"
#include "router/turn/question.h"

namespace writ::router {
namespace {

// The whole answer is to be there within 3 s.
constexpr std::chrono::milliseconds kLongestQuestion{2800};

std::string WhoDecided(const Caller& caller) {
  const auto* user = std::get_if<UserCaller>(&caller);
  return user != nullptr ? "user:" + user->id.text() : "backend";
}

}  // namespace

Membership Answer::AskMembership(const AppId& app, const Cid& cid, const UserId& user) {
  const AppSetup* setup = directory_.FindApp(app);
  if (setup == nullptr) return {Membership::Answer::kNotMember, std::nullopt};
  const Place place(waiting_);
  if (!place.IsTaken()) return {Membership::Answer::kUnknown, std::nullopt};
  // Shared with the callback, which may come after this thread has given up waiting.
  const auto promise = std::make_shared<std::promise<Membership>>();
  std::future<Membership> answer = promise->get_future();
  setup->members->Ask(cid, user, kLongestQuestion,
                      [promise](Membership membership) { promise->set_value(membership); });
  if (answer.wait_for(kLongestQuestion) != std::future_status::ready) {
    return {Membership::Answer::kUnknown, std::nullopt};
  }
  return answer.get();
}

MayAnswer Answer::Judge(const Caller& caller, const AnswerRequest& request) {
  return JudgeNow(caller, request).verdict;
}

Answer::Judged Answer::JudgeNow(const Caller& caller, const AnswerRequest& request) {
  const auto* user = std::get_if<UserCaller>(&caller);
  HeldThere there = ports_.approvals.Look(request.app, request.lane, request.call, request.request,
                                          user ? user->id : UserId());
  Membership membership;
  if (user != nullptr && NeedsMembership(caller, there)) {
    if (request.cid.empty()) {
      membership.answer =
          user->id == request.owner ? Membership::Answer::kMember : Membership::Answer::kNotMember;
    } else if (there.caller_is_asked_there || MayAskAbout(request.app, user->id)) {
      membership = AskMembership(request.app, request.cid, user->id);
    }
  }
  const MayAnswer verdict = JudgeAnswer(caller, there, membership);
  return {verdict, std::move(there.held)};
}

Answered Answer::Run(const Caller& caller, const AnswerRequest& request) {
  const auto [verdict, held] = JudgeNow(caller, request);
  if (verdict != MayAnswer::kYes) return {Answered::Kind::kRefused, verdict, {}};

  const Edit edit = request.allowed ? CheckEdited(*held, request.edited) : Edit{};
  if (edit.kind == Edit::Kind::kUnavailable) return {Answered::Kind::kUnavailable, {}, {}};
  if (edit.kind == Edit::Kind::kBad) return {Answered::Kind::kEditInvalid, {}, edit.checked.faults};

  std::optional<Consent> remember;
  if (request.remember) {
    auto consent = ConsentOf(*held, *request.remember);
    if (auto* fault = std::get_if<EditFault>(&consent)) {
      return {Answered::Kind::kRememberRefused, {}, {std::move(*fault)}};
    }
    remember = std::get<Consent>(std::move(consent));
  }

  Decision decision;
  decision.approved = request.allowed;
  decision.reason = request.summary;
  decision.decided_by = WhoDecided(caller);
  decision.authenticated_by = KnownBy(caller);
  const bool by_user = std::holds_alternative<UserCaller>(caller);
  const auto settled = Settle(*held, std::move(decision), edit, by_user, std::move(remember));
  if (settled.kind != ApprovalLedger::Settled::Kind::kSettled) {
    return {Answered::Kind::kRefused, MayAnswer::kNoCallHeld, {}};
  }
  return {Answered::Kind::kSettled, MayAnswer::kYes, {}};
}

Answer::BackendDecision Answer::Decide(const AppId& app, const ApprovalId& id,
                                       const Decision& decision,
                                       const std::optional<Json>& edited) {
  using enum BackendDecision::Kind;
  const auto record = ports_.approvals.Get(app, id);
  if (!record) return {kUnknown, std::nullopt, {}};
  if (record->status != ApprovalStatus::kPending) return {kAlreadyDecided, record, {}};
  const Edit edit = decision.approved ? CheckEdited(*record, edited) : Edit{};
  if (edit.kind == Edit::Kind::kUnavailable) return {kUnavailable, record, {}};
  if (edit.kind == Edit::Kind::kBad) return {kEditInvalid, record, edit.checked.faults};
  const auto settled = Settle(*record, decision, edit, false);
  switch (settled.kind) {
    case ApprovalLedger::Settled::Kind::kSettled:
      return {kSettled, settled.record, {}};
    case ApprovalLedger::Settled::Kind::kAlreadyDecided:
      return {kAlreadyDecided, settled.record, {}};
    case ApprovalLedger::Settled::Kind::kUnknown:
      return {kUnknown, std::nullopt, {}};
  }
  return {kUnknown, std::nullopt, {}};
}

Answer::Edit Answer::CheckEdited(const ApprovalRecord& record, const std::optional<Json>& edited) {
  if (record.kind == kInputKind) {
    Edit answer;
    answer.checked = CheckAnswerOf(record, edited.value_or(Json::MakeObject()));
    answer.kind = answer.checked.faults.empty() ? Edit::Kind::kGood : Edit::Kind::kBad;
    return answer;
  }
  if (!edited) return {};
  if (IsAsAsked(record, *edited)) return {};
  const auto turn = ports_.approvals.TurnOf(record);
  const AgentSetup* agent = turn ? directory_.FindAgent(turn->app, turn->agent) : nullptr;
  const BoundConnector* bound = agent ? FindConnector(*agent, record.connector) : nullptr;
  const Call* call = turn ? FindCall(*turn, record.call) : nullptr;
  Edit unavailable;
  unavailable.kind = Edit::Kind::kUnavailable;
  if (bound == nullptr || call == nullptr) return unavailable;
  const Place place(waiting_);
  if (!place.IsTaken()) return unavailable;
  const auto promise = std::make_shared<std::promise<Shelves::Outcome>>();
  std::future<Shelves::Outcome> shelf = promise->get_future();
  std::stop_source stop;
  shelves_.Get(*bound, {turn->app, turn->session}, kListAgeToSend, stop.get_token(),
               [promise](Shelves::Outcome outcome) { promise->set_value(std::move(outcome)); });
  if (shelf.wait_for(kLongestQuestion) != std::future_status::ready) {
    stop.request_stop();
    return unavailable;
  }
  const Shelves::Outcome outcome = shelf.get();
  const auto* known = std::get_if<Shelves::Shelved>(&outcome);
  if (known == nullptr) return unavailable;
  Edit edit;
  edit.checked = CheckEditOf(*bound, **known, *call, record, *edited);
  edit.kind = edit.checked.faults.empty() ? Edit::Kind::kGood : Edit::Kind::kBad;
  return edit;
}

std::variant<Consent, EditFault> Answer::ConsentOf(const ApprovalRecord& record,
                                                   Duration lasting) const {
  const auto turn = ports_.approvals.TurnOf(record);
  const AgentSetup* agent = turn ? directory_.FindAgent(turn->app, turn->agent) : nullptr;
  const BoundConnector* bound = agent ? FindConnector(*agent, record.connector) : nullptr;
  const Call* call = turn ? FindCall(*turn, record.call) : nullptr;
  const bool allowed = bound != nullptr && call != nullptr && !call->question &&
                       !turn->cid.empty() && bound->binding.approver == Approver::kWriter &&
                       bound->binding.remember_max > Duration{0};
  if (!allowed) return EditFault{"", "consent can't be given beforehand to calls of this tool"};
  if (lasting > bound->binding.remember_max) {
    return EditFault{"/for_s", "is longer than this tool's consent may last"};
  }
  Consent consent = ConsentTo(*turn, *call, record.asked, bound->binding.remember_match);
  consent.id = ConsentId(ports_.ids.Next("con_"));
  consent.created_at = ports_.clock.Now();
  consent.expires_at = consent.created_at + lasting;
  return consent;
}

ApprovalLedger::Settled Answer::Settle(const ApprovalRecord& record, Decision decision,
                                       const Edit& edit, bool by_user,
                                       std::optional<Consent> remember) {
  CallDecided decided;
  decided.remember = std::move(remember);
  decided.call = record.call;
  decided.approval = record.id;
  decided.by_user = by_user;
  if (edit.kind == Edit::Kind::kGood) {
    decision.edited_arguments = edit.checked.canonical;
    decision.edited_digest = edit.checked.digest;
    decided.shown = edit.checked.shown;
    decided.shown_cut = edit.checked.shown_cut;
    decided.mark = edit.checked.mark;
  }
  decided.decision = std::move(decision);
  auto settled =
      ports_.approvals.Settle(record.app, record.id, decided, node_.Claimant(), ports_.clock.Now());
  if (settled.turn) run_.Follow({*settled.turn, {}, std::move(settled.taken)});
  return settled;
}

}  // namespace writ::router
