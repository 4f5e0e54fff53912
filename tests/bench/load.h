#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace writ::bench {

using Steady = std::chrono::steady_clock;

struct LoadPlan {
  int port = 0;
  std::size_t connections = 1;
  // Closed loop where 0: each connection sends its next request when it has its answer. Otherwise
  // open loop: requests are due at this rate, however slow the answers are, and one that finds no
  // free connection waits with its clock running.
  double per_second = 0;
  // No request is begun after the first of the two.
  std::chrono::milliseconds within{3000};
  std::size_t most = std::numeric_limits<std::size_t>::max();
};

struct Exchange {
  Steady::time_point due;   // when it was to be sent; in a closed loop when it was
  Steady::time_point done;  // when its answer was there as a whole
  int status = 0;
};

struct LoadResult {
  std::vector<Exchange> exchanges;  // in the order of sending
  Steady::duration took{};          // from the beginning to the last answer

  [[nodiscard]] double PerSecond() const;
  // Milliseconds from `due` to `done`.
  [[nodiscard]] std::vector<double> Latencies() const;
  // throws  std::runtime_error where an answer has another status: then no figure means anything
  void MustAllBe(int status) const;
};

// HTTP/1.1 over kept connections to 127.0.0.1, on the calling thread and one epoll instance: a
// client that waits for answers before it sends (wrk, ab) hides the queue it makes.
//
// request  the bytes of the n-th request
// throws   std::runtime_error where a connection ends or nothing is answered for 60 s
[[nodiscard]] LoadResult Drive(const LoadPlan& plan,
                               const std::function<std::string(std::size_t n)>& request);

// The bytes of a POST to `path`; `headers` are whole lines, each with its line break.
[[nodiscard]] std::string PostBytes(const std::string& path, const std::string& headers,
                                    const std::string& body);

// The value that the share `q` of `values` is not above; 0 where there are none.
[[nodiscard]] double Quantile(std::vector<double> values, double q);

}  // namespace writ::bench
