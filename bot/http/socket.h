#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace writ::bot {

// Owns a file descriptor.
class Socket {
 public:
  Socket() = default;
  explicit Socket(int fd) : fd_(fd) {}
  Socket(Socket&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Socket& operator=(Socket&& other) noexcept;
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;
  ~Socket();

  [[nodiscard]] int fd() const { return fd_; }

 private:
  int fd_ = -1;
};

struct Listening {
  Socket socket;  // non-blocking, closed on exec
  int port = 0;   // the one that was picked where 0 was asked for
};

// Listens at `host`:`port` with SO_REUSEADDR alone: with SO_REUSEPORT a second process would bind
// the same port and silently take half of the connections.
// throws  Failure{kPermanent} where the address is in use or is none of ours
[[nodiscard]] Listening ListenAt(const std::string& host, int port, int backlog);

// Lets this process open as many files as it may: the usual soft limit of 1,024 is less than the
// idle clients of one server.
void RaiseFileLimit();

}  // namespace writ::bot
