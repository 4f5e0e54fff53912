#pragma once

#include <optional>
#include <string>
#include <vector>

#include "router/base/ids.h"
#include "router/base/json.h"
#include "router/base/time.h"
#include "router/chat/event.h"
#include "router/tool/tool.h"

namespace writ::router {

// The router's durable conversation with one channel.
struct Session {
  SessionId id;
  AppId app;
  AgentId agent;
  Cid cid;       // empty: no channel, the owner is its only member
  UserId owner;  // nobody, for what a webhook opened
  bool shared = false;
  bool channel_shared = false;  // the channel itself, as its newest event said
  // Without a channel: nobody is asked, and nothing is kept once it is closed.
  bool incognito = false;
  // Declared by whoever opened it; bound by the agent's connectors of those kinds.
  std::vector<DeclaredTool> device_tools;
  std::vector<DeclaredTool> backend_tools;
  bool open = true;
  bool by_webhook = true;  // closes when idle; the API's stay until they are closed
  TimePoint created_at;
  TimePoint last_active_at;
  std::optional<TimePoint> closed_at;
  // What stood in the channel before the session's first command; asked of the platform once.
  bool history_known = false;
  std::vector<HistoryMessage> history;
};

// What a channel's type means to an agent.
enum class ChannelRule {
  kNamed,  // `chat_channels`: each message has a writer
  kAgent,  // `agent_channels`: one user's conversation, or a bridged thread
  kNone,   // the agent does not answer there
};

struct People {
  UserId writer;
  UserId initiator;
};

// For whom a message is answered (design section 4). A writer only in a named channel, from the
// platform's verified author; an initiator only where the author is the session's owner. In an
// unshared conversation of somebody's own, another person's message has neither.
[[nodiscard]] People PeopleOf(ChannelRule rule, const UserId& author, const Session& session);

[[nodiscard]] std::string SessionToText(const Session& session);
[[nodiscard]] Session SessionFromText(std::string_view text);
[[nodiscard]] std::string EventToText(const ChannelEvent& event);
[[nodiscard]] ChannelEvent EventFromText(std::string_view text);

}  // namespace writ::router
