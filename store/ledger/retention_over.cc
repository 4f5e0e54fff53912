#include "store/ledger/retention_over.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "router/base/failure.h"
#include "store/ledger/budget_rows.h"
#include "store/ledger/consent_rows.h"
#include "store/ledger/removal.h"
#include "store/ledger/session_rows.h"
#include "store/ledger/turn_rows.h"

namespace writ::store {

using router::Duration;
using router::SessionId;
using router::TimePoint;

namespace {

// Of one commit, so that no other waits for long.
constexpr std::size_t kTurnsACommit = 100;

bool IsOlder(TimePoint end, Duration life, TimePoint now) { return end < now - life; }

// One that can't be read is as old as its row says: it must not keep the others here.
bool HasLived(const SessionRow& row, Duration life, TimePoint now) {
  if (row.open || !IsOlder(row.last_active_at, life, now)) return false;
  const auto session = ReadableSession(row);
  return IsOlder(session ? session->closed_at.value_or(row.last_active_at) : row.last_active_at,
                 life, now);
}

bool EndedBefore(const TurnRow& row, TimePoint time) {
  if (!row.ended) return false;
  try {
    return router::TurnFromText(row.doc).ended_at.value_or(row.created_at) < time;
  } catch (const router::Failure&) {  // nothing else is known of it
    return row.created_at < time;
  }
}

// What stood in the channel before the session began is older than any turn of it.
void DropHistory(Records& records, const std::string& id, TimePoint before) {
  const auto row = records.FindSession(id);
  auto session = row ? ReadableSession(*row) : std::nullopt;
  if (!session || session->created_at >= before || session->history.empty()) return;
  session->history.clear();
  SaveSession(records, *session);
}

struct Page {
  std::vector<SessionRow> rows;
  bool more = false;
};
Page PageOf(Engine& engine, const router::AppId& app, bool open, const SessionId& after,
            std::size_t limit) {
  Page page;
  engine.Read([&](Records& records) {
    page.rows =
        records.ListSessions(app.text(), open, std::nullopt, std::nullopt, after.text(), limit);
  });
  page.more = page.rows.size() == limit;
  return page;
}

// All of the session's turns that are over and meant, a part of them in each commit.
std::size_t RemoveTurnsOf(Engine& engine, const std::string& session, TurnsPage page,
                          const std::function<bool(const TurnRow&)>& is_meant) {
  page.limit = kTurnsACommit;
  std::size_t count = 0;
  for (bool more = true; more;) {
    TurnsRemoved removed;
    TurnsPage next;
    engine.Commit([&](Records& records) {
      next = page;
      removed = store::RemoveTurns(records, session, next, is_meant);
    });
    page = next;
    count += removed.count;
    more = removed.more;
  }
  return count;
}

}  // namespace

router::Retention::Looked RetentionOver::RemoveSessions(const router::AppId& app,
                                                        const SessionId& after, std::size_t limit,
                                                        Duration life, TimePoint now) {
  const Page page = PageOf(engine_, app, false, after, limit);
  Looked looked{.last = after, .more = page.more};
  for (const SessionRow& row : page.rows) {
    bool gone = false;
    if (HasLived(row, life, now)) {
      looked.turns += RemoveTurnsOf(engine_, row.id, {}, [](const TurnRow&) { return true; });
      engine_.Commit([&](Records& records) {
        gone = !records.FindSession(row.id) || RemoveEmptySession(records, row);
      });
    }
    if (gone) {
      ++looked.sessions;
    } else {
      looked.last = SessionId(row.id);
    }
  }
  return looked;
}

router::Retention::Looked RetentionOver::RemoveTurns(const router::AppId& app,
                                                     const SessionId& after, std::size_t limit,
                                                     Duration life, TimePoint now) {
  const TimePoint before = now - life;
  const auto is_meant = [&](const TurnRow& turn) { return EndedBefore(turn, before); };
  const Page page = PageOf(engine_, app, true, after, limit);
  Looked looked{.last = after, .more = page.more};
  for (const SessionRow& row : page.rows) {
    looked.last = SessionId(row.id);
    if (row.created_at >= before) continue;
    bool any = false;
    bool has_history = false;
    engine_.Read([&](Records& records) {
      any = !records.TurnsBefore(row.id, before, "", 1).empty();
      const auto session = ReadableSession(row);
      has_history = session && !session->history.empty();
    });
    if (any) looked.turns += RemoveTurnsOf(engine_, row.id, {.before = before}, is_meant);
    if (has_history) {
      engine_.Commit([&](Records& records) { DropHistory(records, row.id, before); });
    }
  }
  return looked;
}

void RetentionOver::RemoveExpired(TimePoint now) {
  engine_.Commit([&](Records& records) {
    ConsentRows::RemoveOld(records, now);
    BudgetRows::RemoveOld(records, now);
  });
}

}  // namespace writ::store
