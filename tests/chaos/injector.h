#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

#include "router/base/http.h"
#include "tests/chaos/evidence.h"
#include "tests/chaos/nodes.h"
#include "tests/chaos/outside.h"
#include "tests/chaos/run_clock.h"
#include "tests/chaos/schedule.h"
#include "tests/chaos/store_under_test.h"

namespace writ::chaos {

// Lets faults begin and end, and takes the time until a node is ready again. Used by one thread.
class Injector {
 public:
  // All outlive this.
  Injector(Nodes& nodes, StoreUnderTest& store, Outside& outside, router::HttpClient& http,
           const RunClock& clock);
  ~Injector();
  Injector(const Injector&) = delete;
  Injector& operator=(const Injector&) = delete;

  void Begin(const Fault& fault);
  // Ends what is over, and asks those nodes that have to come back whether they are ready.
  void Tend();
  // Ends everything, also what would last longer.
  void EndAll();
  [[nodiscard]] bool IsQuiet() const;  // nothing lasts, and all are ready

  [[nodiscard]] const std::map<FaultKind, std::size_t>& begun() const { return begun_; }
  // How long it took from a fault's end until the nodes that it had hit were ready.
  [[nodiscard]] std::map<FaultKind, std::vector<Moment>> recoveries() const;
  // One line for each thing done, for the log of the run.
  [[nodiscard]] const std::vector<std::string>& log() const { return log_; }

 private:
  struct State;
  void End(const Fault& fault);
  void ExpectReady(const Fault& fault, std::size_t node);
  void Note(const std::string& what);

  Nodes& nodes_;
  StoreUnderTest& store_;
  Outside& outside_;
  router::HttpClient& http_;
  const RunClock& clock_;
  std::multimap<Moment, Fault> ends_;
  std::map<FaultKind, std::size_t> begun_;
  std::vector<std::string> log_;
  std::shared_ptr<State> state_;  // the client's callbacks have it, too
  std::stop_source stop_;
};

}  // namespace writ::chaos
