#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <thread>

#include "connectors/http/mailbox.h"
#include "connectors/http/timer_queue.h"

namespace writ::connectors {

// One thread that waits for the pipes of all servers that are processes. It starts with the first
// task; where there is none, there is no thread.
class PipeLoop {
 public:
  using Task = std::function<void()>;

  // Who has something to end before the loop may. Called on the loop's thread.
  class Guest {
   public:
    virtual ~Guest() = default;
    virtual void Leave() = 0;
    [[nodiscard]] virtual bool IsGone() const = 0;
  };

  PipeLoop() = default;
  ~PipeLoop() { Stop(); }
  PipeLoop(const PipeLoop&) = delete;
  PipeLoop& operator=(const PipeLoop&) = delete;

  // Any thread's. False once the loop has stopped: then the task is dropped.
  bool Post(Task task);

  // Has the guests leave, waits until they are gone, and ends the thread. Once; before what the
  // tasks use is gone.
  void Stop();

  // All below on the loop's thread.

  // events  of poll(2); `then` gets those that came
  void Watch(int fd, short events, std::function<void(short events)> then);
  void Unwatch(int fd) { watched_.erase(fd); }
  [[nodiscard]] TimerQueue& timers() { return timers_; }
  void Add(std::shared_ptr<Guest> guest);

 private:
  struct Watched {
    short events = 0;
    std::function<void(short)> then;
  };

  void Run();
  void Step();
  void Wait();
  [[nodiscard]] bool AllGone() const;

  Mailbox mailbox_;
  std::mutex mutex_;  // guards the next two
  bool over_ = false;
  std::thread thread_;

  std::map<int, Watched> watched_;
  TimerQueue timers_;
  std::set<std::shared_ptr<Guest>> guests_;
  bool stopping_ = false;
};

}  // namespace writ::connectors
