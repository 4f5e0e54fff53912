#include "router/turn/happening.h"

#include <array>
#include <optional>
#include <stdexcept>

namespace writ::router {
namespace {

using Kind = Happening::Kind;

// What became of the record in this step; nullopt where its status is what it was.
std::optional<Kind> Became(const ApprovalRecord* before, const ApprovalRecord& after) {
  if (before != nullptr && before->status == after.status) return std::nullopt;
  switch (after.status) {
    case ApprovalStatus::kPending:
      return Kind::kAsked;
    case ApprovalStatus::kApproved:
    case ApprovalStatus::kDenied:
      return Kind::kDecided;
    case ApprovalStatus::kExpired:
      return Kind::kExpired;
    case ApprovalStatus::kCancelled:
      return Kind::kCancelled;
  }
  return std::nullopt;
}

// A call's two asks: whether it may run, and what its tool asked.
struct Asks {
  const ApprovalRecord* before;
  const ApprovalRecord* after;
};

const ApprovalRecord* PartOf(const Call* call, std::optional<ApprovalRecord> Call::*part) {
  return call != nullptr && call->*part ? &*(call->*part) : nullptr;
}

Asks AsksOf(const Call* before, const Call& after, std::optional<ApprovalRecord> Call::*part) {
  Asks asks{PartOf(before, part), PartOf(&after, part)};
  // Another question of the same call.
  if (asks.before != nullptr && asks.after != nullptr && asks.before->id != asks.after->id) {
    asks.before = nullptr;
  }
  return asks;
}

void TellOf(const Call* before, const Call& after, std::vector<Happening>& told) {
  const std::array<Asks, 2> both{AsksOf(before, after, &Call::approval),
                                 AsksOf(before, after, &Call::question)};
  for (const auto& [earlier, record] : both) {
    if (record == nullptr) continue;
    if (const auto kind = Became(earlier, *record)) told.push_back({*kind, after.id, record->id});
  }
  const bool was_held = before != nullptr && before->state == CallState::kHeld;
  if (after.state == CallState::kHeld && !was_held) told.push_back({Kind::kHeld, after.id, {}});
  for (const auto& [earlier, record] : both) {
    if (record == nullptr || earlier == nullptr || earlier->asked == record->asked) continue;
    told.push_back({Kind::kPutTo, after.id, record->id});
  }
  const bool had_proposal = before != nullptr && before->proposal;
  if (after.proposal && !had_proposal && after.approval) {
    told.push_back({Kind::kProposed, after.id, after.approval->id});
  }
  for (const auto& [earlier, record] : both) {
    const bool was_used = earlier != nullptr && earlier->consumed;
    if (record != nullptr && record->consumed && !was_used) {
      told.push_back({Kind::kUsed, after.id, record->id});
    }
  }
  const bool was_settled = before != nullptr && IsSettled(before->state);
  if (IsSettled(after.state) && !was_settled) told.push_back({Kind::kFinished, after.id, {}});
}

}  // namespace

std::vector<Happening> Happenings(const Turn& before, const Turn& after) {
  std::vector<Happening> told;
  for (const Call& call : after.calls) TellOf(FindCall(before, call.id), call, told);
  if (HasEnded(after.state) && !HasEnded(before.state)) told.push_back({Kind::kTurnEnded, {}, {}});
  return told;
}

const ApprovalRecord& RecordOf(const Call& call, const Happening& told) {
  for (const auto* record : {&call.approval, &call.question}) {
    if (*record && (*record)->id == told.approval) return **record;
  }
  throw std::logic_error("a happening names a record that its call does not have");
}

std::string_view NameOf(Happening::Kind kind) {
  switch (kind) {
    case Kind::kAsked:
      return "asked";
    case Kind::kHeld:
      return "held";
    case Kind::kPutTo:
      return "put_to";
    case Kind::kProposed:
      return "proposed";
    case Kind::kDecided:
      return "decided";
    case Kind::kExpired:
      return "expired";
    case Kind::kCancelled:
      return "cancelled";
    case Kind::kUsed:
      return "used";
    case Kind::kFinished:
      return "finished";
    case Kind::kTurnEnded:
      return "turn_ended";
  }
  return "";
}

}  // namespace writ::router
