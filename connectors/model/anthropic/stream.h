#pragma once

#include <memory>
#include <string>

#include "connectors/model/reply_stream.h"

namespace writ::connectors {

// Reads a message that comes as events, whether or not the events are named. It is whole only with
// `message_stop`. Blocks come out as they would have come whole, with their signatures.
//
// model  the configured name: `raw` notes whose content it is
// source https://docs.anthropic.com/en/api/messages-streaming
[[nodiscard]] std::unique_ptr<ReplyStream> OpenAnthropicStream(std::string model);

}  // namespace writ::connectors
