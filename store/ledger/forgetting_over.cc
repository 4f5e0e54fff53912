#include "store/ledger/forgetting_over.h"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <utility>

#include "router/audit/aside.h"
#include "router/audit/entry.h"
#include "router/base/failure.h"
#include "router/base/json.h"
#include "router/turn/consent.h"
#include "store/ledger/removal.h"
#include "store/ledger/session_rows.h"
#include "store/ledger/turn_rows.h"

namespace writ::store {

using router::Advanced;
using router::AppId;
using router::Forgotten;
using router::TimePoint;
using router::Turn;
using router::UserId;

namespace {

constexpr std::size_t kSessionsAStep = 50;
constexpr std::size_t kTurnsACommit = 100;
constexpr std::size_t kOpenTurns = 10000;
constexpr std::size_t kEventsAStep = 200;
constexpr std::size_t kEntriesAStep = 200;
constexpr std::size_t kMostConsents = 1000;
constexpr std::string_view kWhy = "the data of whoever wrote it is removed";

// Where a step begins: `<part>:<place in it>`.
constexpr std::string_view kOpenSessions = "open";
constexpr std::string_view kClosedSessions = "closed";
constexpr std::string_view kEvents = "events";
constexpr std::string_view kAudit = "audit";

std::string At(std::string_view part, std::string_view place = {}) {
  return std::string(part) + ':' + std::string(place);
}

std::optional<std::int64_t> NumberOf(std::string_view text) {
  if (text.empty()) return 0;
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < 0) return std::nullopt;
  return number;
}

class Forgetting {
 public:
  Forgetting(Engine& engine, const TellingOf& telling, const AppId& app, const UserId& user,
             const router::NodeId& node, const router::ConsentLedger::Ending& by)
      : engine_(engine), telling_(telling), app_(app), user_(user), node_(node), by_(by) {}

  void Note();
  void WalkSessions(std::string_view part, const std::string& after);
  void WalkEvents(TimePoint from);
  void WalkAudit(std::int64_t after);

  [[nodiscard]] Forgotten Take() { return std::move(all_); }
  void GoOnAt(std::string next) { all_.next = std::move(next); }

 private:
  [[nodiscard]] bool IsTheirs(const SessionRow& row) const {
    return row.owner == user_.text() || row.cid == user_.text();
  }
  [[nodiscard]] bool IsTheirs(const Turn& turn) const {
    return turn.author == user_ || turn.writer == user_ || turn.initiator == user_;
  }
  [[nodiscard]] bool IsTheirs(const TurnRow& row) const;
  [[nodiscard]] bool HasAny(Records& records, const SessionRow& row) const;
  [[nodiscard]] bool ForgetIn(const SessionRow& row);  // true: the session is gone
  void EndTurns(Records& records, const SessionRow& row, Forgotten& part) const;
  void EndConsents(Records& records, const SessionRow& row, Forgotten& part) const;
  void ForgetHistory(Records& records, const SessionRow& row, Forgotten& part) const;
  void Close(Records& records, const SessionRow& row) const;
  void RemoveTurns(const SessionRow& row, bool all);
  void ForgetEntries(Records& records, const std::vector<AuditRow>& rows, Forgotten& part) const;
  // Runs it in a commit of its own, which may run it again.
  template <class Work>
  void Commit(const Work& work) {
    Forgotten part;
    engine_.Commit([&](Records& records) {
      part = {};
      work(records, part);
    });
    all_.commands += part.commands;
    all_.consents += part.consents;
    all_.messages += part.messages;
    all_.audit_texts += part.audit_texts;
    all_.sealed_texts += part.sealed_texts;
    for (Advanced& ended : part.ended) all_.ended.push_back(std::move(ended));
  }

