#pragma once

#include <vector>

#include "router/chat/inbox.h"
#include "store/records.h"

namespace writ::store {

// The inbox over any engine.
class InboxOver final : public router::Inbox {
 public:
  explicit InboxOver(Engine& engine) : engine_(engine) {}

  Accepted Accept(const router::ChannelEvent& event, router::TimePoint now) override;
  std::vector<router::ChannelEvent> Waiting(std::size_t limit) override;
  void Forget(std::size_t limit, router::TimePoint now) override;

 private:
  Engine& engine_;
};

}  // namespace writ::store
