#include "connectors/model/openai/request.h"

#include <cstddef>
#include <string>
#include <utility>
#include <variant>

#include "connectors/model/call_ids.h"
#include "connectors/model/openai/reply.h"
#include "connectors/model/request_body.h"
#include "connectors/model/tool_schema.h"
#include "connectors/model/transcript.h"

namespace writ::connectors {
namespace {

using router::CallsRound;
using router::Json;
using router::ModelCall;
using router::ToolResult;

constexpr std::string_view kDefaultBase = "https://api.openai.com/v1";

// The message of a round as it came, or put together where it is not ours.
Json AssistantMessage(const CallsRound& round, const std::string& model) {
  const Json* given = OpenAiMessageIn(round.reply.raw, model);
  const Json* calls = given == nullptr ? nullptr : given->Find("tool_calls");
  if (calls != nullptr && calls->IsArray() && calls->array().size() == round.reply.calls.size()) {
    return *given;
  }
  Json message = MessageOf("assistant", IsBlank(round.reply.text) ? Json() : round.reply.text);
  Json built = Json::MakeArray();
  for (std::size_t i = 0; i < round.reply.calls.size(); ++i) {
    built.Push(Json::MakeObject({{"type", "function"}, {"function", Json::MakeObject()}}));
  }
  message.Set("tool_calls", std::move(built));
  return message;
}

// Broken arguments become `{}`: vLLM and LiteLLM refuse every later request that holds them.
void SetCall(Json& tool_call, const ModelCall& call, const std::string& id) {
  tool_call.Set("id", id);
  if (tool_call.Find("function") == nullptr) tool_call.Set("function", Json::MakeObject());
  Json* function = tool_call.Find("function");
  function->Set("name", NameForHistory(call.offered_name));
  function->Set("arguments", IsObjectText(call.arguments_text) ? call.arguments_text : "{}");
}

// There is no flag for an error: the text says it, unless it is our own JSON, which does.
std::string MarkedText(const ModelCall& call, const ToolResult& result) {
  std::string text = ResultText(call, result);
  if (!result.is_error) return text;
  const router::JsonParsed parsed = router::ParseJson(text);
  return parsed.value && parsed.value->StringAt("status") ? text : "ERROR: " + text;
}

void PushCallsAndResults(const CallsRound& round, const std::vector<std::string>& ids,
                         const std::string& model, Json& messages) {
  Json message = AssistantMessage(round, model);
  Json::Array& tool_calls = message.Find("tool_calls")->array();
  for (std::size_t i = 0; i < ids.size(); ++i) SetCall(tool_calls[i], round.reply.calls[i], ids[i]);
  messages.Push(std::move(message));
  for (std::size_t i = 0; i < ids.size(); ++i) {
    Json result = MessageOf("tool", MarkedText(round.reply.calls[i], round.results[i]));
    result.Set("tool_call_id", ids[i]);
    messages.Push(std::move(result));
  }
}

Json MessagesOf(const std::string& model, const router::ModelRequest& request) {
  Json messages = Json::MakeArray();
  if (!IsBlank(request.instructions)) messages.Push(MessageOf("system", request.instructions));
  PushMessages(
      Sendable(request.transcript),
      [&](const CallsRound& round, const std::vector<std::string>& ids, Json& into) {
        PushCallsAndResults(round, ids, model, into);
      },
      messages);
  return messages;
}

// An empty list is refused: without tools the field is left out.
void SetTools(const std::vector<router::OfferedTool>& tools, Json& body) {
  if (tools.empty()) return;
  Json list = Json::MakeArray();
  for (const router::OfferedTool& tool : tools) {
    Json function = Json::MakeObject({{"name", tool.offered_name},
                                      {"description", tool.description},
                                      {"parameters", tool.input_schema}});
    list.Push(Json::MakeObject({{"type", "function"}, {"function", std::move(function)}}));
  }
  body.Set("tools", std::move(list));
}

}  // namespace

Dialect::Written WriteOpenAiRequest(const ModelOptions& options,
                                    const router::ModelRequest& request, int patience) {
  FittedTools fitted = FitTools(request.tools, {});
  Json body =
      Json::MakeObject({{"model", options.name}, {"messages", MessagesOf(options.name, request)}});
  SetTools(fitted.tools, body);
  if (options.max_output_tokens) {
    body.Set(options.max_tokens_field, *options.max_output_tokens * patience);
  }
  if (options.stream) {
    body.Set("stream", true);
    body.Set("stream_options", Json::MakeObject({{"include_usage", true}}));
  }
  MergeExtraBody(options.extra_body, body);
  Dialect::Written written{PostOf(options, kDefaultBase, "/chat/completions", body),
                           std::move(fitted.left_out)};
  if (!options.api_key.empty()) {
    written.request.headers.emplace_back("authorization", "Bearer " + options.api_key);
  }
  return written;
}

}  // namespace writ::connectors
