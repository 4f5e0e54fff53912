#include "connectors/model/asking.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>
#include <variant>

#include "connectors/http/retry.h"
#include "connectors/model/leave_out.h"
#include "connectors/model/transcript.h"
#include "router/base/digest.h"
#include "router/base/text.h"
#include "router/base/trace.h"

namespace writ::connectors {
namespace {

using router::HttpFailure;
using router::HttpOutcome;
using router::HttpResponse;
using router::ModelFailure;
using router::ModelReply;
using std::chrono::milliseconds;

// A longer wait is nonsense for somebody who waits in a chat: then our own back-off counts.
constexpr milliseconds kLongestAskedWait{60000};
// A stream is mostly wrapping: a piece of a few letters comes in some hundred bytes.
constexpr std::size_t kMaxStreamBytes = std::size_t{64} << 20;
constexpr int kMorePatience = 2;

std::uint64_t RandomBits() {
  const std::string bytes = router::RandomBytes(sizeof(std::uint64_t));
  std::uint64_t bits = 0;
  std::memcpy(&bits, bytes.data(), sizeof bits);
  return bits;
}

std::optional<milliseconds> AskedWait(const HttpResponse& response, router::TimePoint now) {
  const auto wait = RetryAfterOf(response, now, kLongestAskedWait + milliseconds{1});
  return wait && *wait <= kLongestAskedWait ? wait : std::nullopt;
}

}  // namespace

Asking::Asking(World world, const ModelOptions& options, const Dialect& dialect,
               router::ModelRequest request, std::stop_token stop, Done done)
    : world_(world),
      options_(options),
      dialect_(dialect),
      request_(std::move(request)),
      stop_(std::move(stop)),
      done_(std::move(done)),
      deadline_(world.clock.Steady() + request_.time_left) {}

void Asking::Start(router::HttpRequest first) {
  if (Left() > milliseconds{0}) {
    Send(std::move(first));
  } else {
    world_.http.After(milliseconds{0}, stop_, [self = shared_from_this()] { self->Try(); });
  }
}

void Asking::Try() {
  if (stop_.stop_requested()) return Fail(ModelFailure::Kind::kCancelled, "cancelled");
  if (Left() <= milliseconds{0}) return Fail(ModelFailure::Kind::kUnavailable, "no time left");
  Send(dialect_.Write(request_, patience_).request);
}

void Asking::Send(router::HttpRequest request) {
  // 0 would be no limit at all.
  request.timeout = std::max(std::min(options_.timeout, Left()), milliseconds{1});
  if (!request_.trace.empty()) request.headers.emplace_back("traceparent", request_.trace);
  request.max_response_bytes = options_.stream ? kMaxStreamBytes : kMaxReplyBytes;
  if (options_.stream) {
    request.idle_timeout = options_.idle_timeout;
    incoming_ = std::make_unique<IncomingReply>(dialect_);
    tell_anew_ = tell_anew_ || told_ > 0;
    told_ = 0;
    request.on_data = [self = shared_from_this()](std::string_view bytes) {
      return self->TakeBytes(bytes);
    };
  }
  world_.http.Send(std::move(request), stop_, [self = shared_from_this()](HttpOutcome outcome) {
    self->Take(std::move(outcome));
  });
}

void Asking::Take(HttpOutcome outcome) {
  if (stop_.stop_requested()) return Fail(ModelFailure::Kind::kCancelled, "cancelled");
  if (const auto* failure = std::get_if<HttpFailure>(&outcome)) return TakeFailure(*failure);
  const auto& response = std::get<HttpResponse>(outcome);
  if (response.status >= 200 && response.status < 300) return TakeReply(response);
  TakeError(ReadErrorReply(response), response);
}

bool Asking::TakeBytes(std::string_view bytes) {
  const bool more = incoming_->Take(bytes);
  const std::string& text = incoming_->text();
  if (request_.on_delta && text.size() > told_) {
    request_.on_delta({text.substr(told_), std::exchange(tell_anew_, false)});
    told_ = text.size();
  }
  return more;
}

void Asking::TakeReply(const HttpResponse& response) {
  std::optional<Dialect::Read> read =
      incoming_ ? incoming_->Finish() : dialect_.ReadReply(response.body);
  if (!read) return TakeNoReply(response);
  used_.input_tokens += read->reply.usage.input_tokens;
  used_.output_tokens += read->reply.usage.output_tokens;
  if (AskOnceMore(*read)) return Try();
  read->reply.usage = used_;
  TellOf(*read, response);
  done_(std::move(read->reply));
}

void Asking::TakeNoReply(const HttpResponse& response) {
  if (incoming_ && incoming_->is_too_large()) {
    return Fail(ModelFailure::Kind::kUnavailable, "the reply is too large");
  }
  const std::string& came = incoming_ ? incoming_->instead_of_reply() : response.body;
  if (const auto error = ReadErrorInSuccess(came, response)) return TakeError(*error, response);
  TryAgain("no whole reply in the body" + RequestIdOf(response), std::nullopt);
}

void Asking::TellOf(const Dialect::Read& read, const HttpResponse& response) const {
  world_.log.Info("model.replied",
                  {{"model", options_.name},
                   {"calls", std::to_string(read.reply.calls.size())},
                   {"calls_left_out", std::to_string(read.calls_left_out)},
                   {"input_tokens", std::to_string(read.reply.usage.input_tokens)},
                   {"output_tokens", std::to_string(read.reply.usage.output_tokens)},
                   {"failed_tries", std::to_string(failed_tries_)},
                   {"request", WithoutKey(std::string(router::Trim(RequestIdOf(response))))},
                   {"trace_id", router::TraceIdOf(request_.trace)}});
}

// An empty reply comes mostly after results: new words of somebody help. A call that was cut off
// does not run; more room helps. Once: what comes then is for the core to judge.
bool Asking::AskOnceMore(const Dialect::Read& read) {
  const ModelReply& reply = read.reply;
  const bool cut_call = read.cut_call && reply.calls.size() == 1;
  const bool empty =
      reply.stop == ModelReply::Stop::kEnd && reply.calls.empty() && IsBlank(reply.text);
  if (asked_once_more_ || (!cut_call && !empty)) return false;
  asked_once_more_ = true;
  if (cut_call) {
    patience_ = kMorePatience;
  } else {
    request_.transcript.emplace_back(router::Said{router::Said::Who::kPeople, std::string(kGoOn)});
  }
  world_.log.Info("model.asked_once_more", {{"model", options_.name},
                                            {"why", cut_call ? "a call was cut off" : "empty"},
                                            {"trace_id", router::TraceIdOf(request_.trace)}});
  return true;
}

void Asking::TakeError(const ErrorReply& error, const HttpResponse& response) {
  switch (error.kind) {
    case ErrorReply::Kind::kPassing:
      return TryAgain(error.what, AskedWait(response, world_.clock.Now()));
    case ErrorReply::Kind::kTooLong:
      return LeaveOut(error.what);
    case ErrorReply::Kind::kFinal:
      return Fail(
          response.status >= 500 ? ModelFailure::Kind::kUnavailable : ModelFailure::Kind::kRefused,
          error.what);
  }
}

// The command itself, the instructions and the running turn's calls stay.
void Asking::LeaveOut(const std::string& why) {
  const std::optional<LeftOut> left_out = LeaveOutOldest(request_, times_left_out_ > 0);
  if (!left_out) return Fail(ModelFailure::Kind::kTooLong, why);
  ++times_left_out_;
  world_.log.Warn("model.history_left_out",
                  {{"model", options_.name},
                   {"why", WithoutKey(why)},
                   {"entries_left_out", std::to_string(left_out->entries)},
                   {"results_cut", std::to_string(left_out->results)},
                   {"entries_left", std::to_string(request_.transcript.size())},
                   {"trace_id", router::TraceIdOf(request_.trace)}});
  Try();
}

void Asking::TakeFailure(const HttpFailure& failure) {
  switch (failure.kind) {
    case HttpFailure::Kind::kNotSent:
    case HttpFailure::Kind::kTimedOut:
    case HttpFailure::Kind::kBroken:
      return TryAgain(failure.what, std::nullopt);
    case HttpFailure::Kind::kTooLarge:
      return Fail(ModelFailure::Kind::kUnavailable, "the reply is too large");
    case HttpFailure::Kind::kCancelled:
      return Fail(ModelFailure::Kind::kCancelled, "cancelled");
  }
}

void Asking::TryAgain(const std::string& why, std::optional<milliseconds> asked) {
  if (failed_tries_ >= options_.retries) return Fail(ModelFailure::Kind::kUnavailable, why);
  const milliseconds wait = asked ? *asked : BackoffDelay({}, failed_tries_, RandomBits());
  ++failed_tries_;
  if (wait >= Left()) {
    return Fail(ModelFailure::Kind::kUnavailable, why + "; no time left for another try");
  }
  world_.log.Warn("model.try_failed", {{"model", options_.name},
                                       {"why", WithoutKey(why)},
                                       {"wait_ms", std::to_string(wait.count())},
                                       {"trace_id", router::TraceIdOf(request_.trace)}});
  world_.http.After(wait, stop_, [self = shared_from_this()] { self->Try(); });
}

milliseconds Asking::Left() const {
  return std::chrono::floor<milliseconds>(deadline_ - world_.clock.Steady());
}

void Asking::Fail(ModelFailure::Kind kind, const std::string& what) {
  done_(ModelFailure{kind, WithoutKey("model " + options_.name + ": " + what)});
}

// A provider may give back what it was sent, as a code or as the id of a request. What stands in
// the key's place is not looked at again: a key may be part of it.
std::string Asking::WithoutKey(const std::string& text) const {
  const std::string& key = options_.api_key;
  if (key.empty()) return text;
  std::string without;
  std::size_t begin = 0;
  for (auto at = text.find(key); at != std::string::npos; at = text.find(key, begin)) {
    without.append(text, begin, at - begin).append("(the key)");
    begin = at + key.size();
  }
  return without.append(text, begin);
}

}  // namespace writ::connectors
