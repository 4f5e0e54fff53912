// `writ demo`: 1. signals, 2. the world, 3. its page or its story, 4. wait, 5. drain.
#include <condition_variable>
#include <cstdio>
#include <exception>
#include <mutex>
#include <stop_token>
#include <string>
#include <utility>

#include "bot/commands.h"
#include "bot/config/host_and_port.h"
#include "bot/demo/demo_world.h"
#include "bot/demo/page/own_host.h"
#include "bot/demo/page/page_routes.h"
#include "bot/demo/quiet_log.h"
#include "bot/demo/story.h"
#include "bot/http/problem.h"
#include "bot/http/route_table.h"
#include "bot/http/server.h"
#include "bot/load.h"
#include "bot/process/json_log.h"
#include "bot/process/stop_signal.h"
#include "bot/process/system_clock.h"
#include "connectors/http/curl_environment.h"

namespace writ::bot {
namespace {

constexpr int kPageWorkers = 8;  // one of them may wait for the node's answer

void WaitFor(const std::stop_token& stop) {
  std::mutex mutex;
  std::condition_variable_any never;
  std::unique_lock lock(mutex);
  never.wait(lock, stop, [] { return false; });
}

void ServePage(DemoWorld& world, const std::stop_token& stop, const HostAndPort& address,
               const router::Clock& clock, router::Log& log) {
  RouteTable routes(log);
  AddPageRoutes(routes, world, clock);
  ServerOptions options;
  options.host = address.host;
  options.port = address.port;
  options.workers = kPageWorkers;
  Server server(
      options,
      [&](Request request) {
        const std::string* host = request.Header("host");
        if (host == nullptr || !IsOwnHost(*host, address.host)) {
          return ToResponse({ProblemCode::kForbidden, "The demo answers to its own names alone."});
        }
        return routes.Handle(std::move(request));
      },
      log);
  server.Start();
  std::printf("listening on http://%s:%d\n", address.shown_host.c_str(), server.port());
  std::printf("Open it in a browser. Writ's own API is at %s. Ctrl-C ends the demo.\n",
              world.api().url().c_str());
  std::fflush(stdout);
  WaitFor(stop);
  server.Stop();
}

}  // namespace

int Demo(const DemoArguments& arguments) {
  StopSignal stop_signal;  // before the first thread
  const auto address = ReadHostAndPort(arguments.listen);
  if (!address) {
    std::fprintf(stderr, "writ: --listen wants HOST:PORT\n");
    return kWrongUsage;
  }
  const connectors::CurlEnvironment curl;
  const SystemClock clock;
  JsonLog json_log(clock);
  QuietLog log(json_log);
  try {
    int code = kDone;
    DemoWorld world(curl, clock, log);
    const std::stop_source stop;
    stop_signal.Listen([stop]() mutable { stop.request_stop(); });
    if (arguments.play) {
      code = PlayStory(world, stop.get_token());
    } else {
      ServePage(world, stop.get_token(), *address, clock, log);
    }
    world.Drain();
    return code;
  } catch (const std::exception& fault) {
    std::fprintf(stderr, "writ: %s\n", fault.what());
    return kFailedWhileRunning;
  }
}

}  // namespace writ::bot
