#pragma once

#include <functional>
#include <thread>

namespace writ::bot {

// SIGTERM and SIGINT as an ordinary event. Made in main before the first thread, so that every
// thread has them blocked; one thread waits for them.
class StopSignal {
 public:
  StopSignal();   // blocks both; ignores SIGPIPE and SIGXFSZ
  ~StopSignal();  // ends the waiting thread
  StopSignal(const StopSignal&) = delete;
  StopSignal& operator=(const StopSignal&) = delete;

  // Runs `on_stop` on the first one, on a thread of its own; a second one ends the process at once.
  void Listen(std::function<void()> on_stop);

 private:
  std::jthread listener_;
};

}  // namespace writ::bot
