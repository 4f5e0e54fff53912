#pragma once

#include <functional>
#include <memory>
#include <string>

#include "bot/config/config.h"
#include "connectors/http/curl_environment.h"
#include "router/base/log.h"
#include "router/base/time.h"

namespace writ::bot {

// Opens the store and closes it again. throws Failure{kPermanent} where it can't be had.
void CheckStore(const Config& config);

// A whole node: store, outgoing HTTP, adapters, flows, HTTP server. The only place that knows them
// all.
class NodeProcess {
 public:
  // throws  Failure{kPermanent} where the store or the address can't be had
  NodeProcess(const Config& config, const connectors::CurlEnvironment& curl,
              const router::Clock& clock, router::Log& log);
  ~NodeProcess();  // stops at once, without a drain
  NodeProcess(const NodeProcess&) = delete;
  NodeProcess& operator=(const NodeProcess&) = delete;

  enum class Past {
    kGoesOn,
    kRestored,  // the store is from a backup: what it holds unfinished ends, nothing is caught up
  };
  // Begins to work: takes up what an earlier run left, then answers requests.
  void Start(Past past = Past::kGoesOn);
  [[nodiscard]] int port() const;

  // Stops accepting and claiming, drops what may be repeated, waits for the calls that are out (up
  // to drain_s), gives its claims back.
  void Drain();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace writ::bot
