#include "store/ledger/approval_rows.h"

#include "router/base/failure.h"

namespace writ::store {

using router::ApprovalRecord;
using router::ApprovalStatus;
using router::Failure;

namespace {

bool IsOfTheSame(const ApprovalRecord& left, const ApprovalRecord& right) {
  return left.kind == right.kind && left.tool == right.tool && left.arguments == right.arguments &&
         left.args_digest == right.args_digest;
}

ApprovalRecord RecordOf(const ApprovalRow& row) {
  ApprovalRecord record = router::ApprovalFromText(row.doc);
  // The columns are what is compared and set; the document follows them.
  record.status = static_cast<ApprovalStatus>(row.status);
  record.consumed = row.consumed;
  return record;
}

// A question of its tool's is not the call: it has a key of its own, under which no other kind,
// tool or question may come either.
std::string KeyOf(const ApprovalRecord& record) {
  if (record.question == 0) return record.call.text();
  return record.call.text() + "?" + std::to_string(record.question);
}

}  // namespace

ApprovalRow RowOf(const ApprovalRecord& record) {
  return {.id = record.id.text(),
          .run = record.run.text(),
          .call = KeyOf(record),
          .app = record.app.text(),
          .lane = record.lane,
          .asked = record.asked.text(),
          .status = static_cast<int>(record.status),
          .consumed = record.consumed,
          .created_at = record.created_at,
          .expires_at = record.expires_at,
          .doc = router::ApprovalToText(record)};
}

ApprovalRows::Created ApprovalRows::Create(const ApprovalRecord& record) {
  for (const ApprovalRow& row : records_.ApprovalsOfCall(record.run.text(), KeyOf(record))) {
    const ApprovalRecord standing = RecordOf(row);
    if (!IsOfTheSame(standing, record)) return {Created::Kind::kReused, standing};
    if (!standing.consumed) return {Created::Kind::kStanding, standing};
  }
  if (!records_.InsertApproval(RowOf(record))) return {Created::Kind::kIdTaken, record};
  return {Created::Kind::kNew, record};
}

std::optional<ApprovalRecord> ApprovalRows::Find(const router::CommandId& run,
                                                 const router::CallId& call) {
  for (const ApprovalRow& row : records_.ApprovalsOfCall(run.text(), call.text())) {
    if (!row.consumed) return RecordOf(row);
  }
  return std::nullopt;
}

bool ApprovalRows::Decide(const ApprovalRecord& record) {
  return records_.ReplaceApproval(RowOf(record), static_cast<int>(ApprovalStatus::kPending), false);
}

bool ApprovalRows::PutTo(const ApprovalRecord& record) {
  return records_.ReplaceApproval(RowOf(record), static_cast<int>(ApprovalStatus::kPending), false);
}

bool ApprovalRows::Consume(const router::ApprovalId& id) {
  std::optional<ApprovalRecord> record = Get(id);
  if (!record) {
    throw Failure(Failure::Kind::kPermanent, "approval " + id.text() + ": unknown");
  }
  record->consumed = true;
  // The store compares: only an approved row that is not used yet is replaced.
  return records_.ReplaceApproval(RowOf(*record), static_cast<int>(ApprovalStatus::kApproved),
                                  false);
}

std::optional<ApprovalRecord> ApprovalRows::Get(const router::ApprovalId& id) {
  const auto row = records_.FindApproval(id.text());
  if (!row) return std::nullopt;
  return RecordOf(*row);
}

std::vector<ApprovalRecord> ApprovalRows::OfRun(const router::CommandId& run) {
  std::vector<ApprovalRecord> records;
  for (const ApprovalRow& row : records_.ApprovalsOfRun(run.text())) {
    records.push_back(RecordOf(row));
  }
  return records;
}

std::vector<ApprovalRecord> ApprovalRows::CancelPending(const router::CommandId& run) {
  std::vector<ApprovalRecord> cancelled;
  for (ApprovalRow& row : records_.ApprovalsOfRun(run.text())) {
    if (row.status != static_cast<int>(ApprovalStatus::kPending)) continue;
    row.status = static_cast<int>(ApprovalStatus::kCancelled);
    if (!records_.ReplaceApproval(row, static_cast<int>(ApprovalStatus::kPending), false)) continue;
    try {
      ApprovalRecord& record = cancelled.emplace_back(RecordOf(row));
      record.status = ApprovalStatus::kPending;
    } catch (const Failure&) {  // it can't be read either: there is nothing to tell of it
    }
  }
  return cancelled;
}

void ApprovalRows::Follow(const std::optional<ApprovalRecord>& before,
                          const ApprovalRecord& after) {
  const auto fail = [&](const char* why) {
    throw Failure(Failure::Kind::kPermanent, "approval " + after.id.text() + ": " + why);
  };
  if (!before) {
    switch (Create(after).kind) {
      case Created::Kind::kNew:
        break;
      case Created::Kind::kStanding:
        fail("the call has another unconsumed record");
        break;
      case Created::Kind::kIdTaken:
        fail("the id belongs to another call");
        break;
      case Created::Kind::kReused:
        fail("call id reused with different tool/arguments");
        break;
    }
    return;
  }
  if (before->status != after.status && !Decide(after)) fail("already decided");
  if (before->status == after.status && before->asked != after.asked && !PutTo(after)) {
    fail("already decided");
  }
  if (!before->consumed && after.consumed && !Consume(after.id)) {
    fail("approval already used by a concurrent request");
  }
}

}  // namespace writ::store
