#include "bot/http/server.h"

#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
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
#include "bot/http/make_room.h"
#include "bot/http/problem.h"
#include "bot/http/socket.h"
#include "bot/http/waiting_line.h"
#include "bot/process/crew.h"

namespace writ::bot {
namespace {

constexpr int kBacklog = 1024;
constexpr int kAcceptsInARow = 64;
// After so many requests in one read a connection lines up again, so that one that never ceases to
// send does not keep a worker to itself.
constexpr int kRequestsInARow = 16;
constexpr int kMostIgnored = 256;
constexpr std::string_view kNoFiles =
    "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nConnection: close\r\n"
    "Content-Length: 0\r\n\r\n";

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
  const auto shortest =
      std::min({options.idle_timeout, options.request_timeout, options.response_timeout,
                options.linger_timeout, options.longest_wait});
  return std::clamp(shortest / 4, std::chrono::milliseconds(10), std::chrono::milliseconds(1000));
}

WaitingLine::Limits LineOf(const ServerOptions& options) {
  const auto reserved = static_cast<std::size_t>((options.workers + 3) / 4);
  const auto workers = static_cast<std::size_t>(options.workers);
  return {.running = std::max<std::size_t>(workers - std::min(reserved, workers), 1),
          .waiting = options.max_waiting,
          .bytes = options.max_buffered_bytes,
          .longest = options.longest_wait};
}

// Kept open for the moment in which no other file can be.
Socket SpareFile() { return Socket(::open("/dev/null", O_RDONLY | O_CLOEXEC)); }

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

