#pragma once

#include <string>
#include <utility>
#include <vector>

namespace writ::connectors {

// A server of the Model Context Protocol that is a program on this machine.
struct StdioCommand {
  std::vector<std::string> argv;  // the program, looked for in PATH, and its arguments
  // Beside what every program needs (InheritedNames()); may hold secrets: never logged.
  std::vector<std::pair<std::string, std::string>> environment;
  std::string folder;  // where it runs; empty: where this process does
};

}  // namespace writ::connectors
