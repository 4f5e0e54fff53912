#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "router/model/model.h"
#include "router/turn/session.h"
#include "router/turn/turn.h"

namespace writ::router {

// What the model is told for one settled call: the connector's own result, or contract section 5's
// JSON with `status` and `reason` flagged as an error; after an edit with the arguments that ran.
[[nodiscard]] ToolResult ResultOf(const Call& call);

// The conversation as the turn's next model request has it, oldest first: the channel's history
// from before the session, the session's other turns as text, this turn's own message and its
// rounds with exactly one result a call, and, where it was resumed after others ran, what was said
// meanwhile. `before` is newest first, as the ledger gives it, and may hold turns that came later
// (they are used only for what was said meanwhile). At most `history_messages` older entries.
[[nodiscard]] std::vector<TranscriptEntry> TranscriptOf(const Turn& turn, const Session& session,
                                                        const std::vector<Turn>& before,
                                                        std::size_t history_messages);

// How many entries of such a conversation stand before the turn's own message.
[[nodiscard]] std::size_t CountOlder(const std::vector<TranscriptEntry>& transcript);

// The agent's instructions with what every agent is told about labels and approvals.
[[nodiscard]] std::string InstructionsOf(const std::string& configured);

}  // namespace writ::router
