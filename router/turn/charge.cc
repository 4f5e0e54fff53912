#include "router/turn/charge.h"

#include <algorithm>
#include <utility>

#include "router/turn/event.h"

namespace writ::router {
namespace {

TimePoint WindowOf(const Charge& charge, TimePoint now) {
  const auto since_1970 = now.time_since_epoch();
  return now - since_1970 % Duration(charge.window);
}

bool IsLetThrough(GatedCall::Verdict verdict) {
  switch (verdict) {
    case GatedCall::Verdict::kFree:
    case GatedCall::Verdict::kHeld:
    case GatedCall::Verdict::kNobodyToAsk:  // approved ahead, or refused by next()
    case GatedCall::Verdict::kApproved:
    case GatedCall::Verdict::kShortCircuited:
      return true;
    case GatedCall::Verdict::kDenied:
    case GatedCall::Verdict::kRefused:
      return false;
  }
  return false;
}

void Add(UsedCounters& used, UsedCounters& charged, const Charge& charge, TimePoint now) {
  if (charge.amount == 0) return;
  const Used after{WindowOf(charge, now), UsedOf(used, charge, now) + charge.amount};
  used[charge.counter] = after;
  charged[charge.counter] = after;
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
  const auto repeated = std::ranges::unique(names);
  names.erase(repeated.begin(), repeated.end());
  return names;
}

UsedCounters ChargeReply(ModelReplied& replied, UsedCounters used, TimePoint now) {
  UsedCounters charged;
  for (const Charge& charge : replied.charges) Add(used, charged, charge, now);
  for (GatedCall& gated : replied.calls) {
    if (!IsLetThrough(gated.verdict)) continue;
    const auto over = std::ranges::find_if(
        gated.charges, [&](const Charge& charge) { return IsUsedUp(used, charge, now); });
    if (over != gated.charges.end()) {
      gated.verdict = GatedCall::Verdict::kRefused;
      gated.status = "blocked";
      gated.reason = over->reason;
      continue;
    }
    for (const Charge& charge : gated.charges) Add(used, charged, charge, now);
  }
  return charged;
}

}  // namespace writ::router
