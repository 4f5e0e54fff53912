// `writ serve`: a node, until it is told to stop.
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <exception>
#include <future>
#include <optional>
#include <thread>

#include "bot/commands.h"
#include "bot/config/config.h"
#include "bot/config/host_and_port.h"
#include "bot/http/socket.h"
#include "bot/load.h"
#include "bot/process/json_log.h"
#include "bot/process/node_clock.h"
#include "bot/process/stop_signal.h"
#include "bot/wiring.h"
#include "connectors/http/curl_environment.h"

namespace writ::bot {

int Serve(const ServeArguments& arguments) {
  std::promise<void> stopped;
  StopSignal stop_signal;  // before the first thread; its listener may use `stopped` to its end
  std::optional<Config> config = LoadOrTell(arguments.config);
  if (!config) return kWrongUsage;
  if (!arguments.listen.empty()) config->listen = arguments.listen;
  if (!ReadHostAndPort(config->listen)) {
    std::fprintf(stderr, "writ: --listen wants HOST:PORT\n");
    return kWrongUsage;
  }
  RaiseFileLimit();
  const connectors::CurlEnvironment curl;
  const NodeClock clock;
  JsonLog log(clock);
  try {
    NodeProcess node(*config, curl, clock, log);
    stop_signal.Listen([&stopped] { stopped.set_value(); });
    node.Start(arguments.after_restore ? NodeProcess::Past::kRestored : NodeProcess::Past::kGoesOn);
    std::printf("listening on http://%s:%d\n",
                config->listen.substr(0, config->listen.rfind(':')).c_str(), node.port());
    std::fflush(stdout);
    stopped.get_future().wait();
    node.Drain();
  } catch (const std::exception& fault) {
    std::fprintf(stderr, "writ: %s\n", fault.what());
    return kFailedWhileRunning;
  }
  return kDone;
}

int ServeUntilInputEnds(const ServeArguments& arguments) {
  const StopSignal blocked;  // for the reader, which must take no signal that is meant for a stop
  std::thread([] {
    std::array<char, 64> ignored;  // NOLINT(cppcoreguidelines-pro-type-member-init)
    ssize_t count = 1;
    while (count > 0 || (count < 0 && errno == EINTR)) {
      count = ::read(STDIN_FILENO, ignored.data(), ignored.size());
    }
    ::kill(::getpid(), SIGTERM);
  }).detach();
  return Serve(arguments);
}

}  // namespace writ::bot
