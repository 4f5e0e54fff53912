#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <unordered_map>

#include "connectors/http/curl_environment.h"
#include "connectors/http/curl_multi.h"
#include "connectors/http/host_slots.h"
#include "connectors/http/mailbox.h"
#include "connectors/http/timer_queue.h"
#include "connectors/http/transfer.h"
#include "router/base/http.h"
#include "router/base/time.h"

namespace writ::connectors {

struct CurlLoopOptions {
  HostSlots::Limits limits;
  TransferOptions transfer;
};

// The one outgoing HTTP client: libcurl's multi interface on one thread of its own, on which all
// callbacks are called. Redirects are not followed, proxies not used, TLS is always verified, all
// is HTTP/1.1.
//
// A request is kNotSent exactly where libcurl never reached the point of sending it: the connection
// was refused or did not come in time, the name or the certificate was wrong, the queue was full,
// or it was stopped before. Once that point was passed nothing is certain, whatever the reason.
//
// The time a request waits for its host's slot counts against its `timeout`.
class CurlLoop final : public router::HttpClient {
 public:
  // environment  outlives the loop
  // throws       Failure{kTransient} where the system has no descriptors left
  explicit CurlLoop(const CurlEnvironment& environment, CurlLoopOptions options = {});

  // What is out ends as kCancelled (kNotSent where it had not begun), what is delayed runs at once,
  // and then the thread ends. What these callbacks send ends as kNotSent; what they delay is
  // dropped, so that nothing keeps the loop alive for ever.
  ~CurlLoop() override;
  CurlLoop(const CurlLoop&) = delete;
  CurlLoop& operator=(const CurlLoop&) = delete;

  void Send(router::HttpRequest request, std::stop_token stop, Done done) override;
  void After(std::chrono::milliseconds delay, std::stop_token stop,
             std::function<void()> then) override;

  // Requests that wait for room at their host. From any thread.
  [[nodiscard]] std::size_t CountWaiting() const { return slots_.CountWaiting(); }

 private:
  using Id = HostSlots::TransferId;
  using StopCallback = std::stop_callback<std::function<void()>>;

  struct Arrival {
    router::HttpRequest request;
    std::stop_token stop;
    Done done;
    std::optional<router::SteadyPoint> deadline;
  };
  struct Running {
    Running(Id id, Arrival& arrival, std::string origin);

    Transfer transfer;
    std::stop_token stop;
    Done done;
    TimerQueue::Id deadline = 0;
    TimerQueue::Id idle = 0;
    std::optional<StopCallback> on_stop;
  };
  struct Delayed {
    std::function<void()> then;
    TimerQueue::Id timer = 0;
    std::optional<StopCallback> on_stop;
  };

  // All of these on the loop's thread.
  void Run();
  void Step();
  void Drain();
  void Accept(Arrival& arrival);
  void StartWhatMay();
  void Start(Running& running);
  void CheckIdle(Id id);
  void Abandon(Id id, router::HttpFailure::Kind kind, const char* why);
  void End(Running& running, router::HttpOutcome outcome);
  void Delay(router::SteadyPoint due, const std::stop_token& stop, std::function<void()> then);
  void Fire(Id id);

  const CurlLoopOptions options_;
  Mailbox mailbox_;  // what other threads touch; of the others only the count of slots_
  CurlMulti multi_;
  TimerQueue timers_;
  HostSlots slots_;
  std::unordered_map<Id, Running> transfers_;
  std::unordered_map<Id, Delayed> delayed_;
  Id last_id_ = 0;
  bool ending_ = false;
  std::thread thread_;  // last: it uses all of the above
};

}  // namespace writ::connectors
