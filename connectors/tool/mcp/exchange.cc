#include "connectors/tool/mcp/exchange.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "connectors/http/ascii.h"

namespace writ::connectors {
namespace {

using router::HttpFailure;
using router::HttpOutcome;
using router::HttpRequest;
using router::HttpResponse;
using router::Json;
using std::chrono::milliseconds;

constexpr int kMaxResumes = 3;
// Each question of the server costs a request of ours.
constexpr int kMostAsked = 100;
constexpr milliseconds kLongestRetry{10000};

bool IsSuccess(int status) { return status >= 200 && status < 300; }

bool IsEventStream(const router::HttpHeaders& headers) {
  const auto type = std::find_if(headers.begin(), headers.end(),
                                 [](const auto& header) { return header.first == "content-type"; });
  return type != headers.end() && InLowerCase(type->second).starts_with("text/event-stream");
}

// The JSON-RPC error that a reply holds, or null.
Json ErrorIn(std::string_view body) {
  for (Incoming& message : ReadIncoming(body)) {
    if (message.kind == Incoming::Kind::kError) return std::move(message.payload);
  }
  return {};
}

}  // namespace

Exchange::Exchange(router::HttpClient& http, const router::Clock& clock, Post post,
                   OnOther on_other, std::stop_token stop, Done done)
    : http_(http),
      clock_(clock),
      post_(std::move(post)),
      on_other_(std::move(on_other)),
      pass_on_stop_(std::move(stop), [source = stop_]() mutable { source.request_stop(); }),
      done_(std::move(done)),
      deadline_(clock.Steady() + post_.timeout),
      last_deadline_(clock.Steady() + std::max(post_.timeout, post_.longest)) {}

void Exchange::Start() {
  HttpRequest request;
  request.method = "POST";
  request.url = post_.url;
  request.headers = post_.headers;
  request.headers.emplace_back("content-type", "application/json");
  // Both, or the server may say 406.
  request.headers.emplace_back("accept", "application/json, text/event-stream");
  request.body = post_.body;
  request.once = post_.once;
  Send(std::move(request));
  if (last_deadline_ > deadline_) WatchDeadline();
}

// The transfer itself may take as long as progress can prolong it.
void Exchange::WatchDeadline() {
  http_.After(std::max(Left(), milliseconds{1}), stop_.get_token(), [weak = weak_from_this()] {
    const auto self = weak.lock();
    if (!self || self->stop_.stop_requested()) return;
    if (self->Left() > milliseconds{0}) return self->WatchDeadline();
    self->stop_.request_stop();
  });
}

void Exchange::TakeProgress() {
  deadline_ = std::max(deadline_, std::min(clock_.Steady() + post_.timeout, last_deadline_));
}

void Exchange::Send(HttpRequest request) {
  const auto whole = std::chrono::floor<milliseconds>(last_deadline_ - clock_.Steady());
  request.timeout = std::max(whole, milliseconds{1});
  request.max_response_bytes = post_.max_response_bytes;
  const auto self = shared_from_this();
  request.on_headers = [self](int status, const router::HttpHeaders& headers) {
    self->TakeHead(status, headers);
  };
  request.on_data = [self](std::string_view bytes) { return self->TakeBytes(bytes); };
  http_.Send(std::move(request), stop_.get_token(),
             [self](HttpOutcome outcome) { self->End(std::move(outcome)); });
}

void Exchange::TakeHead(int status, const router::HttpHeaders& headers) {
  if (!IsSuccess(status)) return;
  headers_ = headers;
  form_ = IsEventStream(headers) ? Form::kEvents : Form::kJson;
  events_ = SseReader();
}

bool Exchange::TakeBytes(std::string_view bytes) {
  if (form_ == Form::kJson) {
    json_.append(bytes);
    return true;
  }
  // An event without data carries an id alone (the first one does at many servers).
  const auto progress = events_.Feed(
      bytes, [this](const SseEvent& event) { return event.data.empty() || TakeText(event.data); });
  if (!events_.last_event_id().empty()) last_event_id_ = events_.last_event_id();
  if (events_.retry()) retry_ = std::min(*events_.retry(), kLongestRetry);
  return progress == SseReader::Progress::kMore;
}

// false: the answer is there.
bool Exchange::TakeText(std::string_view text) {
  for (Incoming& message : ReadIncoming(text)) {
    if (Answers(message, post_.id)) {
      answer_ = std::move(message);
      continue;
    }
    if (ProgressOf(message) == post_.id) TakeProgress();
    const bool too_many = message.kind == Incoming::Kind::kRequest && ++asked_ > kMostAsked;
    if (on_other_ && !too_many) on_other_(message);
  }
  return !answer_.has_value();
}

void Exchange::End(HttpOutcome outcome) {
  if (const auto* failure = std::get_if<HttpFailure>(&outcome)) {
    // A stop or a break that comes after the answer takes nothing from it.
    if (answer_) return EndOfBody();
    if (resumed_ == 0 && failure->kind == HttpFailure::Kind::kNotSent) {
      return Finish(McpAnswer::Kind::kNotSent, failure->what);
    }
    if (stop_.stop_requested() || failure->kind == HttpFailure::Kind::kTimedOut) {
      return Finish(McpAnswer::Kind::kAbandoned, failure->what);
    }
    return ResumeOrGiveUp(failure->what);
  }
  auto& response = std::get<HttpResponse>(outcome);
  if (IsSuccess(response.status)) return EndOfBody();
  if (resumed_ > 0) {
    return Finish(McpAnswer::Kind::kLost,
                  "the stream could not be resumed: status " + std::to_string(response.status));
  }
  McpAnswer answer;
  answer.kind = McpAnswer::Kind::kStatus;
  answer.status = response.status;
  answer.body = std::move(response.body);
  answer.payload = ErrorIn(answer.body);
  answer.headers = std::move(response.headers);
  answer.what = WordsOfStatus(answer.status, answer.headers);
  done_(std::move(answer));
}

void Exchange::EndOfBody() {
  if (form_ == Form::kJson && !answer_) TakeText(std::exchange(json_, {}));
  if (!answer_) return ResumeOrGiveUp("the reply held no answer");
  McpAnswer answer;
  answer.kind =
      answer_->kind == Incoming::Kind::kResult ? McpAnswer::Kind::kResult : McpAnswer::Kind::kError;
  answer.payload = std::move(answer_->payload);
  answer.headers = std::move(headers_);
  done_(std::move(answer));
}

void Exchange::ResumeOrGiveUp(const std::string& why) {
  if (!post_.resumable || last_event_id_.empty() || resumed_ >= kMaxResumes || retry_ >= Left()) {
    return Finish(McpAnswer::Kind::kLost, why);
  }
  ++resumed_;
  http_.After(retry_, stop_.get_token(), [self = shared_from_this()] { self->Resume(); });
}

void Exchange::Resume() {
  if (stop_.stop_requested()) return Finish(McpAnswer::Kind::kAbandoned, "stopped");
  if (Left() <= milliseconds{0}) return Finish(McpAnswer::Kind::kAbandoned, "out of time");
  HttpRequest request;
  request.url = post_.url;
  request.headers = post_.headers;
  request.headers.emplace_back("accept", "text/event-stream");
  request.headers.emplace_back("last-event-id", last_event_id_);
  Send(std::move(request));
}

milliseconds Exchange::Left() const {
  return std::chrono::floor<milliseconds>(deadline_ - clock_.Steady());
}

void Exchange::Finish(McpAnswer::Kind kind, std::string what) {
  McpAnswer answer;
  answer.kind = kind;
  answer.what = std::move(what);
  done_(std::move(answer));
}

}  // namespace writ::connectors
