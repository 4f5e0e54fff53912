#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "connectors/model/model_options.h"
#include "router/base/http.h"
#include "router/base/json.h"
#include "router/model/model.h"

namespace writ::connectors {

// Whether the text is a JSON object: what a provider takes back as a call's arguments.
[[nodiscard]] bool IsObjectText(std::string_view text);

// What a call's result says. A result of ours (JSON with a `status`) quotes arguments that were
// broken: the call's own message, as it goes back, no longer has them.
[[nodiscard]] std::string ResultText(const router::ModelCall& call,
                                     const router::ToolResult& result);

[[nodiscard]] router::Json MessageOf(std::string_view role, router::Json content);

// The messages of a transcript that is Sendable(), each as text; what becomes of a round of calls,
// `push_round` says, with the ids that its calls have.
using PushRound = std::function<void(const router::CallsRound& round,
                                     const std::vector<std::string>& ids, router::Json& messages)>;
void PushMessages(const std::vector<router::TranscriptEntry>& transcript,
                  const PushRound& push_round, router::Json& messages);

// Sets the operator's `extra_body` members in `body`. Not those that this program must know of:
// the messages, and whether the reply is a stream.
void MergeExtraBody(const router::Json& extra_body, router::Json& body);

// The POST of `body` to `base_url` + `path`, or to `default_base` where none is configured.
[[nodiscard]] router::HttpRequest PostOf(const ModelOptions& options, std::string_view default_base,
                                         std::string_view path, const router::Json& body);

}  // namespace writ::connectors
