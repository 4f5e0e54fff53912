#pragma once

#include "router/chat/event.h"
#include "router/chat/inbox.h"
#include "router/flow/node.h"
#include "router/flow/ports.h"
#include "router/flow/run_turn.h"
#include "router/flow/setup.h"

namespace writ::router {

// From a verified webhook to a command: the event is stored, then opened as a job. What a crash
// left stored and unopened is found again by OpenWaiting.
class OpenTurn {
 public:
  OpenTurn(const Ports& ports, const Directory& directory, Node& node, RunTurn& run)
      : ports_(ports), directory_(directory), node_(node), run_(run) {}

  // Durable on return; the caller acknowledges only then.
  //
  // throws  Failure{kTransient} where it could not be stored: the platform shall try again
  [[nodiscard]] Inbox::Accepted Accept(ChannelEvent event);

  // Opens up to a batch of events that were stored and not opened. Returns how many it opened.
  std::size_t OpenWaiting();

 private:
  bool TryOpen(const ChannelEvent& event);
  // The channel's earlier events too, where nobody opened them.
  void Open(const ChannelEvent& event);
  [[nodiscard]] EventOpened OpenOne(const ChannelEvent& event);
  [[nodiscard]] Opening OpeningOf(const ChannelEvent& event);

  const Ports& ports_;
  const Directory& directory_;
  Node& node_;
  RunTurn& run_;
};

}  // namespace writ::router
