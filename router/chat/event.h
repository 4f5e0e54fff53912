#pragma once

#include <optional>
#include <string>

#include "router/base/ids.h"
#include "router/base/time.h"

namespace writ::router {

// What a platform's webhook told us, verified and parsed. One gesture of a person is one event,
// whatever number of deliveries it came in.
struct ChannelEvent {
  // kStopAsked: `author` wants what runs for them in the channel stopped; of `message` alone (the
  // agent's own) where it names one.
  enum class Kind { kMessageNew, kMessageUpdated, kMessageDeleted, kStopAsked };

  Kind kind = Kind::kMessageNew;
  AppId app;
  Cid cid;
  MessageId message;
  std::optional<MessageId> thread;  // the parent under which the message stands, if any

  // The author of the message as the platform verified it: `message.user`, never a name.
  UserId author;
  std::string author_name;  // chosen by the sender; for labels only
  std::string language;     // the author's, where the platform tells it: `de`, `de-AT`
  // Who caused an update or a deletion, as the platform says; empty where it does not.
  UserId actor;

  // The channel is open to its members' support (Stream: `support_access: "members"`): in an agent
  // channel nobody is asked there.
  bool shared = false;

  std::string text;
  TimePoint created_at;   // of the message: the order of a channel's queue
  TimePoint happened_at;  // of the event: the order of edits, and part of the dedupe key
  // Why nobody answers it (`own`, `ai_generated`, `system`, `silent`, `no_text`, …); empty where it
  // is a person's message to answer. Stored as seen all the same.
  std::string ignored_because;
  std::string delivery;  // the webhook's own id: for the log, never trusted
  std::string trace;     // what it is a part of (router/base/trace.h)
};

// What makes two deliveries one event: `new:<message>`, `updated:<message>:<time>`,
// `deleted:<message>:<time>`, `stop:<cid>:<author>:<time>`.
[[nodiscard]] std::string DedupeKey(const ChannelEvent& event);

// A message as the channel's history has it.
struct HistoryMessage {
  MessageId id;
  UserId author;
  std::string author_name;
  std::string text;
  TimePoint created_at;
  bool from_agent = false;  // the agent's own: the assistant's words
};

}  // namespace writ::router
