#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "tests/support/child_process.h"

namespace writ::tests {

// A new folder for a server of a test's own: in memory where that has `enough` bytes, for what such
// a server keeps is gone when the power is.
// throws  std::runtime_error
[[nodiscard]] std::filesystem::path NewServerFolder(const std::string& name, std::uintmax_t enough);

// What a command prints.
// throws  std::runtime_error with that where it fails
std::string OutputOf(const std::vector<std::string>& command);

// Waits until `answers`.
// throws  std::runtime_error with the server's log where it ended, or does not answer for a minute
void AwaitServer(const std::string& name, ChildProcess& server, const std::filesystem::path& log,
                 const std::function<bool()>& answers);

// Sends the signal and waits until the server has ended.
void EndServer(ChildProcess& server, int signal);

}  // namespace writ::tests
