// `writ check`: every fault of the configuration on a line; with --online what it names is reached.
#include <chrono>
#include <cstdio>
#include <exception>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "bot/adapters.h"
#include "bot/commands.h"
#include "bot/load.h"
#include "bot/process/system_clock.h"
#include "bot/waited.h"
#include "bot/wiring.h"
#include "connectors/http/curl_environment.h"
#include "connectors/http/curl_loop.h"
#include "router/tool/shelf.h"

namespace writ::bot {
namespace {

constexpr std::chrono::seconds kLongestWait{30};

// What adapters would log, the faults say.
class NoLog final : public router::Log {
 public:
  void Write(Level, std::string_view, std::initializer_list<Field>) override {}
};

class Online {
 public:
  explicit Online(const std::string& path) : path_(path) {}

  int Run(const Config& config);

 private:
  void Platform(const std::string& pointer, const router::AppSetup& app,
                const router::AgentSetup& agent);
  void Model(const std::string& pointer, const router::AgentSetup& agent);
  void Connector(const std::string& pointer, const router::BoundConnector& bound);
  void Tell(const std::string& pointer, const std::string& fault);

  const std::string& path_;
  int faults_ = 0;
};

void Online::Tell(const std::string& pointer, const std::string& fault) {
  std::fprintf(stderr, "%s: %s: %s\n", path_.c_str(), pointer.c_str(), fault.c_str());
  ++faults_;
}

void Online::Platform(const std::string& pointer, const router::AppSetup& app,
                      const router::AgentSetup& agent) {
  const Waited<std::optional<router::ChatFailure>> waited;
  app.chat->EnsureAgentUser(agent.user, waited.Callback());
  const auto outcome = waited.Wait(kLongestWait);
  if (!outcome) {
    Tell(pointer, "the platform did not answer");
  } else if (*outcome) {
    const bool away = (*outcome)->kind == router::ChatFailure::Kind::kTransient;
    Tell(pointer, (away ? "the platform could not be asked: " : "the platform refused: ") +
                      (*outcome)->what);
  }
}

void Online::Model(const std::string& pointer, const router::AgentSetup& agent) {
  router::ModelRequest request;
  request.instructions = "Answer with one word.";
  request.transcript.emplace_back(router::Said{router::Said::Who::kPeople, "Are you there?"});
  request.time_left = kLongestWait;
  const Waited<router::Model::Outcome> waited;
  agent.model->Ask(std::move(request), {}, waited.Callback());
  const auto outcome = waited.Wait(kLongestWait);
  if (!outcome) {
    Tell(pointer, "the model did not answer");
  } else if (const auto* failure = std::get_if<router::ModelFailure>(&*outcome)) {
    Tell(pointer, "the model failed: " + failure->what);
  }
}

void Online::Connector(const std::string& pointer, const router::BoundConnector& bound) {
  const Waited<router::ToolListOutcome> waited;
  bound.connector->ListTools(std::chrono::milliseconds(0), {}, waited.Callback());
  const auto outcome = waited.Wait(kLongestWait);
  if (!outcome) {
    Tell(pointer, "the connector did not list its tools");
    return;
  }
  if (const auto* failure = std::get_if<router::ToolListFailure>(&*outcome)) {
    Tell(pointer, failure->what);
    return;
  }
  const router::Shelf shelf(bound.binding, std::get<router::ToolList>(*outcome));
  if (shelf.failing()) {
    Tell(pointer + "/require_approval", "`" + *shelf.failing() + "` matches no tool");
  }
}

int Online::Run(const Config& config) {
  const connectors::CurlEnvironment curl;
  const SystemClock clock;
  NoLog log;
  // Dies first: what is still out is called back while the adapters are there.
  std::optional<connectors::CurlLoop> http(std::in_place, curl);
  try {
    CheckStore(config);
  } catch (const std::exception& fault) {
    Tell("/store", fault.what());
  }
  const Adapters adapters = MakeAdapters(config, *http, clock, log);
  for (std::size_t i = 0; i < adapters.apps.size(); ++i) {
    const router::AppSetup& app = adapters.apps[i];
    const std::string app_pointer = "/apps/" + std::to_string(i);
    for (std::size_t j = 0; j < app.agents.size(); ++j) {
      const router::AgentSetup& agent = app.agents[j];
      const std::string pointer = app_pointer + "/agents/" + std::to_string(j);
      Platform(app_pointer + "/platform", app, agent);
      Model(pointer + "/model", agent);
      for (std::size_t k = 0; k < agent.connectors.size(); ++k) {
        Connector(pointer + "/connectors/" + std::to_string(k), agent.connectors[k]);
      }
    }
  }
  adapters.CloseSessions();
  http.reset();
  return faults_ == 0 ? kDone : kFailedWhileRunning;
}

}  // namespace

int Check(const CheckArguments& arguments) {
  const auto config = LoadOrTell(arguments.config);
  if (!config) return kWrongUsage;
  if (arguments.online) {
    try {
      const int code = Online(arguments.config).Run(*config);
      if (code != kDone) return code;
    } catch (const std::exception& fault) {
      std::fprintf(stderr, "writ: %s\n", fault.what());
      return kFailedWhileRunning;
    }
  }
  std::printf("%s: no fault found\n", arguments.config.c_str());
  return kDone;
}

}  // namespace writ::bot
