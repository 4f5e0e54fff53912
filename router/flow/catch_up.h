#pragma once

#include <memory>
#include <vector>

#include "router/flow/open_turn.h"
#include "router/flow/ports.h"
#include "router/flow/setup.h"
#include "router/turn/session.h"

namespace writ::router {

// After a stop: looks in the channels of open sessions for messages that came while no node ran,
// and that the platform has stopped retrying. Each goes through Accept as its webhook would have:
// what was answered before is a duplicate.
class CatchUp {
 public:
  CatchUp(const Ports& ports, const Directory& directory, OpenTurn& open)
      : ports_(ports), directory_(directory), open_(open) {}

  enum class Found {
    kIsAnswered,
    kIsLeft,  // stored as seen: a restored store does not know what was answered already
  };
  // Begins; goes on channel by channel, a few at a time, without a thread.
  void Start(Found found = Found::kIsAnswered);

 private:
  struct Round;
  void Next(const std::shared_ptr<Round>& round);
  void TryAgain(std::shared_ptr<Round> round, const Session& session);

  const Ports& ports_;
  const Directory& directory_;
  OpenTurn& open_;
};

}  // namespace writ::router
