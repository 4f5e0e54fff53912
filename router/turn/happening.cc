#include "router/turn/happening.h"

#include <optional>

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

const ApprovalRecord* ApprovalOf(const Call* call) {
  return call != nullptr && call->approval ? &*call->approval : nullptr;
}

void TellOf(const Call* before, const Call& after, std::vector<Happening>& told) {
  const ApprovalRecord* earlier = ApprovalOf(before);
  const ApprovalRecord* record = ApprovalOf(&after);
  if (record != nullptr) {
    if (const auto kind = Became(earlier, *record)) told.push_back({*kind, after.id, record->id});
  }
  const bool was_held = before != nullptr && before->state == CallState::kHeld;
  if (after.state == CallState::kHeld && !was_held) told.push_back({Kind::kHeld, after.id, {}});
  const bool was_used = earlier != nullptr && earlier->consumed;
  if (record != nullptr && record->consumed && !was_used) {
    told.push_back({Kind::kUsed, after.id, record->id});
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

std::string_view NameOf(Happening::Kind kind) {
  switch (kind) {
    case Kind::kAsked:
      return "asked";
    case Kind::kHeld:
      return "held";
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