  Engine& engine_;
  const TellingOf& telling_;
  const AppId& app_;
  const UserId& user_;
  const router::NodeId& node_;
  const router::ConsentLedger::Ending& by_;
  Forgotten all_;
};

// One that can't be read is nobody's.
bool Forgetting::IsTheirs(const TurnRow& row) const {
  try {
    return IsTheirs(router::TurnFromText(row.doc));
  } catch (const router::Failure&) {
    return false;
  }
}

void Forgetting::Note() {
  if (!IsAudited(telling_, app_)) return;
  engine_.Commit([&](Records& records) {
    SaveAuditEntry(records, {app_, {}},
                   router::ForgottenEntry(app_, user_, by_.by, by_.known_by, by_.at));
  });
}

// Whose it is ends it, one that waits before the one that runs: none gets the lease on the way.
void Forgetting::EndTurns(Records& records, const SessionRow& row, Forgotten& part) const {
  std::vector<TurnRow> open = records.OpenTurnsOfSession(row.id, kOpenTurns);
  std::ranges::stable_sort(
      open, [](const TurnRow& left, const TurnRow& right) { return left.line > right.line; });
  for (const TurnRow& turn_row : open) {
    if (!IsTheirs(row) && !IsTheirs(turn_row)) continue;
    TurnRows turns(records, telling_, node_, by_.at);
    std::optional<Turn> turn;
    try {
      turn = turns.Load(turn_row.id);
    } catch (const router::Failure&) {
      turns.Bury(turn_row);
      turns.GrantNext(turn_row.app, turn_row.lane);
      continue;
    }
    TurnRows::Moved moved;
    if (turn && turns.Move(*turn, {by_.at, router::CancelAsked{std::string(kWhy)}}, &moved)) {
      part.ended.push_back(turns.LedTo(*std::move(turn), std::move(moved)));
    }
  }
}

void Forgetting::EndConsents(Records& records, const SessionRow& row, Forgotten& part) const {
  if (row.cid.empty()) return;
  for (const ConsentRow& consent :
       records.ConsentsOfLane(row.app, row.cid, user_.text(), TimePoint::min(), kMostConsents)) {
    if (!records.DeleteConsent(consent.id)) continue;
    ++part.consents;
    if (!IsAudited(telling_, app_) || consent.expires_at <= by_.at) continue;
    const router::Consent given = router::ConsentFromText(consent.doc);
    SaveAuditEntry(records, {app_, given.session, user_},
                   router::ConsentEndedEntry(given, by_.by, by_.known_by, by_.at));
  }
}

void Forgetting::ForgetHistory(Records& records, const SessionRow& row, Forgotten& part) const {
  auto session = ReadableSession(row);
  if (!session) return;
  part.messages += std::erase_if(session->history, [&](const router::HistoryMessage& message) {
    return message.author == user_;
  });
  if (part.messages > 0) SaveSession(records, *session);
}

void Forgetting::Close(Records& records, const SessionRow& row) const {
  if (auto session = ReadableSession(row)) {
    session->open = false;
    session->closed_at = by_.at;
    SaveSession(records, *session);
  } else {
    SessionRow closed = row;
    closed.open = false;
    records.SaveSession(closed);
  }
}

void Forgetting::RemoveTurns(const SessionRow& row, bool all) {
  TurnsPage page{.limit = kTurnsACommit};
  const auto is_meant = [&](const TurnRow& turn) { return (all || IsTheirs(turn)) && turn.ended; };
  for (bool more = true; more;) {
    TurnsPage next;
    std::size_t meant = 0;
    std::size_t removed = 0;
    Commit([&](Records& records, Forgotten& part) {
      next = page;
      meant = 0;
      const TurnsRemoved some = store::RemoveTurns(records, row.id, next, [&](const TurnRow& turn) {
        const bool mine = is_meant(turn);
        meant += mine ? 1U : 0U;
        return mine;
      });
      part.commands = removed = some.count;
      more = some.more;
    });
    all_.waiting += meant - removed;  // their last face is still to be shown
    page = next;
  }
}

bool Forgetting::HasAny(Records& records, const SessionRow& row) const {
  if (IsTheirs(row)) return true;
  if (!row.cid.empty() &&
      !records.ConsentsOfLane(row.app, row.cid, user_.text(), TimePoint::min(), 1).empty()) {
    return true;
  }
  const auto session = ReadableSession(row);
  if (session && std::ranges::any_of(session->history, [&](const router::HistoryMessage& message) {
        return message.author == user_;
      })) {
    return true;
  }
  TimePoint before = TimePoint::max();
  std::string before_id;
  while (true) {
    const auto turns = records.TurnsBefore(row.id, before, before_id, kTurnsACommit);
    for (const TurnRow& turn : turns) {
      if (IsTheirs(turn)) return true;
    }
    if (turns.size() < kTurnsACommit) return false;
    before = turns.back().created_at;
    before_id = turns.back().id;
  }
}

bool Forgetting::ForgetIn(const SessionRow& found) {
  const bool all = IsTheirs(found);
  Commit([&](Records& records, Forgotten& part) {
    auto row = records.FindSession(found.id);
    if (!row) return;
    EndTurns(records, *row, part);
    EndConsents(records, *row, part);
    row = records.FindSession(found.id);
    if (!row) return;
    ForgetHistory(records, *row, part);
    if (all && row->open) Close(records, *row);
  });
  if (all && found.open) return false;  // among the closed ones it is met again
  RemoveTurns(found, all);
  if (!all) return false;
  bool gone = false;
  Commit([&](Records& records, Forgotten&) {
    const auto row = records.FindSession(found.id);
    gone = !row || RemoveEmptySession(records, *row);
  });
  all_.sessions += gone ? 1U : 0U;
  return gone;
}

void Forgetting::WalkSessions(std::string_view part, const std::string& after) {
  const bool open = part == kOpenSessions;
  std::vector<SessionRow> page;
  std::vector<bool> has_any;
  engine_.Read([&](Records& records) {
    // The one that the walk stood at may be gone by now: then from the beginning.
    const bool is_there = after.empty() || records.FindSession(after).has_value();
    page = records.ListSessions(app_.text(), open, std::nullopt, std::nullopt,
                                is_there ? after : std::string(), kSessionsAStep);
    has_any.clear();
    has_any.reserve(page.size());
    for (const SessionRow& row : page) has_any.push_back(HasAny(records, row));
  });
  std::string last = after;  // that is still there
  for (std::size_t i = 0; i < page.size(); ++i) {
    if (!has_any[i] || !ForgetIn(page[i])) last = page[i].id;
  }
  if (page.size() == kSessionsAStep) {
    all_.next = At(part, last);
  } else {
    all_.next = open ? At(kClosedSessions) : At(kEvents);
  }
}

// An edit or a deletion that waits for its message. What is done keeps its key alone.
void Forgetting::WalkEvents(TimePoint from) {
  std::vector<EventRow> page;
  engine_.Read(
      [&](Records& records) { page = records.ParkedEventsSince(app_.text(), from, kEventsAStep); });
  for (const EventRow& row : page) {
    try {
      const router::ChannelEvent event = router::EventFromText(row.doc);
      if (event.author != user_ && event.actor != user_) continue;
    } catch (const router::Failure&) {  // nobody will ever read it
    }
    Commit([&](Records& records, Forgotten& part) {
      records.SetEventState(row.app, row.key, EventRow::State::kDone);
      part.messages = 1;
    });
  }
  if (page.size() < kEventsAStep) {
    all_.next = At(kAudit);
    return;
  }
  // A whole page of one instant is passed over: that is no page of people's.
  const TimePoint last = page.back().received_at;
  const TimePoint next = last == from ? last + router::Duration(1) : last;
  all_.next = At(kEvents, std::to_string(next.time_since_epoch().count()));
}

void Forgetting::ForgetEntries(Records& records, const std::vector<AuditRow>& rows,
                               Forgotten& part) const {
  for (const AuditRow& row : rows) {
    if (!row.aside.empty()) {
      const auto aside = router::ParseJson(row.aside).value;
      if (aside && !router::IsAbout(*aside, user_)) continue;
      records.SetAuditAside(row.place, "");
      ++part.audit_texts;
    } else if (const auto entry = router::ParseJson(row.doc).value;
               entry && !entry->TextAt("reason").empty() && router::IsAbout(*entry, user_)) {
      ++part.sealed_texts;
    }
  }
}

void Forgetting::WalkAudit(std::int64_t after) {
  std::vector<AuditRow> sealed;
  Commit([&](Records& records, Forgotten& part) {
    sealed = records.SealedAudit(app_.text(), after, kEntriesAStep);
    ForgetEntries(records, sealed, part);
    if (sealed.size() == kEntriesAStep) return;
    ForgetEntries(records, records.UnsealedAudit(app_.text(), kEntriesAStep), part);
  });
  all_.next = sealed.size() == kEntriesAStep ? At(kAudit, std::to_string(sealed.back().seal)) : "";
}

}  // namespace

std::optional<Forgotten> ForgettingOver::Forget(const AppId& app, const UserId& user,
                                                const std::string& from, const router::NodeId& node,
                                                const router::ConsentLedger::Ending& by) {
  Forgetting step(engine_, telling_, app, user, node, by);
  if (from.empty()) {
    step.Note();
    step.WalkSessions(kOpenSessions, "");
    return step.Take();
  }
  const std::size_t colon = from.find(':');
  if (colon == std::string::npos) return std::nullopt;
  const std::string_view part = std::string_view(from).substr(0, colon);
  const std::string place = from.substr(colon + 1);
  if (part == kOpenSessions || part == kClosedSessions) {
    step.WalkSessions(part, place);
    return step.Take();
  }
  const auto number = NumberOf(place);
  if (!number || (part != kEvents && part != kAudit)) return std::nullopt;
  if (part == kEvents) {
    step.WalkEvents(TimePoint(router::Duration(*number)));
  } else {
    step.WalkAudit(*number);
  }
  return step.Take();
}

}  // namespace writ::store
