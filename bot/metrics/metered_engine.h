#pragma once

#include <functional>

#include "bot/metrics/metrics.h"
#include "router/base/time.h"
#include "store/records.h"

namespace writ::bot {

// A store with the time that its commits take. Both outlive it.
class MeteredEngine final : public store::Engine {
 public:
  MeteredEngine(store::Engine& engine, Metrics& metrics) : engine_(engine), metrics_(metrics) {}

  void Commit(const std::function<void(store::Records&)>& work) override;
  void Read(const std::function<void(store::Records&)>& work) override { engine_.Read(work); }
  [[nodiscard]] bool IsExclusive() const override { return engine_.IsExclusive(); }
  void OnWork(std::function<void()> listener) override { engine_.OnWork(std::move(listener)); }
  [[nodiscard]] const router::Clock* clock() const override { return engine_.clock(); }

 private:
  store::Engine& engine_;
  Metrics& metrics_;
};

}  // namespace writ::bot
