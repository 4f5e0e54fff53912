#include "bot/metrics/metrics.h"

#include <prometheus/counter.h>
#include <prometheus/family.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>
#include <prometheus/text_serializer.h>

#include <string>
#include <utility>
#include <vector>

namespace writ::bot {
namespace {

using prometheus::Counter;
using prometheus::Family;
using prometheus::Histogram;
using Seconds = std::chrono::duration<double>;

// Of what takes milliseconds, and of what a person or a model takes.
Histogram::BucketBoundaries Quick() {
  return {0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 3};
}
Histogram::BucketBoundaries Slow() {
  return {0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1800};
}

}  // namespace

struct Metrics::Families {
  struct Watched {
    prometheus::Gauge& gauge;
    std::function<double()> read;
  };

  struct Named {
    std::string name;
    std::string help;
    std::string type;
  };

  Family<Counter>& Counts(const char* name, const char* help) {
    named.push_back({name, help, "counter"});
    return prometheus::BuildCounter().Name(name).Help(help).Register(registry);
  }
  Family<Histogram>& Times(const char* name, const char* help) {
    named.push_back({name, help, "histogram"});
    return prometheus::BuildHistogram().Name(name).Help(help).Register(registry);
  }

  prometheus::Registry registry;
  std::vector<Watched> watched;
  std::vector<Named> named;

  Family<Counter>& events =
      Counts("writ_events_total", "Verified events of a platform, by what became of them");
  Family<Counter>& shed =
      Counts("writ_shed_total", "Requests refused because they are more than the node can bear");
  Family<Histogram>& requests = Times("writ_http_request_seconds", "Requests to the HTTP API");
  Family<Histogram>& turns = Times("writ_turn_seconds", "Turns that ended, from their opening on");
  Family<Histogram>& lease_waits =
      Times("writ_lease_wait_seconds", "Turns until they got their channel's lease");
  Family<Counter>& leases =
      Counts("writ_leases_passed_on_total", "Turn leases that passed on while a call was held");
  Family<Counter>& calls =
      Counts("writ_calls_total", "Calls of ended turns, by what became of them");
  Family<Counter>& held = Counts("writ_calls_held_total", "Calls that were held");
  Family<Counter>& asks =
      Counts("writ_approvals_asked_total", "Held calls that somebody was asked about");
  Family<Histogram>& waits =
      Times("writ_approval_wait_seconds", "Decisions on held calls, from the ask to the decision");
  Family<Counter>& posts =
      Counts("writ_posts_given_up_total", "Messages of the bot that their platform would not take");
  Family<Histogram>& models = Times("writ_model_seconds", "Requests to a model");
  Family<Counter>& tokens =
      Counts("writ_model_tokens_total", "Tokens, as the model's provider counts them");
  Family<Histogram>& connectors = Times("writ_connector_seconds", "Calls sent to a connector");
  Family<Histogram>& commits =
      Times("writ_store_commit_seconds", "Commits, their wait for the writer included");
  Histogram& batches = Times("writ_store_batch_commits", "Commits that shared one sync")
                           .Add({}, Histogram::BucketBoundaries{1, 2, 4, 8, 16, 32, 64, 128, 256});
};

Metrics::Metrics() : families_(std::make_unique<Families>()) {}
Metrics::~Metrics() = default;

void Metrics::EventTaken(const std::string& app, std::string_view outcome) {
  families_->events.Add({{"app", app}, {"outcome", std::string(outcome)}}).Increment();
}

void Metrics::Shed(std::string_view why) {
  families_->shed.Add({{"why", std::string(why)}}).Increment();
}

void Metrics::Answered(std::string_view method, std::string_view route, int status, Seconds took) {
  families_->requests
      .Add({{"method", std::string(method)},
            {"route", std::string(route)},
            {"status", std::to_string(status)}},
           Quick())
      .Observe(took.count());
}

void Metrics::TurnEnded(const std::string& app, const std::string& agent, std::string_view state,
                        Seconds since_opened) {
  families_->turns.Add({{"app", app}, {"agent", agent}, {"state", std::string(state)}}, Slow())
      .Observe(since_opened.count());
}

void Metrics::LeaseGranted(const std::string& app, const std::string& agent, Seconds waited) {
  families_->lease_waits.Add({{"app", app}, {"agent", agent}}, Slow()).Observe(waited.count());
}

void Metrics::LeasePassedOn(const std::string& app) {
  families_->leases.Add({{"app", app}}).Increment();
}

void Metrics::CallEnded(const std::string& app, const std::string& connector,
                        std::string_view outcome) {
  families_->calls.Add({{"app", app}, {"connector", connector}, {"outcome", std::string(outcome)}})
      .Increment();
}

void Metrics::CallHeld(const std::string& app, const std::string& connector) {
  families_->held.Add({{"app", app}, {"connector", connector}}).Increment();
}

void Metrics::Asked(const std::string& app) { families_->asks.Add({{"app", app}}).Increment(); }

void Metrics::Decided(const std::string& app, std::string_view by, bool approved, Seconds waited) {
  families_->waits
      .Add({{"app", app}, {"by", std::string(by)}, {"decision", approved ? "approved" : "denied"}},
           Slow())
      .Observe(waited.count());
}

void Metrics::PostGivenUp(const std::string& app) {
  families_->posts.Add({{"app", app}}).Increment();
}

void Metrics::ModelAsked(const std::string& app, const std::string& agent, std::string_view outcome,
                         Seconds took) {
  families_->models.Add({{"app", app}, {"agent", agent}, {"outcome", std::string(outcome)}}, Slow())
      .Observe(took.count());
}

void Metrics::TokensUsed(const std::string& app, const std::string& agent,
                         std::string_view direction, double tokens) {
  families_->tokens.Add({{"app", app}, {"agent", agent}, {"direction", std::string(direction)}})
      .Increment(tokens);
}

void Metrics::ConnectorCalled(const std::string& app, const std::string& connector,
                              std::string_view outcome, Seconds took) {
  families_->connectors
      .Add({{"app", app}, {"connector", connector}, {"outcome", std::string(outcome)}}, Slow())
      .Observe(took.count());
}

void Metrics::CommitTook(std::string_view outcome, Seconds took) {
  families_->commits.Add({{"outcome", std::string(outcome)}}, Quick()).Observe(took.count());
}

void Metrics::CommittedTogether(std::size_t commits) {
  families_->batches.Observe(static_cast<double>(commits));
}

void Metrics::Watch(const std::string& name, const std::string& help,
                    std::function<double()> read) {
  prometheus::Gauge& gauge =
      prometheus::BuildGauge().Name(name).Help(help).Register(families_->registry).Add({});
  families_->watched.push_back({gauge, std::move(read)});
}

std::string Metrics::Text() {
  for (const Families::Watched& watched : families_->watched) watched.gauge.Set(watched.read());
  std::string text = prometheus::TextSerializer().Serialize(families_->registry.Collect());
  // What has not happened yet has no figure; that there is one is said all the same, so that a
  // misspelt name shows.
  for (const auto& [name, help, type] : families_->named) {
    if (text.find("# TYPE " + name + ' ') != std::string::npos) continue;
    text.append("# HELP ").append(name).append(" ").append(help);
    text.append("\n# TYPE ").append(name).append(" ").append(type).append("\n");
  }
  return text;
}

}  // namespace writ::bot
