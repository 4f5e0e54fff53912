// The configuration, and the addresses that a command line names.
#include "bot/config/config.h"

#include <optional>
#include <string>

#include "bot/config/host_and_port.h"
#include "tests/fuzz/target.h"

namespace writ::fuzz {
namespace {

// What each secret is, wherever it is read from, and what must be in no fault.
constexpr const char* kValue = "planted-value";

bot::SecretSource Secrets() {
  const auto read = [](const std::string& name) {
    const bool is_there = !name.ends_with("NONE");
    return is_there ? std::optional<std::string>(kValue) : std::nullopt;
  };
  return {read, read};
}

void Fuzz(std::string_view input) {
  const bot::ConfigRead read = bot::ReadConfig(input, Secrets());
  Require(read.config.has_value() == read.faults.empty(), "a configuration, or its faults");
  for (const bot::ConfigFault& fault : read.faults) {
    Require(fault.pointer.empty() || fault.pointer.front() == '/', "a fault says where");
    Require(!fault.detail.empty(), "a fault says what");
    Require(fault.detail.find(kValue) == std::string::npos, "no secret is in a fault");
  }
  if (read.config) Require(!read.config->apps.empty(), "a configuration has an app");
  if (const auto address = bot::ReadHostAndPort(input)) {
    Require(address->port >= 0 && address->port <= 65535, "a port is one");
    Require(!address->host.empty() && !address->shown_host.empty(), "an address has a host");
  }
}

}  // namespace
}  // namespace writ::fuzz

WRIT_FUZZ_TARGET(config, writ::fuzz::Fuzz)
