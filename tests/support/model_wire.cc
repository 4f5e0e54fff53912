#include "tests/support/model_wire.h"

#include <utility>

namespace writ::tests {
namespace {

using router::Json;

std::string TextOf(const Json* content) {
  if (content == nullptr) return "";
  if (content->IsString()) return content->string();
  std::string text;
  if (content->IsArray()) {
    for (const Json& block : content->array()) text += block.TextAt("text");
  }
  return text;
}

std::string IdOf(const ModelAnswer::Call& call, const char* prefix, std::size_t number,
                 std::size_t at) {
  return call.id.empty() ? prefix + std::to_string(number) + "_" + std::to_string(at) : call.id;
}

// Results stand in messages of people, and begin a round where the one before was the model's.
void TakeAnthropicMessage(const Json& message, bool& after_model, ModelQuestion& question) {
  const bool models = message.TextAt("role") == "assistant";
  const Json* content = message.Find("content");
  if (!models && content != nullptr && content->IsArray()) {
    for (const Json& block : content->array()) {
      if (block.TextAt("type") != "tool_result") continue;
      if (std::exchange(after_model, false)) {
        ++question.rounds;
        question.results.clear();
      }
      question.results.push_back({block.TextAt("tool_use_id"), TextOf(block.Find("content")),
                                  block.BoolAt("is_error").value_or(false)});
    }
  }
  const std::string text = TextOf(content);
  if (!models && !text.empty()) question.said.push_back(text);
  after_model = models;
}

}  // namespace

ModelQuestion ReadOpenAiQuestion(const Json& body) {
  ModelQuestion question;
  question.body = body;
  for (const Json& message : body.Find("messages")->array()) {
    const std::string role = message.TextAt("role");
    const std::string text = TextOf(message.Find("content"));
    if (role == "system") question.system = text;
    if (role == "user") question.said.push_back(text);
    if (role == "assistant" && message.Find("tool_calls") != nullptr) {
      ++question.rounds;
      question.results.clear();
    }
    if (role == "tool") question.results.push_back({message.TextAt("tool_call_id"), text, false});
  }
  if (const Json* tools = body.Find("tools")) {
    for (const Json& tool : tools->array()) {
      question.tools.push_back(tool.Find("function")->TextAt("name"));
    }
  }
  return question;
}

ModelQuestion ReadAnthropicQuestion(const Json& body) {
  ModelQuestion question;
  question.anthropic = true;
  question.body = body;
  question.system = TextOf(body.Find("system"));
  bool after_model = false;
  for (const Json& message : body.Find("messages")->array()) {
    TakeAnthropicMessage(message, after_model, question);
  }
  if (const Json* tools = body.Find("tools")) {
    for (const Json& tool : tools->array()) question.tools.push_back(tool.TextAt("name"));
  }
  return question;
}

Json OpenAiBody(const ModelAnswer& answer, std::size_t number) {
  Json message =
      Json::MakeObject({{"role", "assistant"}, {"content", Json()}, {"refusal", Json()}});
  if (!answer.text.empty() || answer.calls.empty()) message.Set("content", answer.text);
  if (!answer.calls.empty()) {
    Json calls = Json::MakeArray();
    for (std::size_t i = 0; i < answer.calls.size(); ++i) {
      const auto& call = answer.calls[i];
      calls.Push(Json::MakeObject(
          {{"id", IdOf(call, "call_", number, i)},
           {"type", "function"},
           {"function", Json::MakeObject({{"name", call.name}, {"arguments", call.arguments}})}}));
    }
    message.Set("tool_calls", std::move(calls));
  }
  const char* fitting = answer.calls.empty() ? "stop" : "tool_calls";
  Json choice =
      Json::MakeObject({{"index", 0},
                        {"finish_reason", answer.stop.empty() ? fitting : answer.stop.c_str()},
                        {"message", std::move(message)}});
  Json choices = Json::MakeArray();
  choices.Push(std::move(choice));
  return Json::MakeObject(
      {{"id", "chatcmpl-" + std::to_string(number)},
       {"object", "chat.completion"},
       {"choices", std::move(choices)},
       {"usage", Json::MakeObject(
                     {{"prompt_tokens", 11}, {"completion_tokens", 7}, {"total_tokens", 18}})}});
}

Json AnthropicBody(const ModelAnswer& answer, std::size_t number) {
  Json content = answer.thinking.IsArray() ? answer.thinking : Json::MakeArray();
  if (!answer.text.empty()) {
    content.Push(Json::MakeObject({{"type", "text"}, {"text", answer.text}}));
  }
  for (std::size_t i = 0; i < answer.calls.size(); ++i) {
    const auto& call = answer.calls[i];
    router::JsonParsed input = router::ParseJson(call.arguments);
    content.Push(Json::MakeObject({{"type", "tool_use"},
                                   {"id", IdOf(call, "toolu_", number, i)},
                                   {"name", call.name},
                                   {"input", input.value           ? *std::move(input.value)
                                             : answer.keeps_broken ? Json(call.arguments)
                                                                   : Json::MakeObject()}}));
  }
  const char* fitting = answer.calls.empty() ? "end_turn" : "tool_use";
  return Json::MakeObject(
      {{"id", "msg_" + std::to_string(number)},
       {"type", "message"},
       {"role", "assistant"},
       {"content", std::move(content)},
       {"stop_reason", answer.stop.empty() ? fitting : answer.stop.c_str()},
       {"usage", Json::MakeObject({{"input_tokens", 11}, {"output_tokens", 7}})}});
}

Json ErrorBody(bool anthropic, const std::string& code, const std::string& message) {
  Json error = Json::MakeObject({{"message", message}, {"type", code}});
  if (!anthropic) {
    error.Set("code", code);
    return Json::MakeObject({{"error", std::move(error)}});
  }
  return Json::MakeObject({{"type", "error"}, {"error", std::move(error)}});
}

}  // namespace writ::tests
