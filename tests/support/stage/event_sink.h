#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "bot/http/server.h"
#include "router/base/json.h"
#include "tests/support/recording_log.h"

namespace writ::tests {

// The app's own server where events are posted: keeps every attempt as it came, and takes it or not
// as a test wants. Shared by all threads.
class EventSink {
 public:
  struct Attempt {
    bot::NamedValues headers;
    std::string body;
    int status = 0;  // what it was answered
  };
  // The status that an attempt is answered with; 0 hangs until Release() or the end.
  using Does = std::function<int(const router::Json& event)>;

  EventSink();
  ~EventSink();
  EventSink(const EventSink&) = delete;
  EventSink& operator=(const EventSink&) = delete;

  // `{"url", "secret"}`, as the configuration has an app's events.
  [[nodiscard]] router::Json Config() const;
  void Answer(Does does);  // at first each attempt is taken
  void Release();
  // Nothing listens on its port until Open().
  void Close();
  void Open();

  // In the order in which they came.
  [[nodiscard]] std::vector<Attempt> Attempts() const;
  // Those that were taken, in order, doubles too.
  [[nodiscard]] std::vector<router::Json> Taken() const;
  [[nodiscard]] std::vector<std::string> TakenTypes() const;
  // Waits until an event of that type was taken, and throws where none comes; the first one.
  router::Json WaitFor(const std::string& type) const;

 private:
  [[nodiscard]] bot::Response Handle(const bot::Request& request);

  mutable std::mutex mutex_;  // guards all below
  std::condition_variable changed_;
  Does does_;
  std::vector<Attempt> attempts_;
  bool released_ = false;

  RecordingLog log_;
  int port_ = 0;
  std::unique_ptr<bot::Server> server_;
};

}  // namespace writ::tests
