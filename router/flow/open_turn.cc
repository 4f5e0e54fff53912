#include "router/flow/open_turn.h"

#include <utility>

#include "router/base/failure.h"
#include "router/base/trace.h"
#include "router/flow/log_about.h"

namespace writ::router {
namespace {

constexpr std::size_t kBatch = 200;

}  // namespace

Inbox::Accepted OpenTurn::Accept(ChannelEvent event) {
  // A chat's webhook tells of all its channels, and most have no agent. What is seen there needs no
  // second commit to be done with.
  if (event.kind == ChannelEvent::Kind::kMessageNew && event.ignored_because.empty() &&
      directory_.RouteOf(event.app, event.cid).agent == nullptr) {
    event.ignored_because = "no_agent";
  }
  const Inbox::Accepted accepted = ports_.inbox.Accept(event, ports_.clock.Now());
  if (accepted == Inbox::Accepted::kStored && event.ignored_because.empty() &&
      !node_.IsDraining()) {
    const bool soon = ports_.jobs.Offer([this, event] { TryOpen(event); });
    // Either way it stays stored, and the sweep opens what is left.
    if (!soon) LogAbout(ports_.log, event).Warn("event.left_to_sweep");
  }
  return accepted;
}

std::size_t OpenTurn::OpenWaiting() {
  std::size_t opened = 0;
  for (const ChannelEvent& event : ports_.inbox.Waiting(kBatch)) {
    if (node_.IsDraining()) break;
    if (TryOpen(event)) ++opened;
  }
  return opened;
}

bool OpenTurn::TryOpen(const ChannelEvent& event) {
  try {
    Open(event);
    return true;
  } catch (const Failure& failure) {  // it stays stored, and the next round tries again
    LogAbout(ports_.log, event).Warn("event.not_opened", {{"why", failure.what()}});
    return false;
  }
}

void OpenTurn::Open(const ChannelEvent& event) {
  // Whoever stored what comes first may be lost; whoever comes by opens it. Each round leaves one
  // less that does.
  for (auto next = OpenOne(event).comes_first; next; next = OpenOne(event).comes_first) {
    static_cast<void>(OpenOne(*next));
  }
}

EventOpened OpenTurn::OpenOne(const ChannelEvent& event) {
  Opening opening = OpeningOf(event);
  EventOpened opened;
  try {
    opened = ports_.turns.Open(opening, run_.ClaimantOfNew(), ports_.clock.Now());
  } catch (const Failure& failure) {
    if (failure.kind() != Failure::Kind::kPermanent) throw;
    // It must not keep the channel from what came after it for ever.
    opening.gives_up = true;
    opened = ports_.turns.Open(opening, run_.ClaimantOfNew(), ports_.clock.Now());
    if (!opened.given_up) throw;
    LogAbout(ports_.log, event).Error("event.given_up", {{"why", failure.what()}});
  }
  for (Advanced& moved : opened.moved) run_.Follow(std::move(moved));
  run_.Begin(std::move(opened.taken));
  run_.Changed(std::nullopt);  // a notice may have to be shown
  return opened;
}

Opening OpenTurn::OpeningOf(const ChannelEvent& event) {
  const Directory::Route route = directory_.RouteOf(event.app, event.cid);
  Opening opening;
  opening.event = event;
  opening.rule = route.rule;
  if (route.agent != nullptr) {
    opening.agent = route.agent->id;
    opening.limits = route.agent->limits;
    opening.queue_per_channel = route.agent->queue_per_channel;
    opening.session_idle = route.agent->session_idle;
    opening.quotas = directory_.FindApp(event.app)->quotas;
  }
  // What no webhook told of is a trace of its own.
  if (opening.event.trace.empty()) opening.event.trace = StartTrace();
  opening.new_session = SessionId(ports_.ids.Next("ses_"));
  opening.new_command = CommandId(ports_.ids.Next("cmd_"));
  return opening;
}

}  // namespace writ::router
