#include "store/ledger/sessions_over.h"

#include <algorithm>
#include <utility>

#include "router/base/failure.h"
#include "store/ledger/session_rows.h"
#include "store/ledger/turn_rows.h"

namespace writ::store {

using router::Advanced;
using router::AppId;
using router::Session;
using router::SessionId;
using router::TimePoint;

namespace {

// More turns than a session can have open: one that runs, those that were passed over, a queue.
constexpr std::size_t kOpenTurns = 10000;

constexpr std::size_t kTurnsALook = 100;

std::optional<SessionRow> RowIn(Records& records, const AppId& app, const SessionId& id) {
  auto row = records.FindSession(id.text());
  if (row && row->app != app.text()) row.reset();
  return row;
}

router::SessionNews NewsOf(Records& records, const SessionsOver::Watched& watched) {
  router::SessionNews news;
  const auto row = RowIn(records, watched.app, watched.session);
  if (!row) return news;
  news.state = row->open ? router::SessionNews::State::kOpen : router::SessionNews::State::kClosed;
  const std::string session = watched.session.text();
  std::vector<TurnRow> changed;
  if (watched.after) {
    changed = records.TurnsChanged(session, *watched.after, kTurnsALook);
    news.more = changed.size() == kTurnsALook;
    news.until = changed.empty() ? *watched.after : changed.back().changed;
  } else {
    changed = records.OpenTurnsOfSession(session, kOpenTurns);
    std::ranges::sort(changed, {}, &TurnRow::changed);
    news.until = records.LastChange(session);
  }
  news.turns.reserve(changed.size());
  news.at.reserve(changed.size());
  for (const TurnRow& turn : changed) {
    try {
      news.turns.push_back(TurnRows::Read(records, turn));
      news.at.push_back(turn.changed);
    } catch (const router::Failure&) {  // one that is broken costs the others nothing
    }
  }
  return news;
}

}  // namespace

SessionsOver::Opened SessionsOver::OpenSession(const Session& session,
                                               const router::AppQuotas& quotas) {
  Opened opened;
  engine_.Commit([&](Records& records) {
    opened = {true, false, session};
    if (!session.cid.empty()) {
      if (const auto row = records.FindOpenSession(session.app.text(), session.agent.text(),
                                                   session.cid.text())) {
        Session standing = SessionOf(*row);
        // One that a message opened, with no owner, gives way to somebody's own; what runs in it
        // goes on.
        const bool gives_way =
            standing.by_webhook && standing.owner.empty() && !session.owner.empty();
        if (!gives_way) {
          opened = {false, false, std::move(standing)};
          return;
        }
        standing.open = false;
        standing.closed_at = session.created_at;
        SaveSession(records, standing);
      }
    }
    if (const auto most = quotas.sessions;
        most &&
        records.CountUpTo(session.app.text(), Records::Counted::kOpenSessions, *most) >= *most) {
      opened = {false, true, {}};
      return;
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

std::vector<router::SessionNews> SessionsOver::News(const std::vector<Watched>& watched) {
  std::vector<router::SessionNews> news;
  engine_.Read([&](Records& records) {
    news.clear();
    news.reserve(watched.size());
    for (const Watched& one : watched) news.push_back(NewsOf(records, one));
  });
  return news;
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
      TurnRows::Moved moved;
      if (turn && turns.Move(*turn, {now, router::CancelAsked{"session closed"}}, &moved)) {
        ended.push_back(turns.LedTo(*std::move(turn), std::move(moved)));
      }
    }
    if (session.incognito) records.DeleteSession(id.text());
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
