#pragma once

#include <chrono>
#include <cstddef>
#include <deque>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "router/base/http.h"

namespace writ::tests {

// An HttpClient without a network. Nothing happens within Send: Run() hands each waiting request
// to the script and calls back, so a test sees every state between. Timers are moved by hand.
// One thread only.
class FakeHttp final : public router::HttpClient {
 public:
  // What the world answers; nullopt lets the request hang until Finish() or a stop request.
  using Script = std::function<std::optional<router::HttpOutcome>(const router::HttpRequest&)>;

  // Answers every request that has no queued outcome; without one such a request is kNotSent.
  void Answer(Script script) { script_ = std::move(script); }
  // The outcome of the next request that has none yet.
  void Queue(router::HttpOutcome outcome) { queued_.push_back({std::move(outcome), {}}); }
  // The same, but the connection ends as `then` once this much of the body was handed over.
  void QueueBroken(router::HttpResponse begun, router::HttpFailure::Kind then);
  // Where set, a 2xx body that is read through on_data comes in pieces of so many bytes.
  void SplitBodies(std::size_t bytes) { piece_ = bytes; }

  // Works until nothing more happens by itself: requests, stops, timers that are due.
  void Run();
  // Moves the time and runs.
  void Advance(std::chrono::milliseconds by);
  // Answers the oldest hanging request and runs.
  void Finish(router::HttpOutcome outcome);

  // Every request that was sent, in order.
  [[nodiscard]] const std::vector<router::HttpRequest>& sent() const { return sent_; }
  [[nodiscard]] std::size_t hanging() const { return hanging_.size(); }
  // How long each waiting timer still has.
  [[nodiscard]] std::vector<std::chrono::milliseconds> timers() const;

  void Send(router::HttpRequest request, std::stop_token stop, Done done) override;
  void After(std::chrono::milliseconds delay, std::stop_token stop,
             std::function<void()> then) override;

 private:
  struct Exchange {
    router::HttpRequest request;
    std::stop_token stop;
    Done done;
  };
  struct Timer {
    std::chrono::milliseconds due;
    std::stop_token stop;
    std::function<void()> then;
  };

  bool RunOneRequest();
  bool StopOneHanging();
  bool RunOneTimer();
  struct Planned {
    router::HttpOutcome outcome;
    std::optional<router::HttpFailure::Kind> then;
  };

  std::optional<Planned> OutcomeFor(const router::HttpRequest& request);
  void Deliver(Exchange exchange, Planned planned) const;

  Script script_;
  std::deque<Planned> queued_;
  std::size_t piece_ = 0;
  std::chrono::milliseconds now_{0};
  std::vector<router::HttpRequest> sent_;
  std::deque<Exchange> waiting_;
  std::deque<Exchange> hanging_;
  std::vector<Timer> timers_;
};

// `headers` in lower case.
[[nodiscard]] router::HttpOutcome HttpReply(int status, std::string body,
                                            router::HttpHeaders headers = {});
[[nodiscard]] router::HttpOutcome HttpFails(router::HttpFailure::Kind kind);

}  // namespace writ::tests
