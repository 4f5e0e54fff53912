#include "router/chat/event.h"

#include <string>

namespace writ::router {
namespace {

// Nothing else of a delivery is in the key: the platform's own id for it differs where two hooks
// are configured, and a sender could choose it.
std::string TimedKey(const char* kind, const ChannelEvent& event) {
  return kind + event.message.text() + ":" + FormatTime(event.happened_at);
}

}  // namespace

std::string DedupeKey(const ChannelEvent& event) {
  switch (event.kind) {
    case ChannelEvent::Kind::kMessageNew:
      return "new:" + event.message.text();
    case ChannelEvent::Kind::kMessageUpdated:
      return TimedKey("updated:", event);
    case ChannelEvent::Kind::kMessageDeleted:
      return TimedKey("deleted:", event);
    case ChannelEvent::Kind::kStopAsked:
      return "stop:" + event.cid.text() + ":" + event.author.text() + ":" +
             FormatTime(event.happened_at);
  }
  return {};
}

}  // namespace writ::router
