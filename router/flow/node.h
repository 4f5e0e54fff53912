#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <stop_token>
#include <utility>
#include <vector>

#include "router/base/ids.h"
#include "router/base/time.h"
#include "router/flow/log_about.h"
#include "router/turn/ledger.h"

namespace writ::router {

// This run of the program: its name in the store, and whether its claims still hold.
class Node {
 public:
  Node(NodeId id, const Clock& clock) : id_(std::move(id)), clock_(clock) {}

  [[nodiscard]] const NodeId& id() const { return id_; }

  // The store has taken this node's sign of life; asked for at `asked` (steady).
  void Lived(SteadyPoint asked) { last_beat_ = asked.time_since_epoch().count(); }

  [[nodiscard]] bool HasLived() const { return last_beat_ != 0; }

  // Whether a claim may be acted on: the last sign of life is younger than a claim's life. Asked
  // just before each send, on the steady clock, for a node that was paused does not know it.
  [[nodiscard]] bool ClaimsHold() const;

  // No new work is claimed, and none that becomes due is taken along.
  void Drain() { draining_ = true; }
  [[nodiscard]] bool IsDraining() const { return draining_; }

  // The node for which work that becomes due in a commit is claimed: nobody while draining.
  [[nodiscard]] NodeId Claimant() const { return draining_ ? NodeId() : id_; }

 private:
  NodeId id_;
  const Clock& clock_;
  std::atomic<SteadyPoint::rep> last_beat_{0};
  std::atomic<bool> draining_{false};
};

// The pieces of work that this node has under way, and how to stop them. Shared by all threads.
class UnderWay {
 public:
  // With `most` of them nothing new is begun: what becomes due is left in the store, for the sweep
  // of whichever node has room first. What was begun goes on beyond it, and an answer is acted
  // upon.
  explicit UnderWay(std::size_t most) : most_(most) {}

  // Marks the piece as begun. False: it is under way already under this claim or a newer one. What
  // goes on under an older claim is stopped: its report would be refused.
  //
  // may_repeat  whoever stops may drop it: it is done anew elsewhere
  // ids         what a line about it names
  [[nodiscard]] bool Begin(const Claim& claim, bool may_repeat, LineIds ids, std::stop_token& stop);
  void End(const Claim& claim);
  // Stops the requests of a turn that has ended.
  void Stop(const CommandId& turn);
  // Stops that piece, where it is under way under that very claim.
  void Stop(const Claim& claim);
  // As Begin was told; of what is not under way, the command's and the call's own.
  [[nodiscard]] LineIds IdsOf(const Claim& claim) const;
  // What is under way. The claims' node is this one, and is left out.
  [[nodiscard]] std::vector<Claim> Claims() const;
  // Stops what may be repeated (model requests, callbacks); calls that are out are left to report.
  void StopRepeatable();

  [[nodiscard]] std::size_t CountCalls() const;
  [[nodiscard]] std::size_t Count() const;

  // How many more may be begun by a sweep.
  [[nodiscard]] std::size_t Room() const;
  // Whether there is room for what comes now: none while something that came before was left.
  [[nodiscard]] bool HasRoomForNew() const { return !left_ && Room() > 0; }
  // Whether something may be due that was left for want of room.
  [[nodiscard]] bool HasLeft() const { return left_; }
  void SetLeft(bool left) { left_ = left; }

 private:
  using Key = std::pair<CommandId, CallId>;
  mutable std::mutex mutex_;
  struct Piece {
    std::int64_t fence = 0;
    bool may_repeat = false;
    LineIds ids = {};
    std::stop_source stop;
  };
  std::map<Key, Piece> pieces_;  // guarded by mutex_
  const std::size_t most_;
  std::atomic<bool> left_{false};
};

}  // namespace writ::router
