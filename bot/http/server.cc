#include "bot/http/server.h"

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <stop_token>
#include <system_error>
#include <thread>
#include <typeinfo>
#include <unordered_map>
#include <utility>
#include <vector>

#include "bot/http/connection.h"
#include "bot/http/exchange.h"
#include "bot/http/problem.h"
#include "bot/http/socket.h"
#include "bot/process/crew.h"

namespace writ::bot {
namespace {

constexpr int kBacklog = 1024;
constexpr int kAcceptsInARow = 64;
// After so many requests in one read a connection lines up again, so that one that never ceases to
// send does not keep a worker to itself.
constexpr int kRequestsInARow = 16;

std::string NumericHost(const sockaddr* address, socklen_t size) {
  char host[NI_MAXHOST] = {};
  getnameinfo(address, size, host, sizeof(host), nullptr, 0, NI_NUMERICHOST);
  return host;
}

Socket Opened(int fd, const char* what) {
  if (fd < 0) throw std::system_error(errno, std::generic_category(), what);
  return Socket(fd);
}

std::chrono::milliseconds SweepInterval(const ServerOptions& options) {
  const auto shortest = std::min({options.idle_timeout, options.request_timeout,
                                  options.response_timeout, options.linger_timeout});
  return std::clamp(shortest / 4, std::chrono::milliseconds(10), std::chrono::milliseconds(1000));
}

}  // namespace

// The epoll instance tells each event to one worker: everything is armed for one event at a time,
// so that a connection belongs to the worker that got it until it is armed again.
class Server::Front {
 public:
  Front(ServerOptions options, Handle handle, router::Log& log)
      : options_(std::move(options)),
        handle_(std::move(handle)),
        log_(log),
        listening_(ListenAt(options_.host, options_.port, kBacklog)),
        epoll_(Opened(epoll_create1(EPOLL_CLOEXEC), "epoll_create1")),
        wake_(Opened(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK), "eventfd")) {}

  ~Front() { Stop(); }
  Front(const Front&) = delete;
  Front& operator=(const Front&) = delete;

  [[nodiscard]] int port() const { return listening_.port; }

  [[nodiscard]] std::size_t CountConnections() {
    const std::lock_guard lock(mutex_);
    return connections_.size();
  }

  void Start() {
    Control(EPOLL_CTL_ADD, wake_.fd(), EPOLLIN, nullptr);  // for each worker that looks
    Control(EPOLL_CTL_ADD, listening_.socket.fd(), EPOLLIN | EPOLLONESHOT, this);
    workers_.Start();
    sweeper_ = std::jthread([this](const std::stop_token& stop) { Sweep(stop); });
  }

  void Stop() {
    if (is_stopping_.exchange(true)) return;
    eventfd_write(wake_.fd(), 1);
    workers_.Join();
    sweeper_ = {};
    listening_.socket = {};
    const std::lock_guard lock(mutex_);
    connections_.clear();
  }

 private:
  void Work() {
    Exchange exchange(handle_);
    while (true) {
      epoll_event event{};
      const int count = epoll_wait(epoll_.fd(), &event, 1, static_cast<int>(Crew::kWhile.count()));
      if (is_stopping_ || (count == 0 && workers_.Leaves())) return;
      if (count != 1) continue;  // EINTR
      workers_.Begins();
      if (event.data.ptr == this) {
        AcceptGuarded();
      } else if (event.data.ptr != nullptr) {
        ServeGuarded(*static_cast<Connection*>(event.data.ptr), exchange);
      }
      workers_.Ends();
    }
  }

  // No exception may leave a thread: that would end the process.
  void AcceptGuarded() {
    try {
      Accept();
    } catch (const std::exception& error) {
      log_.Error("http.accept_failed", {{"type", typeid(error).name()}});
      is_accepting_paused_ = true;
    }
  }

  void ServeGuarded(Connection& connection, Exchange& exchange) {
    try {
      Serve(connection, exchange);
    } catch (const std::exception& error) {
      log_.Error("http.connection_failed", {{"type", typeid(error).name()}});
      Forget(&connection);
    }
  }

  void Serve(Connection& connection, Exchange& exchange) {
    { const std::lock_guard armed(ArmingOf(&connection)); }
    for (int requests = 0;;) {
      switch (connection.Advance()) {
        case Connection::Next::kRead:
          return Arm(connection, EPOLLIN);
        case Connection::Next::kWrite:
          return Arm(connection, EPOLLOUT);
        case Connection::Next::kRun:
          // A socket that can be written is ready at once: the end of the line.
          if (++requests > kRequestsInARow) return Arm(connection, EPOLLIN | EPOLLOUT);
          connection.Send(exchange.Run(connection.Take(), connection.remote_addr()));
          break;
        case Connection::Next::kRefuse:
          connection.Send(exchange.Refuse(connection.refusal()));
          break;
        case Connection::Next::kOverload:
          connection.Send(exchange.Refuse({ProblemCode::kOverloaded, "Try again in a moment."}));
          break;
        case Connection::Next::kTakeOver:
          return HandOver(connection);
        case Connection::Next::kClose:
          Forget(&connection);
          return;
      }
    }
  }

