#include "bot/load.h"

#include <cstdio>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "connectors/model/scripted/script.h"

namespace writ::bot {

namespace {

// A script that can't be read is a fault of the configuration, and found before a node is started.
std::vector<ConfigFault> ScriptFaults(const Config& config) {
  std::vector<ConfigFault> faults;
  for (std::size_t i = 0; i < config.apps.size(); ++i) {
    const auto& agents = config.apps[i].agents;
    for (std::size_t j = 0; j < agents.size(); ++j) {
      const auto* script = std::get_if<ScriptConfig>(&agents[j].model);
      if (script == nullptr) continue;
      const auto loaded = connectors::LoadScript(script->path);
      if (const auto* fault = std::get_if<connectors::ScriptFault>(&loaded)) {
        faults.push_back(
            {"/apps/" + std::to_string(i) + "/agents/" + std::to_string(j) + "/model/path",
             fault->what});
      }
    }
  }
  return faults;
}

}  // namespace

std::optional<Config> LoadOrTell(const std::string& path) {
  ConfigRead read = LoadConfig(path, ProcessSecrets());
  if (read.config) read.faults = ScriptFaults(*read.config);
  for (const ConfigFault& fault : read.faults) {
    std::fprintf(stderr, "%s: %s: %s\n", path.c_str(),
                 fault.pointer.empty() ? "(the whole)" : fault.pointer.c_str(),
                 fault.detail.c_str());
  }
  if (!read.faults.empty()) return std::nullopt;
  return std::move(read.config);
}

}  // namespace writ::bot
