#pragma once

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

#include "router/base/http.h"
#include "tests/chaos/evidence.h"
#include "tests/chaos/run_clock.h"
#include "tests/chaos/schedule.h"
#include "tests/support/stage/world.h"

namespace writ::chaos {

// The people of the channels: see what is held and answer as is planned, on any node, and ask again
// where no answer came. Used by one thread.
class People {
 public:
  using UrlOf = std::function<std::string(int node)>;
  // All outlive this. `nodes`: how many there are to be asked.
  People(tests::World& world, router::HttpClient& http, const RunClock& clock, UrlOf url_of,
         std::size_t nodes, const std::vector<PlannedMessage>& messages);
  ~People();
  People(const People&) = delete;
  People& operator=(const People&) = delete;

  // Looks at the channels and answers what is new there.
  void LookAt(const std::set<std::string>& cids);

  [[nodiscard]] std::vector<Answer> answers() const;
  [[nodiscard]] bool IsIdle() const;  // no answer is planned or out

 private:
  struct State;
  void Decide(const PlannedMessage& message, const tests::HeldCall& held);

  tests::World& world_;
  std::map<std::string, PlannedMessage> messages_;  // by word
  std::set<std::string> seen_;                      // calls
  std::shared_ptr<State> state_;                    // the client's callbacks have it, too
  std::stop_source stop_;
};

}  // namespace writ::chaos
