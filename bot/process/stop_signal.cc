#include "bot/process/stop_signal.h"

#include <pthread.h>
#include <unistd.h>

#include <csignal>
#include <ctime>
#include <utility>

namespace writ::bot {
namespace {

sigset_t StopSignals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  return signals;
}

constexpr timespec kLookUp{0, 100'000'000};  // how often the listener looks whether it is over

}  // namespace

StopSignal::StopSignal() {
  const sigset_t signals = StopSignals();
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow fails its write, as a full disk does
}

StopSignal::~StopSignal() = default;

void StopSignal::Listen(std::function<void()> on_stop) {
  listener_ = std::jthread([on_stop = std::move(on_stop)](const std::stop_token& over) {
    const sigset_t signals = StopSignals();
    bool asked = false;
    while (!over.stop_requested()) {
      if (sigtimedwait(&signals, nullptr, &kLookUp) < 0) continue;
      if (asked) _exit(1);
      asked = true;
      on_stop();
    }
  });
}

}  // namespace writ::bot
