#include "tests/support/model_stub.h"

#include <sys/socket.h>

#include <algorithm>
#include <cerrno>

#include "tests/support/model_rules.h"
#include "tests/support/model_stream.h"
#include "tests/support/model_wire.h"

namespace writ::tests {

using bot::Request;
using bot::Response;
using router::Json;

bool ModelQuestion::Heard(const std::string& part) const {
  return std::any_of(said.begin(), said.end(),
                     [&](const std::string& text) { return text.find(part) != std::string::npos; });
}

ModelStub::ModelStub(Script script, int port) : script_(std::move(script)) {
  bot::ServerOptions options;
  options.port = port;
  options.max_body_bytes = std::size_t{32} << 20;
  server_ = std::make_unique<bot::Server>(
      options, [this](const Request& request) { return Handle(request); }, log_);
  server_->Start();
}

ModelStub::~ModelStub() {
  Release();
  GoOn();
  server_->Stop();
}

std::string ModelStub::openai_url() const { return anthropic_url() + "/v1"; }

std::string ModelStub::anthropic_url() const {
  return "http://127.0.0.1:" + std::to_string(server_->port());
}

void ModelStub::Hold() {
  const std::lock_guard lock(mutex_);
  held_ = true;
}

void ModelStub::Release() {
  const std::lock_guard lock(mutex_);
  held_ = false;
  changed_.notify_all();
}

std::vector<ModelQuestion> ModelStub::questions() const {
  const std::lock_guard lock(mutex_);
  return questions_;
}

std::vector<std::string> ModelStub::refusals() const {
  const std::lock_guard lock(mutex_);
  return refusals_;
}

bool ModelStub::WaitForQuestions(std::size_t count, std::chrono::milliseconds within) const {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, within, [&] { return questions_.size() >= count; });
}

Response ModelStub::Handle(const Request& request) {
  const bool anthropic = request.target == "/v1/messages";
  if (request.method != "POST" || (!anthropic && request.target != "/v1/chat/completions")) {
    return Refuse(anthropic, 404, "not_found_error", "no such endpoint: " + request.target);
  }
  if (anthropic && request.Header("x-api-key") == nullptr &&
      request.Header("authorization") == nullptr) {
    return Refuse(true, 401, "authentication_error", "x-api-key header is required");
  }
  if (anthropic && request.Header("anthropic-version") == nullptr) {
    return Refuse(true, 400, "invalid_request_error", "anthropic-version: header is required");
  }
  const router::JsonParsed body = router::ParseJson(request.body, {.max_depth = 1000});
  if (!body.value) return Refuse(anthropic, 400, "invalid_request_error", body.fault);
  const auto fault = anthropic ? AnthropicFault(*body.value) : OpenAiFault(*body.value);
  if (fault) return Refuse(anthropic, 400, "invalid_request_error", *fault);
  ModelQuestion question =
      anthropic ? ReadAnthropicQuestion(*body.value) : ReadOpenAiQuestion(*body.value);
  question.headers = request.headers;
  return Answer(std::move(question));
}

Response ModelStub::Answer(ModelQuestion question) {
  std::size_t number = 0;
  {
    std::unique_lock lock(mutex_);
    questions_.push_back(question);
    number = questions_.size();
    changed_.notify_all();
    changed_.wait(lock, [this] { return !held_; });
  }
  const ModelAnswer answer = script_(question);
  Response response;
  response.status = answer.status;
  response.headers = answer.headers;
  response.content_type = "application/json";
  if (answer.raw_body) {
    response.body = *answer.raw_body;
  } else if (answer.status != 200) {
    response.body = ErrorBody(question.anthropic, answer.error_code, "an error").Dump();
  } else {
    WriteReply(question, answer, number, response);
  }
  return response;
}

void ModelStub::WriteReply(const ModelQuestion& question, const ModelAnswer& answer,
                           std::size_t number, Response& response) {
  const Json body = question.anthropic ? AnthropicBody(answer, number) : OpenAiBody(answer, number);
  if (!question.body.BoolAt("stream").value_or(false) || answer.whole) {
    response.body = body.Dump();
    return;
  }
  std::vector<std::string> events = question.anthropic ? AnthropicEvents(body) : OpenAiEvents(body);
  if (answer.events) events.resize(std::min(*answer.events, events.size()));
  if (answer.error_event) events.push_back("data: " + *answer.error_event + "\n\n");
  response.content_type = "text/event-stream; charset=utf-8";
  if (!answer.pauses_after) {
    response.body = Joined(events);
    return;
  }
  const auto pause =
      events.begin() + static_cast<std::ptrdiff_t>(std::min(*answer.pauses_after, events.size()));
  response.body = Joined({events.begin(), pause});
  response.take_over = [this, rest = Joined({pause, events.end()})](bot::Socket socket) {
    const std::lock_guard lock(mutex_);
    paused_.push_back({std::move(socket), rest});
  };
}

namespace {

// What was sent before may still be unread; a client that is there has sent nothing more.
bool HasHungUp(int fd) {
  char byte = 0;
  const ssize_t got = recv(fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
  return got == 0 || (got < 0 && errno != EAGAIN && errno != EWOULDBLOCK);
}

}  // namespace

std::size_t ModelStub::GoOn() {
  const std::lock_guard lock(mutex_);
  std::size_t gone = 0;
  for (const Paused& paused : paused_) {
    const bool hung_up = HasHungUp(paused.socket.fd());
    if (hung_up) ++gone;
    if (hung_up) continue;
    // A few kilobytes fit into the socket's buffer.
    (void)send(paused.socket.fd(), paused.rest.data(), paused.rest.size(), MSG_NOSIGNAL);
  }
  paused_.clear();
  return gone;
}

bool ModelStub::WaitForHangUps(std::size_t count) const {
  std::unique_lock lock(mutex_);
  for (int tries = 0; tries < 1500; ++tries) {
    const auto gone = std::count_if(paused_.begin(), paused_.end(), [](const Paused& paused) {
      return HasHungUp(paused.socket.fd());
    });
    if (static_cast<std::size_t>(gone) >= count) return true;
    changed_.wait_for(lock, std::chrono::milliseconds(20));  // nothing tells of a hang-up
  }
  return false;
}

Response ModelStub::Refuse(bool anthropic, int status, const std::string& type,
                           const std::string& message) {
  {
    const std::lock_guard lock(mutex_);
    refusals_.push_back(message);
  }
  return bot::JsonResponse(status, ErrorBody(anthropic, type, message));
}

}  // namespace writ::tests
