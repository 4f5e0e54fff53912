#include "router/turn/charge.h"

#include <algorithm>

#include "router/turn/event.h"

namespace writ::router {
namespace {

TimePoint WindowOf(const Charge& charge, TimePoint now) {
  const auto since_1970 = now.time_since_epoch();
  return now - since_1970 % Duration(charge.window);
}

}  // namespace

std::int64_t UsedOf(const UsedCounters& counters, const Charge& charge, TimePoint now) {
  const auto found = counters.find(charge.counter);
  const bool is_of_now = found != counters.end() && found->second.since == WindowOf(charge, now);
  return is_of_now ? found->second.amount : 0;
}

bool IsUsedUp(const UsedCounters& counters, const Charge& charge, TimePoint now) {
  if (charge.limit == 0) return false;
  return UsedOf(counters, charge, now) + std::max<std::int64_t>(charge.amount, 1) > charge.limit;
}

std::vector<std::string> CountersOf(const ModelReplied& replied) {
  std::vector<std::string> names;
  const auto add = [&names](const std::vector<Charge>& charges) {
    for (const Charge& charge : charges) names.push_back(charge.counter);
  };
  add(replied.charges);
  for (const GatedCall& gated : replied.calls) add(gated.charges);
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

void Charging::Add(const std::vector<Charge>& charges, TimePoint now) {
  for (const Charge& charge : charges) {
    if (charge.amount == 0) continue;
    const Used after{WindowOf(charge, now), UsedOf(used_, charge, now) + charge.amount};
    used_[charge.counter] = after;
    charged_[charge.counter] = after;
  }
}

const Charge* Charging::Take(const std::vector<Charge>& charges, TimePoint now) {
  const auto over = std::ranges::find_if(
      charges, [&](const Charge& charge) { return IsUsedUp(used_, charge, now); });
  if (over != charges.end()) return &*over;
  Add(charges, now);
  return nullptr;
}

}  // namespace writ::router
