#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "router/turn/event_outbox.h"
#include "store/records.h"

namespace writ::store {

// The events to backends over any engine.
class EventsOver final : public router::EventOutbox {
 public:
  explicit EventsOver(Engine& engine) : engine_(engine) {}

  std::vector<router::EventDelivery> ClaimEvents(const router::AppId& app,
                                                 const router::NodeId& node, std::size_t limit,
                                                 router::TimePoint now) override;
  void Told(const router::EventDelivery& delivery) override;
  void PostponeEvent(const router::EventDelivery& delivery, router::TimePoint due_at,
                     router::TimePoint now) override;
  std::size_t GiveUpEvents(const router::EventDelivery& delivery,
                           router::TimePoint made_by) override;
  std::optional<router::TimePoint> NextEvent(const router::AppId& app) override;

 private:
  Engine& engine_;
};

}  // namespace writ::store
