#pragma once

#include <optional>
#include <vector>

#include "router/turn/outbox.h"
#include "store/records.h"

namespace writ::store {

// The outbox over any engine.
class OutboxOver final : public router::Outbox {
 public:
  explicit OutboxOver(Engine& engine) : engine_(engine) {}

  std::vector<router::Delivery> ClaimDeliveries(const router::NodeId& node, std::size_t limit,
                                                router::TimePoint now) override;
  void Delivered(const router::Delivery& delivery, router::TimePoint now) override;
  void Postpone(const router::Delivery& delivery, router::TimePoint due_at) override;
  void GiveUp(const router::Delivery& delivery) override;
  std::optional<router::TimePoint> NextDelivery() override;

 private:
  Engine& engine_;
};

}  // namespace writ::store
