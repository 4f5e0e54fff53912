#include "tests/support/raw_server.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <utility>

namespace writ::tests {
namespace {

using Steady = std::chrono::steady_clock;

void Watch(int epoll_fd, int operation, int fd, std::uint32_t events) {
  epoll_event event{};
  event.events = events;
  event.data.fd = fd;
  ::epoll_ctl(epoll_fd, operation, fd, &event);
}

std::size_t BodyLength(std::string_view head) {
  const std::size_t at = head.find("Content-Length: ");
  return at == std::string_view::npos ? 0 : std::strtoul(head.data() + at + 16, nullptr, 10);
}

}  // namespace

std::string Ok(std::string_view body, std::string_view more_headers) {
  return "HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(body.size()) + "\r\n" +
         std::string(more_headers) + "\r\n" + std::string(body);
}

RawServer::RawServer(Script script) : script_(std::move(script)) {
  listen_fd_ = ::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof address;
  auto* const generic = static_cast<sockaddr*>(static_cast<void*>(&address));
  if (::bind(listen_fd_, generic, length) != 0 || ::listen(listen_fd_, 4096) != 0 ||
      ::getsockname(listen_fd_, generic, &length) != 0) {
    std::abort();
  }
  port_ = ntohs(address.sin_port);
  epoll_fd_ = ::epoll_create1(EPOLL_CLOEXEC);
  wake_fd_ = ::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
  Watch(epoll_fd_, EPOLL_CTL_ADD, listen_fd_, EPOLLIN);
  Watch(epoll_fd_, EPOLL_CTL_ADD, wake_fd_, EPOLLIN);
  thread_ = std::thread([this] { Run(); });
}

RawServer::~RawServer() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  Wake();
  thread_.join();
  for (const auto& [fd, connection] : open_) ::close(fd);
  ::close(listen_fd_);
  ::close(epoll_fd_);
  ::close(wake_fd_);
}

std::string RawServer::Url(std::string_view path) const {
  return "http://127.0.0.1:" + std::to_string(port_) + std::string(path);
}

void RawServer::Release() {
  {
    const std::lock_guard lock(mutex_);
    released_ = true;
  }
  Wake();
}

void RawServer::Wake() const { ::eventfd_write(wake_fd_, 1); }

std::vector<RawRequest> RawServer::requests() const {
  const std::lock_guard lock(mutex_);
  return requests_;
}

std::size_t RawServer::connections() const {
  const std::lock_guard lock(mutex_);
  return accepted_;
}

template <typename Condition>
bool RawServer::WaitUntil(Condition condition) const {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, std::chrono::seconds(30), condition);
}

bool RawServer::WaitForRequests(std::size_t count) const {
  return WaitUntil([&] { return requests_.size() >= count; });
}

bool RawServer::WaitForConnections(std::size_t count) const {
  return WaitUntil([&] { return accepted_ >= count; });
}

bool RawServer::WaitForClosed(std::size_t count) const {
  return WaitUntil([&] { return closed_ >= count; });
}

void RawServer::Run() {
  while (true) {
    const bool drips = std::any_of(open_.begin(), open_.end(), [](const auto& entry) {
      const auto& steps = entry.second.steps;
      return !steps.empty() && (steps.front().kind == RawStep::Kind::kDrip ||
                                steps.front().kind == RawStep::Kind::kRepeat);
    });
    std::array<epoll_event, 256> events{};
    const int count = ::epoll_wait(epoll_fd_, events.data(), 256, drips ? 1 : -1);
    bool all = drips;
    for (int i = 0; i < count; ++i) {
      const int fd = events.at(static_cast<std::size_t>(i)).data.fd;
      if (fd == listen_fd_) {
        Accept();
      } else if (fd == wake_fd_) {
        eventfd_t value = 0;
        ::eventfd_read(wake_fd_, &value);
        all = true;
      } else {
        Read(fd);
      }
    }
    {
      const std::lock_guard lock(mutex_);
      if (ending_) return;
    }
    if (!all) continue;
    std::vector<int> fds;
    for (const auto& [fd, connection] : open_) fds.push_back(fd);
    for (const int fd : fds) GoOn(fd);
  }
}

