#include "store/ledger/removal.h"

#include <string>
#include <vector>

#include "router/base/failure.h"
#include "router/turn/consent.h"
#include "store/ledger/turn_rows.h"

namespace writ::store {

namespace {

constexpr std::size_t kMostConsents = 1000;

// One that can't be read ends with its own time.
bool IsOf(const ConsentRow& row, const SessionRow& session) {
  try {
    return router::ConsentFromText(row.doc).session.text() == session.id;
  } catch (const router::Failure&) {
    return false;
  }
}

}  // namespace

bool IsOver(Records& records, const TurnRow& turn) {
  if (!turn.ended) return false;
  const auto face = records.FindOutbox(FaceIdOf(turn.id));
  return !face || !face->due;
}

void RemoveTurn(Records& records, const TurnRow& turn) {
  records.DeleteOutbox(FaceIdOf(turn.id));
  records.DeleteTurn(turn.id);
}

TurnsRemoved RemoveTurns(Records& records, const std::string& session, TurnsPage& page,
                         const std::function<bool(const TurnRow&)>& is_meant) {
  TurnsRemoved removed;
  const std::vector<TurnRow> turns =
      records.TurnsBefore(session, page.before, page.before_id, page.limit);
  for (const TurnRow& turn : turns) {
    if (!is_meant(turn) || !IsOver(records, turn)) continue;
    RemoveTurn(records, turn);
    ++removed.count;
  }
  removed.more = turns.size() == page.limit;
  if (!turns.empty()) {
    page.before = turns.back().created_at;
    page.before_id = turns.back().id;
  }
  return removed;
}

bool RemoveEmptySession(Records& records, const SessionRow& session) {
  if (!records.TurnsBefore(session.id, TimePoint::max(), "", 1).empty()) return false;
  const std::string& lane = session.cid;
  for (const ConsentRow& row :
       records.ConsentsOfLane(session.app, lane, std::nullopt, TimePoint::min(), kMostConsents)) {
    if (IsOf(row, session)) records.DeleteConsent(row.id);
  }
  records.DeleteSession(session.id);
  return true;
}

}  // namespace writ::store