  void HandOver(Connection& connection) {
    // Out of the sweeper's sight first: the socket is somebody else's from here on.
    const std::unique_ptr<Connection> taken = Forget(&connection);
    epoll_ctl(epoll_.fd(), EPOLL_CTL_DEL, taken->fd(), nullptr);
    taken->TakeOver(taken->Release());
  }

  void Accept() {
    for (int i = 0; i < kAcceptsInARow; ++i) {
      if (IsFull()) return PauseAccepting("connections");
      sockaddr_storage storage{};
      socklen_t size = sizeof(storage);
      auto* address = reinterpret_cast<sockaddr*>(&storage);
      Socket socket(accept4(listening_.socket.fd(), address, &size, SOCK_NONBLOCK | SOCK_CLOEXEC));
      if (socket.fd() >= 0) {
        Welcome(std::move(socket), NumericHost(address, size));
      } else if (errno == EAGAIN) {
        break;
      } else if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) {
        return PauseAccepting("files");
      }
      // Any other error is of the connection that was to be accepted: the next may be fine.
    }
    Control(EPOLL_CTL_MOD, listening_.socket.fd(), EPOLLIN | EPOLLONESHOT, this);
  }

  void Welcome(Socket socket, std::string remote_addr) {
    const int yes = 1;
    setsockopt(socket.fd(), IPPROTO_TCP, TCP_NODELAY, &yes, sizeof(yes));
    auto connection = std::make_unique<Connection>(std::move(socket), std::move(remote_addr),
                                                   options_, buffered_);
    Connection* known = connection.get();
    const std::lock_guard lock(mutex_);
    connections_.emplace(known, std::move(connection));
    const std::lock_guard arming(ArmingOf(known));
    Control(EPOLL_CTL_ADD, known->fd(), EPOLLIN | EPOLLONESHOT, known);
  }

  bool IsFull() {
    const std::lock_guard lock(mutex_);
    return connections_.size() >= options_.max_connections;
  }

  // The kernel's backlog holds who comes now; the sweeper looks again.
  void PauseAccepting(std::string what) {
    log_.Warn("http.accepting_paused", {{"out_of", std::move(what)}});
    is_accepting_paused_ = true;
  }

  void Arm(Connection& connection, std::uint32_t events) {
    const std::lock_guard arming(ArmingOf(&connection));
    Control(EPOLL_CTL_MOD, connection.fd(), events | EPOLLONESHOT, &connection);
  }

  // Another worker can have the connection, and close it, while the call that armed it has not
  // returned. Whoever gets it goes through this lock first.
  std::mutex& ArmingOf(const Connection* connection) {
    return arming_[std::hash<const Connection*>{}(connection) / alignof(std::max_align_t) %
                   arming_.size()];
  }

  void Control(int operation, int fd, std::uint32_t events, void* owner) {
    epoll_event event{};
    event.events = events;
    event.data.ptr = owner;
    if (epoll_ctl(epoll_.fd(), operation, fd, &event) != 0) {
      throw std::system_error(errno, std::generic_category(), "epoll_ctl");
    }
  }

  std::unique_ptr<Connection> Forget(Connection* connection) {
    const std::lock_guard lock(mutex_);
    auto node = connections_.extract(connection);
    return node.empty() ? nullptr : std::move(node.mapped());
  }

  void Sweep(const std::stop_token& stop) {
    const auto interval = SweepInterval(options_);
    std::unique_lock lock(mutex_);
    while (!stop.stop_requested()) {
      woken_.wait_for(lock, stop, interval, [] { return false; });
      const auto now = std::chrono::steady_clock::now();
      for (const auto& [connection, owner] : connections_) {
        if (connection->IsLate(now)) connection->Abort();
      }
      if (is_accepting_paused_.exchange(false)) {
        Control(EPOLL_CTL_MOD, listening_.socket.fd(), EPOLLIN | EPOLLONESHOT, this);
      }
    }
  }

  const ServerOptions options_;
  const Handle handle_;
  router::Log& log_;
  Listening listening_;
  Socket epoll_;
  Socket wake_;
  std::atomic<bool> is_stopping_ = false;
  std::atomic<bool> is_accepting_paused_ = false;
  std::atomic<std::size_t> buffered_ = 0;
  std::mutex mutex_;  // guards connections_; a connection's bytes are its worker's
  std::unordered_map<Connection*, std::unique_ptr<Connection>> connections_;
  std::array<std::mutex, 61> arming_;  // each guards the handing over of some connections
  std::condition_variable_any woken_;
  Crew workers_{{std::min(options_.least_workers, options_.workers), options_.workers},
                [this] { Work(); }};
  std::jthread sweeper_;
};

Server::Server(ServerOptions options, Handle handle, router::Log& log)
    : front_(std::make_unique<Front>(std::move(options), std::move(handle), log)) {}

Server::~Server() = default;

int Server::port() const { return front_->port(); }

std::size_t Server::CountConnections() const { return front_->CountConnections(); }

void Server::Start() { front_->Start(); }

void Server::Stop() { front_->Stop(); }

}  // namespace writ::bot
