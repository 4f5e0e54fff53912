#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "router/base/ids.h"
#include "router/base/time.h"
#include "router/turn/happening.h"
#include "router/turn/ledger.h"
#include "router/turn/next.h"
#include "router/turn/turn.h"
#include "store/ledger/telling.h"
#include "store/records.h"

namespace writ::store {

// What of a turn is to be shown in its channel: its row in the outbox.
[[nodiscard]] std::string FaceIdOf(const std::string& turn);

// Turns inside one transaction: loads one, asks the core's next(), writes the new state and what
// follows from its effects - the lease passed on, the work that is due, the face to be shown.
class TurnRows {
 public:
  // Work that becomes due is claimed for `node`; for nobody where it is empty. What happens is
  // written down as `telling`, which outlives it, says.
  TurnRows(Records& records, const TellingOf& telling, router::NodeId node, router::TimePoint now)
      : records_(records), telling_(telling), node_(std::move(node)), now_(now) {}

  // The turn with its approvals. throws Failure{kPermanent} where its row can't be read.
  [[nodiscard]] std::optional<router::Turn> Load(const std::string& id);
  [[nodiscard]] static router::Turn Read(Records& records, const TurnRow& row);

  // Inserts a queued turn at its place in line; it gets the lease at once where that is free. Where
  // the holder's channel_wait is over, the holder passes it on, and is returned.
  [[nodiscard]] std::vector<router::Advanced> Add(const router::Turn& turn);

  // What a move led to.
  struct Moved {
    std::vector<router::Effect> effects;
    std::vector<router::Happening> happened;
  };
  // Moves the turn by the event. False: the event may not happen; nothing was written.
  bool Move(router::Turn& turn, const router::TurnEvent& event, Moved* moved = nullptr);
  // What a commit that moved the turn led to.
  [[nodiscard]] router::Advanced LedTo(router::Turn turn, Moved moved) {
    return {std::move(turn), std::move(moved.effects), TakeTaken(), std::move(moved.happened)};
  }

  // The same, of one of several turns in one commit: the work is the whole commit's.
  [[nodiscard]] static router::Advanced WithoutWork(router::Turn turn, Moved moved) {
    return {std::move(turn), std::move(moved.effects), {}, std::move(moved.happened)};
  }

  // Gives a free lane to whoever is first in line.
  void GrantNext(const std::string& app, const std::string& lane);

  // A turn whose row can't be read ends here, so that its channel goes on; nobody can answer what
  // it asked any more, and it is told as one that failed.
  void Bury(const TurnRow& row);

  // All that is known of one that was buried, as it ended: its row's and its approvals'.
  [[nodiscard]] static router::Turn ReadBuried(Records& records, const TurnRow& row);

  // Work that became due and was claimed for the node.
  [[nodiscard]] std::vector<router::Work> TakeTaken() { return std::move(taken_); }

 private:
  void Save(const router::Turn& turn);
  void FollowAsks(const router::Call* before, const router::Call& after);
  void FollowWork(const router::Turn& turn, const std::vector<router::Effect>& effects);
  void FollowPiece(const router::Turn& turn, const router::CallId& call, bool due);
  void FollowEffect(router::Turn& turn, const router::Effect& effect);
  void TellOfBuried(const TurnRow& row);
  void ShowFace(const router::Turn& turn);
  void ShowBuried(const TurnRow& row);
  void FreeLane(const router::Turn& turn);
  // What that led to; nullopt: its time is not over, or nobody waits.
  std::optional<Moved> PassOnWhereOver(router::Turn& holder);

  Records& records_;
  const TellingOf& telling_;
  router::NodeId node_;
  router::TimePoint now_;
  std::vector<router::Work> taken_;
};

}  // namespace writ::store
