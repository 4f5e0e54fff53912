#pragma once

#include <sys/types.h>

#include <string>
#include <variant>
#include <vector>

#include "connectors/http/unique_fd.h"
#include "connectors/tool/mcp/stdio/command.h"

namespace writ::connectors {

// A process that was started, in a process group of its own. Our ends of the pipes do not block.
struct Spawned {
  pid_t pid = -1;  // also the group's; to be waited for by whoever has this
  UniqueFd exit;   // readable once the process has ended
  UniqueFd in;     // its standard input
  UniqueFd out;
  UniqueFd err;
};

// Of our own environment a program gets these and no others: what is in the rest may be secret.
[[nodiscard]] const std::vector<std::string>& InheritedNames();

// Starts it with nothing of ours but those three pipes, and no signal blocked or ignored.
// Otherwise: why not, for the log.
[[nodiscard]] std::variant<Spawned, std::string> Spawn(const StdioCommand& command);

}  // namespace writ::connectors
