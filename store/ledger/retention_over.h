#pragma once

#include "router/turn/retention.h"
#include "store/records.h"

namespace writ::store {

// The end of what is over, on any engine.
class RetentionOver final : public router::Retention {
 public:
  explicit RetentionOver(Engine& engine) : engine_(engine) {}

  Looked RemoveSessions(const router::AppId& app, const router::SessionId& after, std::size_t limit,
                        router::Duration life, router::TimePoint now) override;
  Looked RemoveTurns(const router::AppId& app, const router::SessionId& after, std::size_t limit,
                     router::Duration life, router::TimePoint now) override;
  void RemoveExpired(router::TimePoint now) override;

 private:
  Engine& engine_;
};

}  // namespace writ::store
