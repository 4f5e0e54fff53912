#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <vector>

#include "router/base/http.h"
#include "tests/chaos/evidence.h"
#include "tests/chaos/run_clock.h"
#include "tests/chaos/schedule.h"
#include "tests/support/stage/world.h"

namespace writ::chaos {

// Brings the platform's events to the nodes: each on the ways that are planned for it, which may
// double and reorder them, and then through the front until somebody acknowledged it. Shared by all
// threads.
class Postman {
 public:
  // Where an event goes: -1 the front, else a node. All outlive this.
  using UrlOf = std::function<std::string(int node)>;
  Postman(tests::World& world, router::HttpClient& http, const RunClock& clock, UrlOf url_of);
  // What is out is given up.
  ~Postman();
  Postman(const Postman&) = delete;
  Postman& operator=(const Postman&) = delete;

  // Somebody writes a message.
  void Write(const PlannedMessage& message, const std::string& cid);

  [[nodiscard]] std::vector<Said> said() const;
  [[nodiscard]] std::size_t deliveries() const;
  [[nodiscard]] bool IsAllAcknowledged() const;

 private:
  struct State;
  void Deliver(const std::string& word, const Delivery& delivery);

  std::shared_ptr<State> state_;  // the client's callbacks have it, too
  std::stop_source stop_;
};

}  // namespace writ::chaos
