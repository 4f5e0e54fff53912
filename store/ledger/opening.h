#pragma once

#include <string>
#include <vector>

#include "router/turn/ledger.h"
#include "store/ledger/turn_rows.h"
#include "store/records.h"

namespace writ::store {

// Opens one stored event inside a transaction. A channel's events are opened in the order in which
// they were stored, whoever stored them: one that waits is opened before any that came later.
class EventOpening {
 public:
  EventOpening(Records& records, TurnRows& turns, const router::Opening& opening,
               router::TimePoint now)
      : records_(records), turns_(turns), opening_(opening), now_(now) {}

  [[nodiscard]] router::EventOpened Run();
  // Keys of the channel's events that can't be read and were given up.
  [[nodiscard]] const std::vector<std::string>& unreadable() const { return unreadable_; }

 private:
  // Whether it waits, and is the first of its channel that does. Sets what comes before it.
  bool IsItsTime(router::EventOpened& opened);
  // The event stays undone for good and the channel is told; false: it is too early for that.
  bool GiveUp();
  [[nodiscard]] std::vector<router::Advanced> OpenNew();
  // An edit or a deletion: changes the command of its message, or waits for the message.
  std::vector<router::Advanced> Change();
  std::vector<router::Advanced> Stop();
  [[nodiscard]] bool IsOverQuota();
  [[nodiscard]] router::Session FindOrOpenSession();
  // Edits and deletions that came before their message. False: nothing is left to answer.
  bool ApplyParked(router::Turn& turn);
  void TellFull(LaneRow& lane);
  void TellOfEdit();
  void Notice(const std::string& id, std::string text);
  void MarkDone();

  Records& records_;
  TurnRows& turns_;
  const router::Opening& opening_;
  router::TimePoint now_;
  router::TimePoint received_at_;  // set by IsItsTime
  std::vector<std::string> unreadable_;
};

// How many commands wait in the lane, without the one whose turn it is.
[[nodiscard]] std::size_t CountWaiting(Records& records, const std::string& app,
                                       const std::string& lane);

}  // namespace writ::store
