#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "bot/http/request.h"
#include "router/base/log.h"

namespace writ::bot {

// One connection that stays open and is written to as things happen. It may be used by any thread,
// and for longer than it lasts.
class Stream {
 public:
  virtual ~Stream() = default;

  // Takes the bytes along and returns at once. False: it is over. A peer that reads so slowly that
  // more waits for it than may wait is cut off, and comes back where it was.
  virtual bool Send(std::string_view bytes) = 0;
  // Over, once what was taken along has been sent, or some seconds later.
  virtual void End() = 0;
  [[nodiscard]] virtual bool IsOver() const = 0;
};

class StreamLoop;

// Open streams: server-sent events, WebSockets. Their sockets are taken over from the server once
// the head of the response is out, so that none of them holds a worker: all are served by one
// thread, with an epoll instance of its own. README.md of this folder says how a route uses it.
class Streams {
 public:
  struct Options {
    std::size_t most = 5000;                           // at a time
    std::size_t most_waiting = std::size_t{1} << 20;   // bytes, of one stream
    std::chrono::milliseconds beat_every{15000};       // without anything else sent
    std::chrono::milliseconds longest{5 * 60 * 1000};  // then it is ended
    std::chrono::milliseconds longest_farewell{5000};  // from End() to the socket's end
  };

  // What a stream's owner wants of it.
  struct Wishes {
    std::string beat = {};  // sent where nothing else was for a while; empty: nothing is
    // What the peer sends; on the streams' thread, which it must not block.
    std::function<void(std::string_view)> on_bytes = {};
    // Less than the options' `longest`, where whoever follows may do so for less.
    std::optional<std::chrono::milliseconds> longest = {};
    // It is as old as may be: says farewell and calls End(). Without it the stream is ended.
    std::function<void()> on_old = {};
    // It is over; once, on the streams' thread. Nothing else comes after it.
    std::function<void()> on_end = {};
  };
  // Called on a worker when the socket was taken over, before anything is sent on it.
  using Begin = std::function<Wishes(const std::shared_ptr<Stream>&)>;

  // log  must outlive the streams
  Streams(Options options, router::Log& log);
  ~Streams();  // stops
  Streams(const Streams&) = delete;
  Streams& operator=(const Streams&) = delete;

  enum class Full { kNode, kGroup };
  // The response whose connection becomes a stream. Its place counts from now on, for `group` (an
  // app) and for all of this node; where there is none: whose places are taken. `head` has status
  // and headers, `most_of_group` is how many streams the group may have.
  [[nodiscard]] std::variant<Response, Full> Open(Response head, const std::string& group,
                                                  std::optional<std::size_t> most_of_group,
                                                  Begin begin);

  [[nodiscard]] std::size_t Count() const;

  // Ends all of them. Before anything goes that their wishes call.
  void Stop();

 private:
  std::shared_ptr<StreamLoop> loop_;
};

}  // namespace writ::bot
