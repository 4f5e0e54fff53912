#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "router/base/time.h"

namespace writ::router {

struct ModelReplied;

// What something uses up of one budget.
struct Charge {
  std::string counter;              // its name, unique within the app
  std::chrono::seconds window{60};  // how long it counts: windows follow each other since 1970, UTC
  std::int64_t amount = 0;          // 0: asks only whether it is used up
  std::int64_t limit = 0;           // 0: it is only counted
  std::string reason;               // why a call is blocked by it, as the model is told
};

// A counter as it stands: how much was used up in the window that began at `since`.
struct Used {
  TimePoint since;
  std::int64_t amount = 0;

  friend bool operator==(const Used&, const Used&) = default;
};
using UsedCounters = std::map<std::string, Used>;

// What is used up of the charge's counter in the window of `now`.
[[nodiscard]] std::int64_t UsedOf(const UsedCounters& counters, const Charge& charge,
                                  TimePoint now);
// Whether nothing is left for it.
[[nodiscard]] bool IsUsedUp(const UsedCounters& counters, const Charge& charge, TimePoint now);

// The names of the counters that the reply and its calls are charged to.
[[nodiscard]] std::vector<std::string> CountersOf(const ModelReplied& replied);

// The counters while a reply is taken: charged for the reply itself, then for each call that goes
// on, in the model's order.
class Charging {
 public:
  Charging() = default;
  // used  the counters that CountersOf() names, as they stand; those that are not there are unused
  explicit Charging(UsedCounters used) : used_(std::move(used)) {}

  // Charges what was used already, whatever is left.
  void Add(const std::vector<Charge>& charges, TimePoint now);
  // Charges all of them and returns nullptr; or, where one has nothing left, none: that one.
  [[nodiscard]] const Charge* Take(const std::vector<Charge>& charges, TimePoint now);

  // Those that were charged, as they stand now.
  [[nodiscard]] const UsedCounters& charged() const { return charged_; }

 private:
  UsedCounters used_;
  UsedCounters charged_;
};

}  // namespace writ::router
