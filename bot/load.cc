#include "bot/load.h"

#include <cstdio>
#include <utility>

namespace writ::bot {

std::optional<Config> LoadOrTell(const std::string& path) {
  ConfigRead read = LoadConfig(path, ProcessSecrets());
  for (const ConfigFault& fault : read.faults) {
    std::fprintf(stderr, "%s: %s: %s\n", path.c_str(),
                 fault.pointer.empty() ? "(the whole)" : fault.pointer.c_str(),
                 fault.detail.c_str());
  }
  return std::move(read.config);
}

}  // namespace writ::bot
