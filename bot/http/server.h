#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "bot/http/request.h"
#include "router/base/log.h"

namespace writ::bot {

struct Message;

struct ServerOptions {
  std::string host = "127.0.0.1";
  int port = 0;  // 0 picks one
  // Workers run handlers and nothing else: a connection that is idle, drips its request or reads
  // its answer slowly occupies none of them. Handlers do wait for a group commit: with four
  // workers a batch stays small.
  int workers = 32;                                         // at most
  int least_workers = 4;                                    // at rest, where there are more of them
  std::size_t max_body_bytes = std::size_t{1} << 20;        // as received
  std::size_t max_buffered_bytes = std::size_t{256} << 20;  // of all unfinished requests together
  // Of all answers together that their clients do not read at once: beyond it such a client is cut
  // off.
  std::size_t max_unsent_bytes = std::size_t{256} << 20;
  std::size_t max_connections = 10000;
  // Which requests stand in line where three quarters of the workers have one such already, so that
  // all others find a worker; beyond the line, and after the longest wait in it, they are refused
  // as `overloaded`. Empty: none.
  std::function<bool(const Message&)> may_wait = {};
  std::size_t max_waiting = 1000;
  std::chrono::milliseconds longest_wait{2000};
  // What was refused as `overloaded`, and why: `line`, `memory` (of unfinished requests). On any
  // thread of the server; may be empty.
  std::function<void(std::string_view why)> on_refused = {};
  std::chrono::milliseconds idle_timeout{60000};
  std::chrono::milliseconds request_timeout{30000};   // first byte to last, however it drips
  std::chrono::milliseconds response_timeout{30000};  // until the peer took all of it
  // For a request or its answer, where all places are taken and somebody waits for one.
  std::chrono::milliseconds timeout_where_full{5000};
  // How long and how much more of a refused request is read and dropped before its connection is
  // closed: closing at once would reset it, and the sender would never see why.
  std::chrono::milliseconds linger_timeout{5000};
};

// The HTTP server: an epoll front of our own before cpp-httplib (docs/decisions/0002). A request
// is collected without blocking until all of it is there; only then a worker runs the handler.
class Server {
 public:
  using Handle = std::function<Response(Request)>;  // runs on all workers; must not throw

  // Binds and listens; connections wait until Start().
  //
  // log     must outlive the server
  // throws  Failure{kPermanent} where the port is in use
  Server(ServerOptions options, Handle handle, router::Log& log);
  ~Server();  // stops
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  [[nodiscard]] int port() const;
  [[nodiscard]] std::size_t CountConnections() const;  // that are open now
  [[nodiscard]] std::size_t CountWaiting() const;      // requests that stand in line

  void Start();  // once
  // Stops accepting, lets handlers that run finish and their answers go out as far as the socket
  // takes them, closes everything. May be called twice, never from a handler.
  void Stop();

 private:
  class Front;
  std::unique_ptr<Front> front_;
};

}  // namespace writ::bot
