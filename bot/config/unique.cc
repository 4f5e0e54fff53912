#include "bot/config/unique.h"

#include <map>
#include <string>
#include <utility>
#include <variant>

namespace writ::bot {

namespace {

// Names seen so far, with where each stood first.
class Names {
 public:
  Names(std::string what, std::vector<ConfigFault>& faults)
      : what_(std::move(what)), faults_(faults) {}

  void Add(const std::string& name, const std::string& pointer) {
    const auto [earlier, added] = places_.emplace(name, pointer);
    if (!added) {
      faults_.push_back({pointer, what_ + " as at " + earlier->second});
    }
  }

 private:
  std::string what_;
  std::vector<ConfigFault>& faults_;
  std::map<std::string, std::string> places_;
};

void AddTypes(Names& types, const std::vector<std::string>& of, const std::string& pointer) {
  for (std::size_t i = 0; i < of.size(); ++i) {
    types.Add(of[i], pointer + '/' + std::to_string(i));
  }
}

void CheckAgents(const AppConfig& app, const std::string& at, std::vector<ConfigFault>& faults) {
  Names agents("the same agent id", faults);
  Names types("the same channel", faults);
  for (std::size_t i = 0; i < app.agents.size(); ++i) {
    const AgentConfig& agent = app.agents[i];
    const std::string pointer = at + "/agents/" + std::to_string(i);
    agents.Add(agent.id.text(), pointer + "/id");
    AddTypes(types, agent.chat_channels, pointer + "/chat_channels");
    AddTypes(types, agent.agent_channels, pointer + "/agent_channels");
    Names connectors("the same connector id", faults);
    Names kinds("another connector of this kind", faults);
    Names schedules("the same schedule id", faults);
    for (std::size_t j = 0; j < agent.schedules.size(); ++j) {
      schedules.Add(agent.schedules[j].id, pointer + "/schedules/" + std::to_string(j) + "/id");
    }
    for (std::size_t j = 0; j < agent.connectors.size(); ++j) {
      connectors.Add(agent.connectors[j].binding.id.text(),
                     pointer + "/connectors/" + std::to_string(j) + "/id");
      // A session's declared tools are bound by the one connector of their kind.
      const router::ToolsOf tools_of = agent.connectors[j].binding.tools_of;
      if (tools_of == router::ToolsOf::kServer) continue;
      kinds.Add(tools_of == router::ToolsOf::kDevice ? "client" : "backend",
                pointer + "/connectors/" + std::to_string(j) + "/kind");
    }
  }
}

}  // namespace

std::vector<ConfigFault> RepeatedNames(const Config& config) {
  std::vector<ConfigFault> faults;
  Names apps("the same app id", faults);
  Names keys("the same api_key", faults);
  for (std::size_t i = 0; i < config.apps.size(); ++i) {
    const std::string pointer = "/apps/" + std::to_string(i);
    apps.Add(config.apps[i].id.text(), pointer + "/id");
    if (!config.apps[i].api_key.empty()) {  // a missing one is a fault already
      const bool of_stream = std::holds_alternative<StreamConfig>(config.apps[i].platform);
      keys.Add(config.apps[i].api_key, pointer + (of_stream ? "/platform" : "") + "/api_key");
    }
    CheckAgents(config.apps[i], pointer, faults);
  }
  return faults;
}

}  // namespace writ::bot