void RawServer::Accept() {
  while (true) {
    const int fd = ::accept4(listen_fd_, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (fd < 0) return;
    {
      const std::lock_guard lock(mutex_);
      open_[fd].number = accepted_++;
    }
    changed_.notify_all();
    Watch(epoll_fd_, EPOLL_CTL_ADD, fd, EPOLLIN | EPOLLOUT | EPOLLET);
  }
}

void RawServer::Read(int fd) {
  const auto found = open_.find(fd);
  if (found == open_.end()) return;
  std::array<char, 16384> buffer{};
  while (true) {
    const ssize_t got = ::recv(fd, buffer.data(), buffer.size(), 0);
    if (got > 0) {
      found->second.in.append(buffer.data(), static_cast<std::size_t>(got));
      continue;
    }
    if (got < 0 && errno == EAGAIN) break;
    Close(fd, false);
    return;
  }
  GoOn(fd);
}

// Does what can be done now: writes, steps, and reads the next request when nothing is left to do.
void RawServer::GoOn(int fd) {
  Connection& connection = open_.at(fd);
  while (Flush(fd, connection)) {
    if (connection.steps.empty()) {
      if (!TakeRequest(connection)) return;
      continue;
    }
    RawStep& step = connection.steps.front();
    switch (step.kind) {
      case RawStep::Kind::kSend:
        connection.out += step.bytes;
        break;
      case RawStep::Kind::kDrip:
        if (step.bytes.empty()) break;
        if (Steady::now() < connection.next_drip) return;
        connection.out += step.bytes.front();
        step.bytes.erase(0, 1);
        connection.next_drip = Steady::now() + step.every;
        continue;
      case RawStep::Kind::kRepeat:
        if (Steady::now() < connection.next_drip) return;
        connection.out += step.bytes;
        connection.next_drip = Steady::now() + std::max(step.every, std::chrono::milliseconds(1));
        continue;
      case RawStep::Kind::kHold: {
        const std::lock_guard lock(mutex_);
        if (!released_) return;
        break;
      }
      case RawStep::Kind::kClose:
        return Close(fd, false);
      case RawStep::Kind::kReset:
        return Close(fd, true);
    }
    connection.steps.pop_front();
  }
}

bool RawServer::Flush(int fd, Connection& connection) {
  while (connection.out_sent < connection.out.size()) {
    const ssize_t sent = ::send(fd, connection.out.data() + connection.out_sent,
                                connection.out.size() - connection.out_sent, MSG_NOSIGNAL);
    if (sent <= 0) return false;  // full, or gone: then reading will tell
    connection.out_sent += static_cast<std::size_t>(sent);
  }
  connection.out.clear();
  connection.out_sent = 0;
  return true;
}

bool RawServer::TakeRequest(Connection& connection) {
  const std::size_t end = connection.in.find("\r\n\r\n");
  if (end == std::string::npos) return false;
  RawRequest request{connection.number, connection.in.substr(0, end + 2), {}};
  const std::size_t length = BodyLength(request.head);
  if (connection.in.size() < end + 4 + length) return false;
  request.body = connection.in.substr(end + 4, length);
  connection.in.erase(0, end + 4 + length);
  for (RawStep& step : script_(request)) connection.steps.push_back(std::move(step));
  {
    const std::lock_guard lock(mutex_);
    requests_.push_back(std::move(request));
  }
  changed_.notify_all();
  return true;
}

void RawServer::Close(int fd, bool reset) {
  if (reset) {
    const linger at_once{1, 0};
    ::setsockopt(fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
  }
  ::close(fd);
  open_.erase(fd);
  {
    const std::lock_guard lock(mutex_);
    ++closed_;
  }
  changed_.notify_all();
}

}  // namespace writ::tests