  [[nodiscard]] std::size_t CountWaiting() const { return line_.Count(); }

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
    line_.Clear();
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
      while (auto waiting = line_.Next()) RunWaiting(*std::move(waiting), exchange);
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
      Fail(connection, error);
    }
  }

  void Fail(Connection& connection, const std::exception& error) {
    log_.Error("http.connection_failed", {{"type", typeid(error).name()}});
    Close(connection);
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
          if (!Run(connection, exchange)) return;  // it is the line's
          break;
        case Connection::Next::kRefuse:
          connection.Send(exchange.Refuse(connection.refusal()));
          break;
        case Connection::Next::kOverload:
          Overload(connection, exchange, "memory");
          break;
        case Connection::Next::kTakeOver:
          return HandOver(connection);
        case Connection::Next::kClose:
          return Close(connection);
      }
    }
  }

  // False: the request stands in line.
  bool Run(Connection& connection, Exchange& exchange) {
    Message message = connection.Take();
    if (!options_.may_wait || !options_.may_wait(message)) {
      connection.Send(exchange.Run(std::move(message), connection.remote_addr()));
      return true;
    }
    switch (line_.Enter(connection, message, std::chrono::steady_clock::now())) {
      case WaitingLine::Place::kRuns: {
        const InLine place(line_);
        connection.Send(exchange.Run(std::move(message), connection.remote_addr()));
        return true;
      }
      case WaitingLine::Place::kRefused:
        Overload(connection, exchange, "line");
        return true;
      case WaitingLine::Place::kWaits:
        return false;
    }
    return true;
  }

  void RunWaiting(WaitingLine::Waiting waiting, Exchange& exchange) {
    Connection& connection = *waiting.connection;
    try {
      const InLine place(line_);
      connection.Send(exchange.Run(std::move(waiting.message), connection.remote_addr()));
    } catch (const std::exception& error) {
      return Fail(connection, error);
    }
    ServeGuarded(connection, exchange);
  }

  void RefuseOverdue(Exchange& exchange) {
    while (const auto waiting = line_.TakeOverdue(std::chrono::steady_clock::now())) {
      Connection& connection = *waiting->connection;
      try {
        Overload(connection, exchange, "line");
      } catch (const std::exception& error) {
        Fail(connection, error);
        continue;
      }
      ServeGuarded(connection, exchange);
    }
  }

  void Overload(Connection& connection, Exchange& exchange, std::string_view why) {
    if (options_.on_refused) options_.on_refused(why);
    connection.Send(exchange.Refuse({ProblemCode::kOverloaded, "Try again in a moment."}));
  }

  void HandOver(Connection& connection) {
    // Out of the sweeper's sight first: the socket is somebody else's from here on.
    const std::unique_ptr<Connection> taken = Forget(&connection);
    epoll_ctl(epoll_.fd(), EPOLL_CTL_DEL, taken->fd(), nullptr);
    taken->TakeOver(taken->Release());
    AcceptAgain();
  }

  void Close(Connection& connection) {
    Forget(&connection).reset();
    AcceptAgain();
  }

  // Where somebody was kept waiting, and there is room now.
  void AcceptAgain() {
    if (!is_accepting_paused_ || IsFull() || !is_accepting_paused_.exchange(false)) return;
    try {
      Control(EPOLL_CTL_MOD, listening_.socket.fd(), EPOLLIN | EPOLLONESHOT, this);
    } catch (const std::system_error& error) {
      log_.Error("http.accept_failed", {{"type", typeid(error).name()}});
      is_accepting_paused_ = true;
    }
  }

  void Accept() {
    for (int i = 0; i < kAcceptsInARow; ++i) {
      if (IsFull()) {
        PauseAccepting("connections");
        return AcceptAgain();  // one may have gone between the two
      }
      sockaddr_storage storage{};
      socklen_t size = sizeof(storage);
      auto* address = reinterpret_cast<sockaddr*>(&storage);
      Socket socket(accept4(listening_.socket.fd(), address, &size, SOCK_NONBLOCK | SOCK_CLOEXEC));
      if (socket.fd() >= 0) {
        Welcome(std::move(socket), NumericHost(address, size));
      } else if (errno == EAGAIN) {
        break;
      } else if (errno == EMFILE || errno == ENFILE) {
        if (!RefuseForWantOfFiles()) return PauseAccepting("files");
      } else if (errno == ENOBUFS || errno == ENOMEM) {
        return PauseAccepting("memory");
      }
      // Any other error is of the connection that was to be accepted: the next may be fine.
    }
    Control(EPOLL_CTL_MOD, listening_.socket.fd(), EPOLLIN | EPOLLONESHOT, this);
  }

  // Whoever comes now is told so, with the file that was kept for it: in the backlog they would
  // wait for what may never come. False: not even that can be done.
  bool RefuseForWantOfFiles() {
    const std::lock_guard lock(spare_mutex_);
    if (spare_.fd() < 0) return false;
    spare_ = {};
    {
      const Socket socket(
          accept4(listening_.socket.fd(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
      if (socket.fd() >= 0) {
        send(socket.fd(), kNoFiles.data(), kNoFiles.size(), MSG_NOSIGNAL);
        ::shutdown(socket.fd(), SHUT_WR);
        // What came already is read: closing with bytes unread takes our answer back.
        std::array<char, 4096> ignored;  // NOLINT(cppcoreguidelines-pro-type-member-init)
        for (int i = 0;
             i < kMostIgnored && recv(socket.fd(), ignored.data(), ignored.size(), 0) > 0; ++i) {
        }
      }
    }
    spare_ = SpareFile();
    TellOnce("http.connection_refused", "files");
    return spare_.fd() >= 0;
  }

  void Welcome(Socket socket, std::string remote_addr) {
    const int yes = 1;
    setsockopt(socket.fd(), IPPROTO_TCP, TCP_NODELAY, &yes, sizeof(yes));
    auto connection =
        std::make_unique<Connection>(std::move(socket), std::move(remote_addr), options_, memory_);
    Connection* known = connection.get();
    const std::lock_guard lock(mutex_);
    connections_.emplace(known, std::move(connection));
    is_told_ = false;
    const std::lock_guard arming(ArmingOf(known));
    Control(EPOLL_CTL_ADD, known->fd(), EPOLLIN | EPOLLONESHOT, known);
  }

  bool IsFull() {
    const std::lock_guard lock(mutex_);
    return connections_.size() >= options_.max_connections;
  }

  // The kernel's backlog holds who comes now; who closes a connection, or the sweeper, looks again.
  void PauseAccepting(std::string what) {
    TellOnce("http.accepting_paused", std::move(what));
    is_accepting_paused_ = true;
  }

  // Until somebody is taken again: whoever keeps coming must not fill the log.
  void TellOnce(std::string_view event, std::string out_of) {
    if (!is_told_.exchange(true)) log_.Warn(event, {{"out_of", std::move(out_of)}});
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
    Exchange exchange(handle_);  // for refusals: it runs no request
    while (true) {
      {
        std::unique_lock lock(mutex_);
        woken_.wait_for(lock, stop, interval, [] { return false; });
      }
      if (stop.stop_requested()) return;
      try {
        RefuseOverdue(exchange);
        SpareAgain();
        CloseWhoKeepsWaiting();
      } catch (const std::exception& error) {
        log_.Error("http.sweep_failed", {{"type", typeid(error).name()}});
      }
      AcceptAgain();
    }
  }

  void CloseWhoKeepsWaiting() {
    const std::lock_guard lock(mutex_);
    const auto now = std::chrono::steady_clock::now();
    for (const auto& [connection, owner] : connections_) {
      if (connection->IsLate(now)) connection->Abort();
    }
    if (connections_.size() < options_.max_connections || !IsAnybodyWaiting()) return;
    std::vector<Connection*> all;
    all.reserve(connections_.size());
    for (const auto& [connection, owner] : connections_) all.push_back(connection);
    MakeRoom(all, now, options_.timeout_where_full);
  }

  [[nodiscard]] bool IsAnybodyWaiting() const {
    pollfd backlog{listening_.socket.fd(), POLLIN, 0};
    return poll(&backlog, 1, 0) > 0;
  }

  // A file may have been free again since the last one was taken for it.
  void SpareAgain() {
    const std::lock_guard lock(spare_mutex_);
    if (spare_.fd() < 0) spare_ = SpareFile();
  }

  // One that runs, of those that may wait.
  class InLine {
   public:
    explicit InLine(WaitingLine& line) : line_(line) {}
    ~InLine() { line_.Leave(); }
    InLine(const InLine&) = delete;
    InLine& operator=(const InLine&) = delete;

   private:
    WaitingLine& line_;
  };

  const ServerOptions options_;
  const Handle handle_;
  router::Log& log_;
  Listening listening_;
  Socket epoll_;
  Socket wake_;
  std::atomic<bool> is_stopping_ = false;
  std::atomic<bool> is_accepting_paused_ = false;
  std::atomic<bool> is_told_ = false;  // that nobody more is taken
  ConnectionMemory memory_;
  WaitingLine line_{LineOf(options_)};
  std::mutex spare_mutex_;
  Socket spare_ = SpareFile();  // guarded by spare_mutex_
  std::mutex mutex_;            // guards connections_; a connection's bytes are its worker's
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

std::size_t Server::CountWaiting() const { return front_->CountWaiting(); }

void Server::Start() { front_->Start(); }

void Server::Stop() { front_->Stop(); }

}  // namespace writ::bot
