#include "bot/routes/held_calls.h"

#include "router/turn/call_words.h"

namespace writ::bot {

using router::ApprovalRecord;
using router::TextKey;

namespace {

constexpr std::size_t kMostListed = 100;

router::AnswerRequest RequestOf(const ApprovalRecord& record) {
  router::AnswerRequest request;
  request.app = record.app;
  request.lane = record.lane;
  request.cid = record.cid;
  request.call = record.call;
  request.request = record.id;
  return request;
}

TextKey StateOf(router::ApprovalStatus status) {
  switch (status) {
    case router::ApprovalStatus::kPending:
      return TextKey::kNothingWaits;
    case router::ApprovalStatus::kApproved:
      return TextKey::kAlreadyAllowed;
    case router::ApprovalStatus::kDenied:
      return TextKey::kAlreadyDeclined;
    case router::ApprovalStatus::kExpired:
      return TextKey::kAlreadyExpired;
    case router::ApprovalStatus::kCancelled:
      return TextKey::kAlreadyCancelled;
  }
  return TextKey::kNothingWaits;
}

}  // namespace

std::optional<ApprovalRecord> HeldCalls::Find(const router::ApprovalId& id) const {
  return id.empty() ? std::nullopt : api_.ports.approvals.Get(app_, id);
}

std::vector<ApprovalRecord> HeldCalls::AskedOf(const router::UserId& user,
                                               const router::Cid& cid) const {
  return List(user, cid, router::ApprovalStatus::kPending);
}

std::vector<ApprovalRecord> HeldCalls::PutTo(const router::UserId& user,
                                             const router::Cid& cid) const {
  return List(user, cid, std::nullopt);
}

std::vector<ApprovalRecord> HeldCalls::List(const router::UserId& user, const router::Cid& cid,
                                            std::optional<router::ApprovalStatus> status) const {
  if (user.empty()) return {};
  router::ApprovalPage page;
  page.status = status;
  page.lane = cid.text();
  page.asked = user;
  page.limit = kMostListed;
  return api_.ports.approvals.List(app_, page);
}

router::Answered HeldCalls::Answer(const router::UserCaller& who, const ApprovalRecord& record,
                                   Given given) const {
  router::AnswerRequest request = RequestOf(record);
  request.allowed = given.allowed;
  request.summary = std::move(given.reason);
  request.edited = std::move(given.edited);
  return api_.answer.Run(who, request);
}

router::MayAnswer HeldCalls::Judge(const router::UserCaller& who,
                                   const ApprovalRecord& record) const {
  return api_.answer.Judge(who, RequestOf(record));
}

std::string HeldCalls::WhyNot(router::MayAnswer refusal, const router::UserCaller& who,
                              const ApprovalRecord& record) const {
  switch (refusal) {
    case router::MayAnswer::kYes:
    case router::MayAnswer::kAnonymous:
    case router::MayAnswer::kTokenRevoked:
      return Say(TextKey::kNothingWaits, record);
    case router::MayAnswer::kMembershipUnknown:
      return Say(TextKey::kTryAnswerAgain, record);
    case router::MayAnswer::kAskedOfAnother: {
      const auto turn = api_.ports.approvals.TurnOf(record);
      if (!turn) break;
      const auto* agent = api_.directory.FindAgent(app_, turn->agent);
      if (agent == nullptr) break;
      return agent->texts.For(turn->language)
          .Say(TextKey::kNotYours, {{"name", PersonIn(*turn, record.asked)}});
    }
    case router::MayAnswer::kNoSession:  // over, or they are no member
      if (who.id != record.asked) return Say(TextKey::kNothingWaits, record);
      [[fallthrough]];
    case router::MayAnswer::kNoCallHeld: {
      const auto now = Find(record.id);
      return Say(now ? StateOf(now->status) : TextKey::kNothingWaits, record);
    }
  }
  return Say(TextKey::kNothingWaits, record);
}

std::string HeldCalls::Say(TextKey key, const ApprovalRecord& record) const {
  const auto turn = api_.ports.approvals.TurnOf(record);
  const auto* agent = turn ? api_.directory.FindAgent(app_, turn->agent) : nullptr;
  return agent == nullptr ? router::Texts().Say(key) : agent->texts.For(turn->language).Say(key);
}

}  // namespace writ::bot
