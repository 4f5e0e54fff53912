#include "store/ledger/restored_over.h"

#include <optional>
#include <string>
#include <vector>

#include "router/base/failure.h"
#include "store/ledger/turn_rows.h"

namespace writ::store {

using router::SessionId;
using router::TimePoint;

namespace {

constexpr std::size_t kAll = 1'000'000'000;

}  // namespace

bool RestoredOver::LeaveEvents(std::size_t limit) {
  bool some = false;
  engine_.Commit([&](Records& records) {
    const std::vector<EventRow> waiting = records.WaitingEvents(limit);
    for (const EventRow& row : waiting) {
      records.SetEventState(row.app, row.key, EventRow::State::kDone);
    }
    some = !waiting.empty();
  });
  return some;
}

SessionId RestoredOver::EndTurns(const router::AppId& app, const SessionId& after,
                                 std::size_t limit, TimePoint now) {
  SessionId last;
  std::vector<std::string> unreadable;
  engine_.Commit([&](Records& records) {
    last = {};
    unreadable.clear();
    for (const SessionRow& session :
         records.ListSessions(app.text(), true, std::nullopt, std::nullopt, after.text(), limit)) {
      last = SessionId(session.id);
      for (const TurnRow& row : records.OpenTurnsOfSession(session.id, kAll)) {
        TurnRows turns(records, telling_, {}, now);
        try {
          if (auto turn = turns.Load(row.id)) {
            turns.Move(*turn, {now, router::GivenUp{"the store was restored from a backup"}});
          }
        } catch (const router::Failure&) {
          turns.Bury(row);
          unreadable.push_back(row.id);
        }
      }
    }
  });
  for (const std::string& turn : unreadable) {
    log_.Error("turn.unreadable", {{"command_id", turn}});
  }
  return last;
}

void RestoredOver::EndConsents() {
  engine_.Commit([](Records& records) { records.DeleteConsentsBefore(TimePoint::max(), kAll); });
}

}  // namespace writ::store
