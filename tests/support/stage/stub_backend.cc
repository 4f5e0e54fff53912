#include "tests/support/stage/stub_backend.h"

#include <utility>

#include "connectors/backend/webhook_signature.h"

namespace writ::tests {

using bot::Request;
using bot::Response;
using router::Json;

namespace {

constexpr const char* kSecret = "whsec_dGhlIHNlY3JldCBvZiB0aGUgYXBwJ3Mgb3duIHNlcnZlcg==";

std::string Key() { return connectors::WebhookKeyOf(kSecret).value(); }

// A request is signed as an answer is.
bool IsSigned(const Request& request, router::TimePoint now) {
  const std::string* id = request.Header("webhook-id");
  return id != nullptr &&
         !connectors::WhyNotSigned(Key(), *id, now, {200, request.headers, request.body});
}

}  // namespace

StubBackend::StubBackend() : does_([](const Json&) { return Reply{}; }) {
  bot::ServerOptions options;
  options.workers = 8;
  server_ = std::make_unique<bot::Server>(
      options, [this](const Request& request) { return Handle(request); }, log_);
  server_->Start();
}

StubBackend::~StubBackend() { server_->Stop(); }

Json StubBackend::Callback(const std::string& path) const {
  return Json::MakeObject(
      {{"url", "http://127.0.0.1:" + std::to_string(server_->port()) + path}, {"secret", kSecret}});
}

void StubBackend::Answer(Does does) {
  const std::lock_guard lock(mutex_);
  does_ = std::move(does);
}

std::vector<Json> StubBackend::Asked() const {
  const std::lock_guard lock(mutex_);
  return asked_;
}

std::vector<std::string> StubBackend::Traces() const {
  const std::lock_guard lock(mutex_);
  return traces_;
}

Response StubBackend::Handle(const Request& request) {
  Response response;
  const auto question = router::ParseJson(request.body).value;
  if (!question || !IsSigned(request, clock_.Now())) {
    response.status = 401;
    return response;
  }
  const std::string* trace = request.Header("traceparent");
  Does does;
  {
    const std::lock_guard lock(mutex_);
    asked_.push_back(*question);
    traces_.push_back(trace != nullptr ? *trace : "");
    does = does_;
  }
  Reply reply = does(*question);
  for (const char* repeated : {"approval_id", "args_digest"}) {
    if (reply.answer.Find(repeated) == nullptr) {
      reply.answer.Set(repeated, question->TextAt(repeated));
    }
  }
  response.status = reply.status;
  response.content_type = "application/json";
  response.body = reply.echoes ? request.body : reply.answer.Dump();
  if (reply.echoes) {
    for (const char* name : {"webhook-id", "webhook-timestamp", "webhook-signature"}) {
      response.headers.emplace_back(name, *request.Header(name));
    }
  } else if (reply.signs) {
    response.headers = connectors::WebhookHeaders(Key(), *request.Header("webhook-id"),
                                                  clock_.Now(), response.body);
  }
  return response;
}

StubBackend::Reply Decides(const std::string& decision) {
  return {.answer = Json::MakeObject({{"decision", decision}})};
}

}  // namespace writ::tests
