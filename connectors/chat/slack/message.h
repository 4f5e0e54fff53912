#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "connectors/chat/slack/slack_ids.h"
#include "router/base/json.h"
#include "router/chat/event.h"

namespace writ::connectors {

// Whose a message of Slack's is read for.
struct SlackReader {
  SlackPlace place;
  std::string bot_user;             // Slack's id of our bot; empty: not known
  bool shared_with_others = false;  // the channel is another organisation's, too (Slack Connect)
};

// The message as the event that its webhook tells of; app and delivery are left to the caller.
// nullopt where nobody must answer it: any subtype but a file's or a broadcast reply's, a bot's,
// our own, hidden, without words. Nothing of those is kept, so that no filtered event stands in the
// way of a good one that tells of the same message. source: the platforms' page, 2.3
[[nodiscard]] std::optional<router::ChannelEvent> SlackMessageEvent(const SlackReader& reader,
                                                                    std::string_view channel,
                                                                    const router::Json& message);

// Its author: nobody where it has none.
[[nodiscard]] router::UserId SlackAuthorOf(const SlackReader& reader, const router::Json& message);

// What the model reads of its words.
[[nodiscard]] std::string SlackTextOf(const SlackReader& reader, const router::Json& message);

// The message as the model's history wants it; nullopt where it has no words or no author, or is
// Slack's own (somebody joined, a topic was set).
[[nodiscard]] std::optional<router::HistoryMessage> SlackHistoryMessage(
    const SlackReader& reader, std::string_view channel, const router::Json& message);

}  // namespace writ::connectors
