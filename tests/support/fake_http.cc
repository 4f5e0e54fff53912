#include "tests/support/fake_http.h"

#include <algorithm>
#include <string_view>
#include <variant>

namespace writ::tests {

using router::HttpFailure;
using router::HttpHeaders;
using router::HttpOutcome;
using router::HttpRequest;
using router::HttpResponse;

void FakeHttp::Send(HttpRequest request, std::stop_token stop, Done done) {
  sent_.push_back(request);
  waiting_.push_back({std::move(request), std::move(stop), std::move(done)});
}

void FakeHttp::After(std::chrono::milliseconds delay, std::stop_token stop,
                     std::function<void()> then) {
  timers_.push_back({now_ + delay, std::move(stop), std::move(then)});
}

void FakeHttp::Run() {
  while (StopOneHanging() || RunOneRequest() || RunOneTimer()) {
  }
}

void FakeHttp::Advance(std::chrono::milliseconds by) {
  now_ += by;
  Run();
}

void FakeHttp::Finish(HttpOutcome outcome) {
  Exchange exchange = std::move(hanging_.front());
  hanging_.pop_front();
  Deliver(std::move(exchange), {std::move(outcome), {}});
  Run();
}

std::vector<std::chrono::milliseconds> FakeHttp::timers() const {
  std::vector<std::chrono::milliseconds> left;
  for (const Timer& timer : timers_) left.push_back(timer.due - now_);
  return left;
}

bool FakeHttp::RunOneRequest() {
  if (waiting_.empty()) return false;
  Exchange exchange = std::move(waiting_.front());
  waiting_.pop_front();
  if (exchange.stop.stop_requested()) {
    exchange.done(HttpFailure{HttpFailure::Kind::kNotSent, "stopped"});
    return true;
  }
  std::optional<Planned> outcome = OutcomeFor(exchange.request);
  if (outcome) {
    Deliver(std::move(exchange), *std::move(outcome));
  } else {
    hanging_.push_back(std::move(exchange));
  }
  return true;
}

bool FakeHttp::StopOneHanging() {
  const auto stopped = std::find_if(hanging_.begin(), hanging_.end(), [](const Exchange& exchange) {
    return exchange.stop.stop_requested();
  });
  if (stopped == hanging_.end()) return false;
  Exchange exchange = std::move(*stopped);
  hanging_.erase(stopped);
  exchange.done(HttpFailure{HttpFailure::Kind::kCancelled, "stopped"});
  return true;
}

bool FakeHttp::RunOneTimer() {
  const auto ready = std::find_if(timers_.begin(), timers_.end(), [this](const Timer& timer) {
    return timer.due <= now_ || timer.stop.stop_requested();
  });
  if (ready == timers_.end()) return false;
  const std::function<void()> then = std::move(ready->then);
  timers_.erase(ready);
  then();
  return true;
}

std::optional<FakeHttp::Planned> FakeHttp::OutcomeFor(const HttpRequest& request) {
  if (!queued_.empty()) {
    Planned planned = std::move(queued_.front());
    queued_.pop_front();
    return planned;
  }
  if (!script_) return Planned{HttpFailure{HttpFailure::Kind::kNotSent, "nobody listens"}, {}};
  std::optional<HttpOutcome> outcome = script_(request);
  return outcome ? std::optional(Planned{*std::move(outcome), {}}) : std::nullopt;
}

void FakeHttp::QueueBroken(HttpResponse begun, HttpFailure::Kind then) {
  queued_.push_back({std::move(begun), then});
}

void FakeHttp::Deliver(Exchange exchange, Planned planned) const {
  HttpOutcome& outcome = planned.outcome;
  auto* response = std::get_if<HttpResponse>(&outcome);
  const HttpRequest& request = exchange.request;
  if (response != nullptr) {
    if (request.on_headers) request.on_headers(response->status, response->headers);
    const bool good = response->status >= 200 && response->status < 300;
    if (good && request.on_data) {
      const std::string body = std::exchange(response->body, {});
      const std::size_t piece = piece_ == 0 ? std::max<std::size_t>(body.size(), 1) : piece_;
      for (std::size_t at = 0; at < body.size(); at += piece) {
        if (!request.on_data(std::string_view(body).substr(at, piece))) break;
      }
    }
  }
  exchange.done(planned.then ? HttpFails(*planned.then) : std::move(outcome));
}

HttpOutcome HttpReply(int status, std::string body, HttpHeaders headers) {
  return HttpResponse{status, std::move(headers), std::move(body)};
}

HttpOutcome HttpFails(HttpFailure::Kind kind) { return HttpFailure{kind, "the network said no"}; }

}  // namespace writ::tests
