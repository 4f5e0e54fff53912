#pragma once

#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "tests/chaos/evidence.h"
#include "tests/chaos/run_clock.h"
#include "tests/chaos/schedule.h"
#include "tests/support/stage/world.h"

namespace writ::chaos {

// The connector, the model and the platform's answers: do what messages say, keep a log of their
// own of what was executed and asked, and go wrong where they are told to. Shared by all threads.
class Outside {
 public:
  // Both outlive this. `messages`: whose calls the model makes.
  Outside(tests::World& world, const RunClock& clock, const std::vector<PlannedMessage>& messages);
  ~Outside();
  Outside(const Outside&) = delete;
  Outside& operator=(const Outside&) = delete;

  // What a fault of the outside does; others are none of its business.
  void Suffer(const Fault& fault);
  // Nothing goes wrong any more, and what is slow is answered.
  void Heal();

  [[nodiscard]] std::vector<Execution> executions() const;
  [[nodiscard]] std::vector<Asked> asked() const;

 private:
  [[nodiscard]] tests::StubCrm::Result Execute(const tests::StubCrm::Call& call);
  [[nodiscard]] tests::StubModel::Reply Reply(const tests::StubModel::Asked& asked);
  [[nodiscard]] static bool Take(std::deque<Fault>& waiting, Fault& taken);
  void Linger(Milliseconds lasts);

  tests::World& world_;
  const RunClock& clock_;
  std::map<std::string, PlannedMessage> messages_;  // by word

  mutable std::mutex mutex_;  // guards all below
  std::condition_variable healed_changed_;
  bool healed_ = false;
  std::deque<Fault> of_connector_;
  std::deque<Fault> of_model_;
  std::vector<Execution> executions_;
  std::vector<Asked> asked_;
};

}  // namespace writ::chaos
