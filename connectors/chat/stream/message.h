#pragma once

#include <optional>
#include <string>
#include <vector>

#include "router/base/ids.h"
#include "router/base/json.h"
#include "router/base/time.h"
#include "router/chat/event.h"

namespace writ::connectors {

// Why nobody answers a message of Stream's: `own`, `ai_generated`, its type where that is neither
// `regular` nor `reply`, `silent`, `shadowed`, `banned`, `command`, `restricted`, `anonymous`,
// `deleted`, `no_text`; empty where it is a person's to answer.
// source: the platforms' page, 1.4
[[nodiscard]] std::string IgnoredBecause(const router::Json& message,
                                         const std::vector<router::UserId>& agent_users);

// The event that a message's `message.new` webhook tells of; app, cid, actor and delivery are left
// to the caller. nullopt where the message has no id or no author.
[[nodiscard]] std::optional<router::ChannelEvent> NewMessageEvent(
    const router::Json& message, const std::vector<router::UserId>& agent_users);

// The message as the model's history wants it; nullopt where it is none that everybody in the
// channel reads: deleted, ephemeral, an error, a system's, shadowed, restricted, without words.
[[nodiscard]] std::optional<router::HistoryMessage> ReadHistoryMessage(
    const router::Json& message, const router::UserId& agent_user);

}  // namespace writ::connectors
