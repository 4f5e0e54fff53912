#include "store/ledger/sessions_over.h"

#include <algorithm>
#include <utility>

#include "store/ledger/session_rows.h"
#include "store/ledger/turn_rows.h"

namespace writ::store {

using router::Advanced;
using router::AppId;
using router::Session;
using router::SessionId;
using router::TimePoint;
using router::Turn;

namespace {

// More turns than a session can have open: one that runs, those that were passed over, a queue.
constexpr std::size_t kOpenTurns = 10000;

std::optional<SessionRow> RowIn(Records& records, const AppId& app, const SessionId& id) {
  auto row = records.FindSession(id.text());
  if (row && row->app != app.text()) row.reset();
  return row;
}

}  // namespace

SessionsOver::Opened SessionsOver::OpenSession(const Session& session) {
  Opened opened;
  engine_.Commit([&](Records& records) {
    opened = {true, session};
    if (!session.cid.empty()) {
      if (const auto row = records.FindOpenSession(session.app.text(), session.agent.text(),
                                                   session.cid.text())) {
        Session standing = SessionOf(*row);
        // One that a message opened, with no owner, gives way to somebody's own; what runs in it
        // goes on.
        const bool gives_way =
            standing.by_webhook && standing.owner.empty() && !session.owner.empty();
        if (!gives_way) {
          opened = {false, std::move(standing)};
          return;
        }
        standing.open = false;
        standing.closed_at = session.created_at;
        SaveSession(records, standing);
      }
    }
    SaveSession(records, session);
  });
  return opened;
}

std::optional<Session> SessionsOver::FindSession(const AppId& app, const SessionId& id) {
  std::optional<Session> session;
  engine_.Read([&](Records& records) {
    if (const auto row = RowIn(records, app, id)) session = SessionOf(*row);
  });
  return session;
}

std::optional<Session> SessionsOver::OpenSessionOn(const AppId& app, const router::AgentId& agent,
                                                   const router::Cid& cid) {
  std::optional<Session> session;
  engine_.Read([&](Records& records) {
    if (const auto row = records.FindOpenSession(app.text(), agent.text(), cid.text())) {
      session = SessionOf(*row);
    }
  });
  return session;
}

std::vector<Session> SessionsOver::ListSessions(const AppId& app, const Page& page) {
  std::vector<Session> sessions;
  const auto text_of = [](const auto& id) -> std::optional<std::string> {
    if (!id) return std::nullopt;
    return id->text();
  };
  engine_.Read([&](Records& records) {
    sessions.clear();
    for (const SessionRow& row :
         records.ListSessions(app.text(), page.open, text_of(page.cid), text_of(page.owner),
                              page.before.text(), page.limit)) {
      sessions.push_back(SessionOf(row));
    }
  });
  return sessions;
}

std::vector<Advanced> SessionsOver::CloseSession(const AppId& app, const SessionId& id,
                                                 const router::NodeId& node, TimePoint now) {
  std::vector<Advanced> ended;
  engine_.Commit([&](Records& records) {
    ended.clear();
    const auto row = RowIn(records, app, id);
    if (!row || !row->open) return;
    Session session = SessionOf(*row);
    session.open = false;
    session.closed_at = now;
    SaveSession(records, session);
    // Those that wait first, so that none of them gets the lease on the way.
    std::vector<TurnRow> open = records.OpenTurnsOfSession(id.text(), kOpenTurns);
    std::ranges::stable_sort(
        open, [](const TurnRow& left, const TurnRow& right) { return left.line > right.line; });
    for (const TurnRow& turn_row : open) {
      TurnRows turns(records, telling_, node, now);
      auto turn = turns.Load(turn_row.id);
      std::vector<router::Effect> effects;
      if (turn && turns.Move(*turn, {now, router::CancelAsked{"session closed"}}, &effects)) {
        ended.push_back({*std::move(turn), std::move(effects), turns.TakeTaken()});
      }
    }
  });
  return ended;
}

void SessionsOver::RememberHistory(const SessionId& id,
                                   const std::vector<router::HistoryMessage>& history) {
  engine_.Commit([&](Records& records) {
    const auto row = records.FindSession(id.text());
    if (!row) return;
    Session session = SessionOf(*row);
    if (session.history_known) return;
    session.history_known = true;
    session.history = history;
    SaveSession(records, session);
  });
}

std::vector<Session> SessionsOver::ActiveSince(const AppId& app, TimePoint since,
                                               std::size_t limit) {
  std::vector<Session> sessions;
  engine_.Read([&](Records& records) {
    sessions.clear();
    for (const SessionRow& row : records.SessionsActiveSince(app.text(), since, limit)) {
      sessions.push_back(SessionOf(row));
    }
  });
  return sessions;
}

}  // namespace writ::store
