#include "connectors/model/openai/reply.h"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>

#include "connectors/model/raw_reply.h"
#include "connectors/model/reply_stream.h"
#include "connectors/model/request_body.h"
#include "connectors/model/tokens.h"
#include "connectors/model/transcript.h"

namespace writ::connectors {
namespace {

using router::Json;
using router::ModelCall;
using router::ModelReply;

constexpr std::string_view kDialect = "openai";
// Deeper than arguments may be: whether those are too deep is for the gate to say.
constexpr router::JsonLimits kReplyLimits{512};

// The members worth sending back: what is null or empty is refused by some (`tool_calls: []`).
Json WithoutEmpty(const Json& message) {
  Json kept = Json::MakeObject({{"role", "assistant"}, {"content", Json()}});
  for (const auto& [key, value] : message.object()) {
    const bool empty = value.IsNull() || (value.IsArray() && value.array().empty());
    const bool ours = key == "role" || key == "tool_calls" || key == "function_call";
    if (!empty && !ours) kept.Set(key, value);
  }
  return kept;
}

// The old form is one call without an id.
Json CallsIn(const Json& message) {
  const Json* calls = message.Find("tool_calls");
  if (calls != nullptr && calls->IsArray()) return *calls;
  Json list = Json::MakeArray();
  const Json* old = message.Find("function_call");
  if (old != nullptr && old->IsObject()) {
    list.Push(Json::MakeObject({{"type", "function"}, {"function", *old}}));
  }
  return list;
}

ModelCall ReadCall(Json& tool_call) {
  const Json* function = tool_call.Find("function");
  if (function == nullptr || !function->IsObject()) {
    tool_call = Json::MakeObject({{"type", "function"}, {"function", Json::MakeObject()}});
    return {};
  }
  return {tool_call.TextAt("id"), function->TextAt("name"), OpenAiArgumentsOf(*function)};
}

// Returns how many there were too many.
std::size_t LeaveOutBeyond(std::size_t most, Json::Array& calls) {
  const std::size_t kept = std::min(calls.size(), most);
  const std::size_t left_out = calls.size() - kept;
  calls.resize(kept);
  return left_out;
}

ModelReply::Stop StopOf(std::string_view finish_reason, const Json& message) {
  if (const auto refusal = message.StringAt("refusal"); refusal && !refusal->empty()) {
    return ModelReply::Stop::kRefused;
  }
  if (finish_reason == "content_filter") return ModelReply::Stop::kFiltered;
  if (finish_reason == "length") return ModelReply::Stop::kCutOff;
  return ModelReply::Stop::kEnd;
}

}  // namespace

std::string OpenAiTextOf(const Json* content) {
  if (content == nullptr) return "";
  if (content->IsString()) return content->string();
  std::string text;
  if (content->IsArray()) {
    for (const Json& part : content->array()) text += part.TextAt("text");
  }
  return text;
}

std::string OpenAiArgumentsOf(const Json& function) {
  const Json* arguments = function.Find("arguments");
  if (arguments == nullptr || arguments->IsNull()) return "";
  return arguments->IsString() ? arguments->string() : arguments->Dump();
}

bool IsBrokenOff(const Json& choice) { return choice.TextAt("finish_reason") == "error"; }

router::ModelUsage OpenAiUsageIn(const Json& body) {
  const Json* usage = body.Find("usage");
  if (usage == nullptr) return {};
  return {TokensAt(*usage, "prompt_tokens"), TokensAt(*usage, "completion_tokens")};
}

Dialect::Read ReadOpenAiMessage(const std::string& model, const Json& message,
                                std::string_view finish_reason) {
  Dialect::Read read;
  ModelReply& reply = read.reply;
  reply.text = OpenAiTextOf(message.Find("content"));
  reply.stop = StopOf(finish_reason, message);
  if (reply.stop == ModelReply::Stop::kRefused && IsBlank(reply.text)) {
    reply.text = message.TextAt("refusal");
  }
  Json given = WithoutEmpty(message);
  Json calls = CallsIn(message);
  read.calls_left_out = LeaveOutBeyond(kMaxCalls, calls.array());
  for (Json& tool_call : calls.array()) reply.calls.push_back(ReadCall(tool_call));
  // Cut off by the limit: what does not parse is not the whole call; what does was not cut.
  if (reply.stop == ModelReply::Stop::kCutOff && !reply.calls.empty()) {
    read.cut_call = !IsObjectText(reply.calls.back().arguments_text);
    if (!read.cut_call) reply.stop = ModelReply::Stop::kEnd;
  }
  // What was begun before the model declined, or was stopped, is not to be run.
  if (reply.stop == ModelReply::Stop::kRefused || reply.stop == ModelReply::Stop::kFiltered) {
    reply.calls.clear();
  }
  if (!reply.calls.empty()) given.Set("tool_calls", std::move(calls));
  reply.raw = WrapRaw(kDialect, model, std::move(given));
  return read;
}

std::optional<Dialect::Read> ReadOpenAiReply(const std::string& model, const std::string& body) {
  const router::JsonParsed parsed = router::ParseJson(body, kReplyLimits);
  if (!parsed.value) return std::nullopt;
  const Json* choices = parsed.value->Find("choices");
  if (choices == nullptr || !choices->IsArray()) return std::nullopt;
  if (choices->array().empty()) return Dialect::Read{};
  const Json& choice = choices->array().front();
  const Json* message = choice.Find("message");
  if (message == nullptr || !message->IsObject() || IsBrokenOff(choice)) return std::nullopt;
  Dialect::Read read = ReadOpenAiMessage(model, *message, choice.TextAt("finish_reason"));
  read.reply.usage = OpenAiUsageIn(*parsed.value);
  return read;
}

const Json* OpenAiMessageIn(const Json& raw, const std::string& model) {
  return UnwrapRaw(raw, kDialect, model);
}

}  // namespace writ::connectors
