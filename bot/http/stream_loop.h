#pragma once

#include <sys/epoll.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

#include "bot/http/socket.h"
#include "bot/http/streams.h"
#include "router/base/log.h"

namespace writ::bot {

class StreamClient;

class StreamPlace;

// The thread, its streams, and how many places are taken. A stream's handle may outlive it.
class StreamLoop : public std::enable_shared_from_this<StreamLoop> {
 public:
  StreamLoop(const Streams::Options& options, router::Log& log);

  // A place of `group`; where there is none: whose are taken.
  std::optional<Streams::Full> TakePlace(const std::string& group,
                                         std::optional<std::size_t> most_of_group);
  void GivePlace(const std::string& group);

  [[nodiscard]] std::size_t Count() const {
    const std::lock_guard lock(mutex_);
    return count_;
  }

  void Add(Socket socket, std::shared_ptr<StreamPlace> place, const Streams::Begin& begin);

  void Stop();

 private:
  friend class StreamClient;

  void Run();
  void Step();
  void TakeNews();
  void LookAtAll();
  void Read(StreamClient& client);
  // Writes what waits; ends the stream where it can't go on.
  void Write(StreamClient& client);
  void End(StreamClient& client);

  void Wake();
  void Tell(std::shared_ptr<StreamClient> client);
  void Control(int operation, int fd, std::uint32_t events, void* owner);

  const Streams::Options options_;
  router::Log& log_;
  Socket epoll_;
  Socket wake_;
  mutable std::mutex mutex_;  // guards what follows
  bool is_stopping_ = false;
  std::size_t count_ = 0;
  std::map<std::string, std::size_t> groups_;
  std::vector<std::shared_ptr<StreamClient>> news_;  // new ones, and those with something to send

  // The thread's own.
  std::unordered_map<StreamClient*, std::shared_ptr<StreamClient>> clients_;
  std::chrono::steady_clock::time_point looked_at_{};
  std::vector<epoll_event> events_;
  std::thread thread_;
};

// A place that a stream takes among its group's and its node's; it is given back with this.
class StreamPlace {
 public:
  StreamPlace(std::shared_ptr<StreamLoop> loop, std::string group)
      : loop_(std::move(loop)), group_(std::move(group)) {}
  ~StreamPlace() { loop_->GivePlace(group_); }
  StreamPlace(const StreamPlace&) = delete;
  StreamPlace& operator=(const StreamPlace&) = delete;

 private:
  const std::shared_ptr<StreamLoop> loop_;
  const std::string group_;
};

}  // namespace writ::bot
