#include "tests/support/stage/stub_model.h"

#include <algorithm>
#include <sstream>

#include "tests/support/model_stream.h"

namespace writ::tests {

using bot::JsonResponse;
using bot::Request;
using bot::Response;
using router::Json;

namespace {

// What is wrong with the conversation: providers refuse the whole request for it.
std::string FaultOf(const Json::Array& messages) {
  std::vector<std::string> open;
  for (const Json& message : messages) {
    const std::string role = message.TextAt("role");
    if (role == "tool") {
      const auto found = std::find(open.begin(), open.end(), message.TextAt("tool_call_id"));
      if (found == open.end()) return "a result of no call";
      open.erase(found);
      continue;
    }
    if (!open.empty()) return "a call without its result";
    const Json* calls = message.Find("tool_calls");
    if (calls != nullptr) {
      for (const Json& call : calls->array()) open.push_back(call.TextAt("id"));
    } else if (message.TextAt("content").empty()) {
      return "an empty " + role + " message";
    }
  }
  return open.empty() ? "" : "a call without its result at the end";
}

StubModel::Asked Read(Json body) {
  StubModel::Asked asked;
  const Json* messages = body.Find("messages");
  for (const Json& message : messages->array()) {
    const std::string role = message.TextAt("role");
    if (message.Find("tool_calls") != nullptr) {
      ++asked.rounds;
      asked.results.clear();
    } else if (role == "tool") {
      asked.results.push_back(message.TextAt("content"));
    } else if (role == "user" && asked.rounds == 0) {
      asked.text = message.TextAt("content");
    }
  }
  asked.body = std::move(body);
  return asked;
}

Json MessageOf(const StubModel::Reply& reply, int number) {
  Json message = Json::MakeObject(
      {{"role", "assistant"}, {"content", reply.text.empty() ? Json() : Json(reply.text)}});
  if (reply.calls.empty()) return message;
  Json calls = Json::MakeArray();
  for (const StubModel::Call& call : reply.calls) {
    const std::string id = !call.id.empty() ? call.id
                                            : "call_" + std::to_string(number) + "_" +
                                                  std::to_string(calls.array().size());
    calls.Push(Json::MakeObject(
        {{"id", id},
         {"type", "function"},
         {"function", Json::MakeObject({{"name", call.name}, {"arguments", call.arguments}})}}));
  }
  message.Set("tool_calls", std::move(calls));
  return message;
}

Response ErrorResponse(int status, const std::string& what, const std::string& retry_after) {
  Response response = JsonResponse(
      status,
      Json::MakeObject({{"error", Json::MakeObject({{"message", what}, {"type", "stub"}})}}));
  if (!retry_after.empty()) response.headers.emplace_back("Retry-After", retry_after);
  return response;
}

}  // namespace

StubModel::StubModel() {
  bot::ServerOptions options;
  options.workers = 16;  // a request that hangs occupies one
  options.max_body_bytes = std::size_t{32} << 20;
  server_ = std::make_unique<bot::Server>(
      options, [this](const Request& request) { return Answer(request); }, log_);
  server_->Start();
}

StubModel::~StubModel() {
  Release();
  server_->Stop();
}

std::string StubModel::Url() const {
  return "http://127.0.0.1:" + std::to_string(server_->port()) + "/v1";
}

void StubModel::When(std::string text, Does does) {
  const std::lock_guard lock(mutex_);
  rules_.emplace_back(std::move(text), std::move(does));
}

void StubModel::Release() {
  {
    const std::lock_guard lock(mutex_);
    released_ = true;
  }
  changed_.notify_all();
}

StubModel::Reply StubModel::ByDefault(const Asked& asked) {
  Reply reply;
  if (asked.rounds > 0) {
    for (const std::string& result : asked.results) {
      reply.text += (reply.text.empty() ? "Results: " : " | ") + result;
    }
    return reply;
  }
  std::istringstream lines(asked.text);
  for (std::string line; std::getline(lines, line);) {
    const auto at = line.find('!');
    const auto space = line.find(' ', at);
    if (at == std::string::npos || space == std::string::npos) continue;
    if (at != 0 && line.compare(at - 2, 2, ": ") != 0) continue;  // after a label, or at its start
    reply.calls.push_back({line.substr(at + 1, space - at - 1), line.substr(space + 1)});
  }
  if (reply.calls.empty()) reply.text = "You said: " + asked.text;
  return reply;
}

std::vector<StubModel::Asked> StubModel::AskedAbout(std::string_view text) const {
  const std::lock_guard lock(mutex_);
  std::vector<Asked> found;
  for (const Asked& asked : asked_) {
    if (asked.text.find(text) != std::string::npos) found.push_back(asked);
  }
  return found;
}

std::vector<std::string> StubModel::faults() const {
  const std::lock_guard lock(mutex_);
  return faults_;
}

Response StubModel::Answer(const Request& request) {
  auto body = router::ParseJson(request.body).value;
  if (!body || body->Find("messages") == nullptr) return ErrorResponse(400, "no messages", "");
  if (std::string fault = FaultOf(body->Find("messages")->array()); !fault.empty()) {
    const std::lock_guard lock(mutex_);
    faults_.push_back(fault);
    return ErrorResponse(400, fault, "");
  }
  Asked asked = Read(*std::move(body));
  if (const std::string* trace = request.Header("traceparent")) asked.trace = *trace;
  Does does = ByDefault;
  int number = 0;
  {
    const std::lock_guard lock(mutex_);
    asked_.push_back(asked);
    number = ++replies_;
    for (const auto& [text, rule] : rules_) {
      if (asked.text.find(text) != std::string::npos) does = rule;
    }
  }
  const Reply reply = does(asked);
  if (reply.hangs) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return released_; });
  }
  if (reply.status != 200) return ErrorResponse(reply.status, "out of order", reply.retry_after);
  Json choice = Json::MakeObject({{"index", 0},
                                  {"message", MessageOf(reply, number)},
                                  {"finish_reason", reply.calls.empty() ? "stop" : "tool_calls"}});
  Json choices = Json::MakeArray();
  choices.Push(std::move(choice));
  Json whole = Json::MakeObject({{"id", "chatcmpl-" + std::to_string(number)},
                                 {"object", "chat.completion"},
                                 {"model", "stub"},
                                 {"choices", std::move(choices)}});
  if (reply.tokens > 0) {
    whole.Set("usage",
              Json::MakeObject({{"prompt_tokens", reply.tokens}, {"completion_tokens", 0}}));
  }
  if (asked.body.BoolAt("stream") != true) return JsonResponse(200, whole);
  Response stream;
  stream.content_type = "text/event-stream";
  stream.body = Joined(OpenAiEvents(whole));
  return stream;
}

}  // namespace writ::tests
