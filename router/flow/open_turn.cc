#include "router/flow/open_turn.h"

#include <utility>

#include "router/base/failure.h"

namespace writ::router {
namespace {

constexpr std::size_t kBatch = 200;

}  // namespace

Inbox::Accepted OpenTurn::Accept(const ChannelEvent& event) {
  const Inbox::Accepted accepted = ports_.inbox.Accept(event, ports_.clock.Now());
  if (accepted == Inbox::Accepted::kStored && event.ignored_because.empty() &&
      !node_.IsDraining()) {
    const bool soon = ports_.jobs.Offer([this, event] {
      try {
        Open(event);
      } catch (const Failure& failure) {
        ports_.log.Warn("event.not_opened",
                        {{"message_id", event.message.text()}, {"why", failure.what()}});
      }
    });
    // Either way it stays stored, and the sweep opens what is left.
    if (!soon) ports_.log.Warn("event.left_to_sweep", {{"message_id", event.message.text()}});
  }
  return accepted;
}

std::size_t OpenTurn::OpenWaiting() {
  const std::vector<ChannelEvent> waiting = ports_.inbox.Waiting(kBatch);
  for (const ChannelEvent& event : waiting) Open(event);
  return waiting.size();
}

void OpenTurn::Open(const ChannelEvent& event) {
  const Directory::Route route = directory_.RouteOf(event.app, event.cid);
  Opening opening;
  opening.event = event;
  opening.rule = route.rule;
  if (route.agent != nullptr) {
    opening.agent = route.agent->id;
    opening.limits = route.agent->limits;
    opening.queue_per_channel = route.agent->queue_per_channel;
    opening.session_idle = route.agent->session_idle;
  }
  opening.new_session = SessionId(ports_.ids.Next("ses_"));
  opening.new_command = CommandId(ports_.ids.Next("cmd_"));
  run_.Begin(ports_.turns.Open(opening, node_.Claimant(), ports_.clock.Now()));
  run_.Changed(std::nullopt);  // a notice may have to be shown
}

}  // namespace writ::router
