#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "router/base/ids.h"
#include "router/base/time.h"
#include "router/turn/turn.h"

namespace writ::router {

// Something that a channel must be shown. A turn's message is one delivery, whatever number of
// faces it has had meanwhile: the newest is rendered when its time comes.
struct Delivery {
  std::string id;
  AppId app;
  std::optional<Turn> turn;  // a turn's message; else a plain notice
  AgentId agent;
  Cid cid;
  std::optional<MessageId> thread;
  std::string notice;         // in English
  std::string language;       // a notice's, of whom it is for
  std::int64_t revision = 0;  // of the turn's face
  bool posted = false;        // the message stands in the channel, with an older face
  bool maybe_there = false;   // this face was tried before, and nobody knows that it failed
  TimePoint tried_since;      // the beginning of the first try of it
  std::string memo;           // the platform's, of what stands there
  int attempts = 0;           // that failed
  std::optional<TimePoint> failing_since;
  NodeId node;  // whose it is
};

// The port to what must still be shown. A channel's deliveries go out one by one, in order.
// Shared by all threads; each method is one commit.
class Outbox {
 public:
  virtual ~Outbox() = default;

  // Deliveries whose time has come, the first of each channel, claimed for `node`.
  [[nodiscard]] virtual std::vector<Delivery> ClaimDeliveries(const NodeId& node, std::size_t limit,
                                                              TimePoint now) = 0;
  // Shown with that revision. Where a newer face is wanted meanwhile it is due again, and where
  // another node has taken the delivery over, too: which of the two came last is not known.
  virtual void Delivered(const Delivery& delivery, TimePoint now) = 0;
  // Not now: again at `due_at`. `posted` and `memo` may have become known.
  virtual void Postpone(const Delivery& delivery, TimePoint due_at) = 0;
  // Will not be shown; the channel's next delivery goes on.
  virtual void GiveUp(const Delivery& delivery) = 0;
  [[nodiscard]] virtual std::optional<TimePoint> NextDelivery() = 0;
};

}  // namespace writ::router
