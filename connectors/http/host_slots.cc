#include "connectors/http/host_slots.h"

#include <utility>

namespace writ::connectors {

bool HostSlots::Admit(const std::string& host, TransferId id) {
  Host& entry = hosts_[host];
  entry.waiting.insert(id);
  ++waiting_;
  StartWhatFits(entry);
  if (entry.waiting.size() <= limits_.waiting) return true;
  entry.waiting.erase(id);
  --waiting_;
  return false;
}

void HostSlots::Connected(const std::string& host) {
  Host& entry = hosts_.at(host);
  --entry.connecting;
  StartWhatFits(entry);
}

void HostSlots::Ended(const std::string& host, TransferId id, bool connected) {
  const auto found = hosts_.find(host);
  Host& entry = found->second;
  if (entry.waiting.erase(id) > 0) {
    --waiting_;
  } else {
    --entry.in_flight;
    if (!connected) --entry.connecting;
    StartWhatFits(entry);
  }
  if (entry.in_flight == 0 && entry.waiting.empty()) hosts_.erase(found);
}

std::vector<HostSlots::TransferId> HostSlots::TakeStartable() {
  return std::exchange(startable_, {});
}

void HostSlots::StartWhatFits(Host& host) {
  while (!host.waiting.empty() && host.in_flight < limits_.in_flight &&
         host.connecting < limits_.connecting) {
    startable_.push_back(host.waiting.extract(host.waiting.begin()).value());
    --waiting_;
    ++host.in_flight;
    ++host.connecting;
  }
}

}  // namespace writ::connectors
