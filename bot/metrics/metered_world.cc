#include "bot/metrics/metered_world.h"

#include <string_view>
#include <utility>
#include <variant>

namespace writ::bot {
namespace {

std::string_view OutcomeOf(const router::Model::Outcome& outcome) {
  const auto* failure = std::get_if<router::ModelFailure>(&outcome);
  if (failure == nullptr) return "replied";
  switch (failure->kind) {
    case router::ModelFailure::Kind::kUnavailable:
      return "unavailable";
    case router::ModelFailure::Kind::kRefused:
      return "refused";
    case router::ModelFailure::Kind::kTooLong:
      return "too_long";
    case router::ModelFailure::Kind::kCancelled:
      return "cancelled";
    case router::ModelFailure::Kind::kOverBudget:
      return "over_budget";
  }
  return {};
}

std::string_view OutcomeOf(const router::CallReport& report) {
  switch (report.kind) {
    case router::CallReport::Kind::kAnswered:
      return report.is_error ? "tool_error" : "answered";
    case router::CallReport::Kind::kRefused:
      return "refused";
    case router::CallReport::Kind::kInDoubt:
      return "in_doubt";
    case router::CallReport::Kind::kNeedsInput:
      return "needs_input";
    case router::CallReport::Kind::kLater:
      return "later";
  }
  return {};
}

}  // namespace

MeteredModel::MeteredModel(router::Model& model, std::string app, std::string agent,
                           const router::Clock& clock, Metrics& metrics)
    : model_(model),
      app_(std::move(app)),
      agent_(std::move(agent)),
      clock_(clock),
      metrics_(metrics) {}

void MeteredModel::Ask(router::ModelRequest request, std::stop_token stop,
                       std::function<void(Outcome)> done) {
  model_.Ask(
      std::move(request), std::move(stop),
      [this, began = clock_.Steady(), done = std::move(done)](Outcome outcome) {
        metrics_.ModelAsked(app_, agent_, OutcomeOf(outcome), clock_.Steady() - began);
        if (const auto* reply = std::get_if<router::ModelReply>(&outcome)) {
          const router::ModelUsage& usage = reply->usage;
          metrics_.TokensUsed(app_, agent_, "input", static_cast<double>(usage.input_tokens));
          metrics_.TokensUsed(app_, agent_, "output", static_cast<double>(usage.output_tokens));
        }
        done(std::move(outcome));
      });
}

MeteredConnector::MeteredConnector(router::Connector& connector, std::string app, std::string name,
                                   const router::Clock& clock, Metrics& metrics)
    : connector_(connector),
      app_(std::move(app)),
      name_(std::move(name)),
      clock_(clock),
      metrics_(metrics) {}

void MeteredConnector::ListTools(std::chrono::milliseconds max_age, std::stop_token stop,
                                 std::function<void(router::ToolListOutcome)> done) {
  connector_.ListTools(max_age, std::move(stop), std::move(done));
}

std::optional<router::SteadyPoint> MeteredConnector::ListedAt(std::chrono::milliseconds max_age) {
  return connector_.ListedAt(max_age);
}

void MeteredConnector::Call(const router::CallRequest& request, std::stop_token stop,
                            std::function<void(router::CallReport)> done) {
  connector_.Call(
      request, std::move(stop),
      [this, began = clock_.Steady(), done = std::move(done)](router::CallReport report) {
        metrics_.ConnectorCalled(app_, name_, OutcomeOf(report), clock_.Steady() - began);
        done(std::move(report));
      });
}

MeteredWorld::MeteredWorld(std::vector<router::AppSetup>& apps, const router::Clock& clock,
                           Metrics& metrics) {
  for (router::AppSetup& app : apps) {
    for (router::AgentSetup& agent : app.agents) {
      models_.push_back(std::make_unique<MeteredModel>(*agent.model, app.id.text(), agent.id.text(),
                                                       clock, metrics));
      agent.model = models_.back().get();
      for (router::BoundConnector& bound : agent.connectors) {
        if (bound.connector == nullptr) continue;  // a device takes its calls itself
        connectors_.push_back(std::make_unique<MeteredConnector>(
            *bound.connector, app.id.text(), bound.binding.id.text(), clock, metrics));
        bound.connector = connectors_.back().get();
      }
    }
  }
}

}  // namespace writ::bot
