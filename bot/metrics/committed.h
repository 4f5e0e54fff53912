#pragma once

#include <vector>

#include "bot/metrics/metrics.h"
#include "router/base/log.h"
#include "router/chat/event.h"
#include "router/turn/ledger.h"

namespace writ::bot {

// What the ledgers committed, counted and said in the log: a line a thing that happened, with the
// ids of what it happened to. Both outlive it. Shared by all threads.
class Committed {
 public:
  Committed(Metrics& metrics, router::Log& log) : metrics_(metrics), log_(log) {}

  void TellStored(const router::ChannelEvent& event);
  // A turn was moved, and what became due in that was claimed.
  void Tell(const router::Advanced& advanced);
  void TellOf(const router::Turn& turn, const std::vector<router::Happening>& happened);
  // Work was claimed: that a turn got its channel's lease shows in it.
  void TellOf(const std::vector<router::Work>& taken);
  // The call is about to leave.
  void TellSent(const router::Turn& turn, const router::CallId& call);

 private:
  void TellOf(const router::Turn& turn, const router::Happening& happening);

  Metrics& metrics_;
  router::Log& log_;
};

}  // namespace writ::bot
