#pragma once

#include "router/turn/walks.h"
#include "store/records.h"

namespace writ::store {

// Who walks through an app's rows, over any engine.
class WalksOver final : public router::Walks {
 public:
  explicit WalksOver(Engine& engine) : engine_(engine) {}

  bool Begin(const router::AppId& app, const std::string& name, router::Duration rest,
             router::TimePoint now) override;

 private:
  Engine& engine_;
};

}  // namespace writ::store
