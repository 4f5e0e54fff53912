#include "connectors/http/curl_loop.h"

#include <pthread.h>

#include <algorithm>
#include <csignal>
#include <utility>
#include <variant>

#include "connectors/http/request_check.h"

namespace writ::connectors {
namespace {

using router::HttpFailure;
using router::HttpOutcome;
using std::chrono::milliseconds;
using Steady = std::chrono::steady_clock;

router::SteadyPoint FromNow(milliseconds delay) {
  constexpr milliseconds kLongest = std::chrono::hours(24 * 365);  // no overflow
  return Steady::now() + std::clamp(delay, milliseconds(0), kLongest);
}

HttpOutcome NotSent(const std::string& why) {
  return HttpFailure{HttpFailure::Kind::kNotSent, why};
}

}  // namespace

CurlLoop::Running::Running(Id id, Arrival& arrival, std::string origin)
    : transfer(id, std::move(arrival.request), std::move(origin)),
      stop(std::move(arrival.stop)),
      done(std::move(arrival.done)) {}

CurlLoop::CurlLoop(const CurlEnvironment& /*environment*/, CurlLoopOptions options)
    : options_(std::move(options)),
      multi_(mailbox_.fd()),
      slots_(options_.limits),
      thread_([this] { Run(); }) {}

CurlLoop::~CurlLoop() {
  mailbox_.Post([this] { ending_ = true; });
  thread_.join();
}

void CurlLoop::Send(router::HttpRequest request, std::stop_token stop, Done done) {
  Arrival arrival{std::move(request), std::move(stop), std::move(done), std::nullopt};
  if (arrival.request.timeout.count() > 0) arrival.deadline = FromNow(arrival.request.timeout);
  mailbox_.Post([this, arrival = std::move(arrival)]() mutable { Accept(arrival); });
}

void CurlLoop::After(milliseconds delay, std::stop_token stop, std::function<void()> then) {
  mailbox_.Post([this, due = FromNow(delay), stop = std::move(stop),
                 then = std::move(then)]() mutable { Delay(due, stop, std::move(then)); });
}

void CurlLoop::Run() {
  // OpenSSL writes with write(2): a peer that is gone would raise it.
  sigset_t broken_pipe;
  sigemptyset(&broken_pipe);
  sigaddset(&broken_pipe, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &broken_pipe, nullptr);
  pthread_setname_np(pthread_self(), "writ-http");
  while (!ending_) Step();
  Drain();
}

void CurlLoop::Step() {
  for (Mailbox::Task& task : mailbox_.Take()) task();
  if (ending_) return;
  timers_.Run(Steady::now());
  StartWhatMay();
  multi_.WaitAndAct(timers_.next());
  for (const CurlMulti::Finished& finished : multi_.TakeFinished()) {
    Running& running = transfers_.at(Transfer::Of(finished.easy).id());
    End(running, running.transfer.Finished(finished.code));
  }
}

void CurlLoop::Drain() {
  while (true) {
    while (!transfers_.empty()) {
      Abandon(transfers_.begin()->first, HttpFailure::Kind::kCancelled, "the client has ended");
    }
    while (!delayed_.empty()) Fire(delayed_.begin()->first);
    std::vector<Mailbox::Task> tasks = mailbox_.Take();
    if (tasks.empty()) return;
    for (Mailbox::Task& task : tasks) task();
  }
}

void CurlLoop::Accept(Arrival& arrival) {
  if (ending_) return arrival.done(NotSent("the client has ended"));
  if (arrival.stop.stop_requested()) return arrival.done(NotSent("stopped before it was sent"));
  auto checked = CheckRequest(arrival.request);
  if (const auto* bad = std::get_if<BadRequest>(&checked)) {
    return arrival.done(NotSent("request refused: " + bad->why));
  }
  std::string& origin = std::get<Target>(checked).origin;
  const Id id = ++last_id_;
  if (!slots_.Admit(origin, id)) {
    return arrival.done(NotSent(arrival.request.method + " " + origin + ": the queue is full"));
  }
  Running& running = transfers_.try_emplace(id, id, arrival, std::move(origin)).first->second;
  if (arrival.deadline) {
    running.deadline = timers_.Set(*arrival.deadline, [this, id] {
      Abandon(id, HttpFailure::Kind::kTimedOut, "no whole reply within its time");
    });
  }
  // Runs on the thread that requests the stop, or right here: so it only leaves word.
  running.on_stop.emplace(running.stop, [this, id] {
    mailbox_.Post([this, id] { Abandon(id, HttpFailure::Kind::kCancelled, "stopped"); });
  });
}

void CurlLoop::StartWhatMay() {
  // Again and again: one that cannot start makes room for the next.
  for (auto ids = slots_.TakeStartable(); !ids.empty(); ids = slots_.TakeStartable()) {
    for (const Id id : ids) {
      const auto found = transfers_.find(id);
      if (found != transfers_.end()) Start(found->second);
    }
  }
}

void CurlLoop::Start(Running& running) {
  Transfer& transfer = running.transfer;
  // Called from within libcurl: it takes a note and calls nothing of it.
  const auto may_begin = [this, &running] {
    if (running.stop.stop_requested()) return false;
    if (!running.transfer.begun()) slots_.Connected(running.transfer.origin());
    return true;
  };
  if (!transfer.Prepare(options_.transfer, may_begin) || !multi_.Add(transfer.easy())) {
    return End(running, transfer.Abandoned(HttpFailure::Kind::kNotSent, "out of memory"));
  }
  if (transfer.request().idle_timeout.count() > 0) CheckIdle(transfer.id());
}

// The timer is not moved with each byte: it looks, once it is due, how long ago the last one came.
void CurlLoop::CheckIdle(Id id) {
  Running& running = transfers_.at(id);
  const milliseconds limit = running.transfer.request().idle_timeout;
  router::SteadyPoint due = FromNow(limit);
  if (running.transfer.begun()) {
    due = running.transfer.last_byte() + limit;
    if (due <= Steady::now()) {
      return Abandon(id, HttpFailure::Kind::kTimedOut, "no byte within its time");
    }
  }
  running.idle = timers_.Set(due, [this, id] { CheckIdle(id); });
}

void CurlLoop::Abandon(Id id, HttpFailure::Kind kind, const char* why) {
  const auto found = transfers_.find(id);
  if (found == transfers_.end()) return;  // it ended first
  End(found->second, found->second.transfer.Abandoned(kind, why));
}

void CurlLoop::End(Running& running, HttpOutcome outcome) {
  const Id id = running.transfer.id();
  if (running.transfer.easy() != nullptr) multi_.Remove(running.transfer.easy());
  timers_.Cancel(running.deadline);
  timers_.Cancel(running.idle);
  slots_.Ended(running.transfer.origin(), id, running.transfer.begun());
  const Done done = std::move(running.done);
  // Before `done`, which may do anything. A stop that is being requested right now is waited for
  // here; what it leaves in the mailbox finds nothing.
  transfers_.erase(id);
  done(std::move(outcome));
}

void CurlLoop::Delay(router::SteadyPoint due, const std::stop_token& stop,
                     std::function<void()> then) {
  if (ending_) return;
  const Id id = ++last_id_;
  Delayed& delayed = delayed_[id];
  delayed.then = std::move(then);
  delayed.timer = timers_.Set(due, [this, id] { Fire(id); });
  delayed.on_stop.emplace(stop, [this, id] { mailbox_.Post([this, id] { Fire(id); }); });
}

void CurlLoop::Fire(Id id) {
  const auto found = delayed_.find(id);
  if (found == delayed_.end()) return;
  timers_.Cancel(found->second.timer);
  const std::function<void()> then = std::move(found->second.then);
  delayed_.erase(found);
  then();
}

}  // namespace writ::connectors
