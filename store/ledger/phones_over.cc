#include "store/ledger/phones_over.h"

#include <chrono>

namespace writ::store {

using router::AppId;
using router::TimePoint;
using router::UserId;

namespace {

// Its window is never over, so that it is kept.
constexpr TimePoint kAlways{std::chrono::sys_days(std::chrono::year(9999) / 1 / 1)};

std::string WishOf(const UserId& person) { return "phone none:" + person.text(); }

std::string GuessOf(const UserId& person, std::size_t guess) {
  return "phone guess " + std::to_string(guess) + ':' + person.text();
}

bool Insert(Records& records, const AppId& app, const std::string& message, TimePoint now) {
  EventRow row;
  row.app = app.text();
  row.key = "phone:" + message;
  row.state = EventRow::State::kDone;
  row.received_at = now;
  return records.InsertEvent(row);
}

}  // namespace

void PhonesOver::Wish(const AppId& app, const UserId& person, bool wants_none,
                      const std::string& message, TimePoint now) {
  engine_.Commit([&](Records& records) {
    if (!Insert(records, app, message, now)) return;
    records.SaveBudget(
        {app.text(), WishOf(person), wants_none ? kAlways : now, wants_none ? 1 : 0});
  });
}

bool PhonesOver::WantsNone(const AppId& app, const UserId& person) {
  bool wants_none = false;
  engine_.Read([&](Records& records) {
    const auto row = records.FindBudget(app.text(), WishOf(person));
    wants_none = row && row->used != 0;
  });
  return wants_none;
}

std::optional<std::size_t> PhonesOver::TakeGuess(const AppId& app, const UserId& person,
                                                 TimePoint now) {
  std::optional<std::size_t> taken;
  engine_.Commit([&](Records& records) {
    taken.reset();
    // Each has a row of its own with its time, so that it is any hour that counts. Always from the
    // first: whoever comes at the same time waits there.
    for (std::size_t guess = 0; guess < router::kGuesses && !taken; ++guess) {
      const auto row = records.FindBudget(app.text(), GuessOf(person, guess));
      if (row && row->used != 0 && row->since + router::kGuessCounts > now) continue;
      records.SaveBudget({app.text(), GuessOf(person, guess), now, 1});
      taken = guess;
    }
  });
  return taken;
}

void PhonesOver::GiveGuessBack(const AppId& app, const UserId& person, std::size_t guess) {
  engine_.Commit([&](Records& records) {
    auto row = records.FindBudget(app.text(), GuessOf(person, guess));
    if (!row) return;
    row->used = 0;
    records.SaveBudget(*row);
  });
}

bool PhonesOver::IsFirst(const AppId& app, const std::string& message, TimePoint now) {
  bool is_first = false;
  engine_.Commit([&](Records& records) { is_first = Insert(records, app, message, now); });
  return is_first;
}

}  // namespace writ::store
