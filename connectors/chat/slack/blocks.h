#pragma once

#include <string>

#include "router/base/json.h"
#include "router/chat/chat.h"

namespace writ::connectors {

// A post as Slack has it.
struct SlackMessage {
  std::string text;     // for notifications, and where there are no blocks the message itself
  router::Json blocks;  // an array; empty: none, which also takes away those that stood there
};

struct SlackWords {
  std::string inbox_url;      // empty: there is none
  std::string edit = "Edit";  // on the button
};

// Slack's limits, in characters.
// source: the platforms' page, 2.5
inline constexpr std::size_t kSlackText = 40000;
inline constexpr std::size_t kSlackSection = 3000;
inline constexpr std::size_t kSlackBlocks = 12000;  // of all blocks together; 13,000 are refused
inline constexpr std::size_t kSlackField = 3000;    // of a form's field

// The reply or the asks, and a line for each other step. A held call is a section that mentions
// whom it waits for, its arguments as plain text in which nothing is markup, and its buttons. Where
// a person can't see all of it there are none, but the address where they can. An edit is offered
// where the arguments fit into a form's field.
[[nodiscard]] SlackMessage SlackMessageOf(const router::Post& post, const SlackWords& words);

}  // namespace writ::connectors
