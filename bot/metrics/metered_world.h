#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "bot/metrics/metrics.h"
#include "router/base/time.h"
#include "router/flow/setup.h"
#include "router/model/model.h"
#include "router/tool/connector.h"

namespace writ::bot {

// A model and a connector with the time that each request takes. What they are given outlives them.

class MeteredModel final : public router::Model {
 public:
  MeteredModel(router::Model& model, std::string app, std::string agent, const router::Clock& clock,
               Metrics& metrics);

  void Ask(router::ModelRequest request, std::stop_token stop,
           std::function<void(Outcome)> done) override;

 private:
  router::Model& model_;
  const std::string app_;
  const std::string agent_;
  const router::Clock& clock_;
  Metrics& metrics_;
};

class MeteredConnector final : public router::Connector {
 public:
  MeteredConnector(router::Connector& connector, std::string app, std::string name,
                   const router::Clock& clock, Metrics& metrics);

  void ListTools(std::chrono::milliseconds max_age, std::stop_token stop,
                 std::function<void(router::ToolListOutcome)> done) override;
  std::optional<router::SteadyPoint> ListedAt(std::chrono::milliseconds max_age) override;
  void Call(const router::CallRequest& request, std::stop_token stop,
            std::function<void(router::CallReport)> done) override;

 private:
  router::Connector& connector_;
  const std::string app_;
  const std::string name_;
  const router::Clock& clock_;
  Metrics& metrics_;
};

// Puts itself between the apps and their models and connectors.
class MeteredWorld {
 public:
  MeteredWorld(std::vector<router::AppSetup>& apps, const router::Clock& clock, Metrics& metrics);

 private:
  std::vector<std::unique_ptr<MeteredModel>> models_;
  std::vector<std::unique_ptr<MeteredConnector>> connectors_;
};

}  // namespace writ::bot
