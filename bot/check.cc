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
#include "router/base/http.h"
#include "router/tool/shelf.h"

namespace writ::bot {
namespace {

constexpr std::chrono::seconds kLongestWait{30};
constexpr std::chrono::seconds kGrace{2};  // for the client's own end of a request
constexpr int kBadGateway = 502;
constexpr int kGatewayTimeout = 504;

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
  void Backend(const std::string& pointer, const std::string& url);
  void Backends(const std::string& pointer, const AppConfig& app);
  void Tell(const std::string& pointer, const std::string& fault);

  const std::string& path_;
  int faults_ = 0;
  // The client is gone before the adapters are: what is still out is called back before that.
  const connectors::CurlEnvironment curl_;
  std::optional<connectors::CurlLoop> http_{std::in_place, curl_};
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
  if (bound.connector == nullptr) return;  // a device is reached by nobody
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

// Whether somebody is there. A signed question would be one about a call, and a signed event would
// be believed: so this is a request that says nothing, and any answer to it will do.
void Online::Backend(const std::string& pointer, const std::string& url) {
  router::HttpRequest request;
  request.method = "OPTIONS";
  request.url = url;
  request.timeout = kLongestWait;
  const Waited<router::HttpOutcome> waited;
  http_->Send(std::move(request), {}, waited.Callback());
  const auto outcome = waited.Wait(kLongestWait + kGrace);
  if (!outcome) {
    Tell(pointer, "it did not answer");
  } else if (const auto* failure = std::get_if<router::HttpFailure>(&*outcome)) {
    Tell(pointer, "it can't be reached: " + failure->what);
  } else if (const int status = std::get<router::HttpResponse>(*outcome).status;
             status >= kBadGateway && status <= kGatewayTimeout) {
    Tell(pointer, "nobody is behind it: status " + std::to_string(status));
  }
}

void Online::Backends(const std::string& pointer, const AppConfig& app) {
  if (app.events) Backend(pointer + "/events/url", app.events->reach.url);
  for (std::size_t i = 0; i < app.agents.size(); ++i) {
    const std::string connectors = pointer + "/agents/" + std::to_string(i) + "/connectors/";
    for (std::size_t j = 0; j < app.agents[i].connectors.size(); ++j) {
      const ConnectorConfig& connector = app.agents[i].connectors[j];
      const std::string of = connectors + std::to_string(j);
      if (connector.callback) Backend(of + "/approver/callback/url", connector.callback->url);
      if (connector.before_call) {
        Backend(of + "/before_call/callback/url", connector.before_call->url);
      }
    }
  }
}

int Online::Run(const Config& config) {
  const SystemClock clock;
  NoLog log;
  try {
    CheckStore(config);
  } catch (const std::exception& fault) {
    Tell("/store", fault.what());
  }
  const Adapters adapters = MakeAdapters(config, {*http_, *http_, *http_}, clock, log);
  for (std::size_t i = 0; i < adapters.apps.size(); ++i) {
    const router::AppSetup& app = adapters.apps[i];
    const std::string app_pointer = "/apps/" + std::to_string(i);
    Backends(app_pointer, config.apps.at(i));
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
  http_.reset();
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
