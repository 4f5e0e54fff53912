#pragma once

#include <memory>
#include <string>

#include "connectors/model/reply_stream.h"

namespace writ::connectors {

// Reads a chat completion that comes in chunks. It is whole with a `finish_reason`, or, where it
// has no calls, with `[DONE]` alone: some servers never say why they stop, and a call of which a
// part may be missing is none.
//
// model  the configured name: `raw` notes whose message it is
// source https://platform.openai.com/docs/api-reference/chat-streaming, and what Ollama, llama.cpp,
//        vLLM and gateways do otherwise
[[nodiscard]] std::unique_ptr<ReplyStream> OpenOpenAiStream(std::string model);

}  // namespace writ::connectors
