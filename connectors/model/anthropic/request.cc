#include "connectors/model/anthropic/request.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "connectors/model/anthropic/reply.h"
#include "connectors/model/call_ids.h"
#include "connectors/model/request_body.h"
#include "connectors/model/tool_schema.h"
#include "connectors/model/transcript.h"

namespace writ::connectors {
namespace {

using router::CallsRound;
using router::Json;
using router::ModelCall;
using router::OfferedTool;

constexpr std::string_view kDefaultBase = "https://api.anthropic.com";

bool IsToolUse(const Json& block) { return block.TextAt("type") == "tool_use"; }

std::size_t CountToolUses(const Json& content) {
  const Json::Array& blocks = content.array();
  return static_cast<std::size_t>(std::count_if(blocks.begin(), blocks.end(), IsToolUse));
}

// The content of a round as it came, or put together where it is not ours.
Json AssistantContent(const CallsRound& round, const std::string& model) {
  const Json* given = AnthropicContentIn(round.reply.raw, model);
  if (given != nullptr && given->IsArray() && CountToolUses(*given) == round.reply.calls.size()) {
    return *given;
  }
  Json content = Json::MakeArray();
  if (!IsBlank(round.reply.text)) {
    content.Push(Json::MakeObject({{"type", "text"}, {"text", round.reply.text}}));
  }
  for (const ModelCall& call : round.reply.calls) {
    router::JsonParsed input = router::ParseJson(call.arguments_text);
    content.Push(Json::MakeObject(
        {{"type", "tool_use"}, {"input", input.value ? *std::move(input.value) : Json()}}));
  }
  return content;
}

// An `input` that is no object is refused in every later request.
void SetCall(Json& block, const ModelCall& call, const std::string& id) {
  block.Set("id", id);
  block.Set("name", NameForHistory(call.offered_name));
  const Json* input = block.Find("input");
  if (input == nullptr || !input->IsObject()) block.Set("input", Json::MakeObject());
}

Json ResultsOf(const CallsRound& round, const std::vector<std::string>& ids) {
  Json results = Json::MakeArray();
  for (std::size_t i = 0; i < ids.size(); ++i) {
    Json block =
        Json::MakeObject({{"type", "tool_result"},
                          {"tool_use_id", ids[i]},
                          {"content", ResultText(round.reply.calls[i], round.results[i])}});
    if (round.results[i].is_error) block.Set("is_error", true);
    results.Push(std::move(block));
  }
  return results;
}

// All results stand in the one message after the calls, and nothing before them.
void PushCallsAndResults(const CallsRound& round, const std::vector<std::string>& ids,
                         const std::string& model, Json& messages) {
  Json content = AssistantContent(round, model);
  std::size_t at = 0;
  for (Json& block : content.array()) {
    if (!IsToolUse(block)) continue;
    SetCall(block, round.reply.calls[at], ids[at]);
    ++at;
  }
  messages.Push(MessageOf("assistant", std::move(content)));
  messages.Push(MessageOf("user", ResultsOf(round, ids)));
}

Json MessagesOf(const std::string& model, const std::vector<router::TranscriptEntry>& transcript) {
  Json messages = Json::MakeArray();
  PushMessages(
      transcript,
      [&](const CallsRound& round, const std::vector<std::string>& ids, Json& into) {
        PushCallsAndResults(round, ids, model, into);
      },
      messages);
  return messages;
}

// Messages that hold calls need `tools`, also where none is offered any more: then those that were
// called stand there, and the choice is none of them.
std::vector<OfferedTool> CalledTools(const std::vector<router::TranscriptEntry>& transcript) {
  std::set<std::string> names;
  for (const auto& entry : transcript) {
    if (const auto* round = std::get_if<CallsRound>(&entry)) {
      for (const ModelCall& call : round->reply.calls) {
        names.insert(NameForHistory(call.offered_name));
      }
    }
  }
  std::vector<OfferedTool> tools;
  tools.reserve(names.size());
  for (const std::string& name : names) {
    tools.push_back({name, "Not available any more.",
                     Json::MakeObject({{"type", "object"}, {"properties", Json::MakeObject()}})});
  }
  return tools;
}

Json ListOf(const std::vector<OfferedTool>& tools) {
  Json list = Json::MakeArray();
  for (const OfferedTool& tool : tools) {
    list.Push(Json::MakeObject({{"name", tool.offered_name},
                                {"description", tool.description},
                                {"input_schema", tool.input_schema}}));
  }
  return list;
}

void SetTools(const std::vector<OfferedTool>& offered,
              const std::vector<router::TranscriptEntry>& transcript, Json& body) {
  if (!offered.empty()) {
    body.Set("tools", ListOf(offered));
    return;
  }
  const std::vector<OfferedTool> called = CalledTools(transcript);
  if (called.empty()) return;
  body.Set("tools", ListOf(called));
  body.Set("tool_choice", Json::MakeObject({{"type", "none"}}));
}

}  // namespace

Dialect::Written WriteAnthropicRequest(const ModelOptions& options,
                                       const router::ModelRequest& request, int patience) {
  const auto transcript = Sendable(request.transcript);
  FittedTools fitted = FitTools(request.tools, {.plain_keys = true});
  Json body = Json::MakeObject(
      {{"model", options.name},
       {"max_tokens", options.max_output_tokens.value_or(kDefaultMaxTokens) * patience}});
  if (!IsBlank(request.instructions)) body.Set("system", request.instructions);
  body.Set("messages", MessagesOf(options.name, transcript));
  SetTools(fitted.tools, transcript, body);
  if (options.stream) body.Set("stream", true);
  MergeExtraBody(options.extra_body, body);
  Dialect::Written written{PostOf(options, kDefaultBase, "/v1/messages", body),
                           std::move(fitted.left_out)};
  written.request.headers.emplace_back("anthropic-version", options.anthropic_version);
  if (!options.api_key.empty()) {
    written.request.headers.emplace_back("x-api-key", options.api_key);
  }
  return written;
}

}  // namespace writ::connectors
