#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "bot/http/exchange.h"
#include "bot/http/message.h"
#include "bot/http/server.h"
#include "bot/http/socket.h"

namespace writ::bot {

// What all connections together hold.
struct ConnectionMemory {
  std::atomic<std::size_t> requests = 0;  // bytes of unfinished ones
  std::atomic<std::size_t> answers = 0;   // bytes of those that wait for their reader
};

// One client's connection: moves bytes without ever waiting. It belongs to one worker at a time;
// only what it waits for is looked at by others.
class Connection {
 public:
  using SteadyPoint = std::chrono::steady_clock::time_point;

  enum class Next {
    kRead,      // wait until the socket can be read
    kWrite,     // wait until it can be written
    kRun,       // a request is complete: Take() it, then Send() the answer
    kRefuse,    // what came is no request: Send() the answer to refusal()
    kOverload,  // unfinished requests take too much memory: Send() the refusal
    kTakeOver,  // the answer's head is out: Release() the socket and TakeOver() it
    kClose,
  };

  // options, memory  must outlive the connection
  Connection(Socket socket, std::string remote_addr, const ServerOptions& options,
             ConnectionMemory& memory);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  [[nodiscard]] int fd() const { return socket_.fd(); }
  [[nodiscard]] const std::string& remote_addr() const { return remote_addr_; }
  [[nodiscard]] const Problem& refusal() const { return reader_.refusal(); }

  // Goes on until something has to happen elsewhere.
  [[nodiscard]] Next Advance();
  [[nodiscard]] Message Take();
  void Send(Answer answer);

  [[nodiscard]] Socket Release() { return std::move(socket_); }
  void TakeOver(Socket socket) { take_over_(std::move(socket)); }

  // What follows may be called by any thread.

  enum class WaitsFor {
    kRequest,  // its first byte
    kRest,     // of a request
    kPeer,     // to take its answer, or to end what was refused
  };
  struct Waiting {
    WaitsFor what = WaitsFor::kRequest;
    SteadyPoint since;
  };
  // nullopt: a worker has it, or the line, or it was aborted.
  [[nodiscard]] std::optional<Waiting> Waits() const;
  // Whether the time is up for what it waits for.
  [[nodiscard]] bool IsLate(SteadyPoint now) const;
  // Whether bytes came that no worker has read.
  [[nodiscard]] bool HasUnread() const;
  [[nodiscard]] bool IsAborted() const;
  // Ends one that waits: the client is told at once, and the next Advance() says kClose whatever
  // came meanwhile, so that nothing runs whose answer nobody gets. False: it does not wait.
  bool Abort();

 private:
  enum class Phase { kReading, kWriting, kLingering };

  Next GoOn();
  Next Receive();
  std::optional<Next> Flush();  // nullopt: go on
  std::optional<Next> AfterAnswer();
  Next Linger();
  void WaitFor(std::chrono::milliseconds time);
  void WaitOutside();
  void CountBuffered();
  bool MayKeepAnswer();
  void CountKept(std::size_t bytes);

  Socket socket_;
  const std::string remote_addr_;
  const ServerOptions& options_;
  ConnectionMemory& memory_;
  std::size_t buffered_ = 0;  // this connection's part of `requests`
  std::size_t kept_ = 0;      // and of `answers`
  MessageReader reader_;
  Phase phase_ = Phase::kReading;
  bool is_request_begun_ = false;
  bool keep_alive_ = true;
  bool has_unread_ = false;  // more of a refused request may be on its way
  std::size_t lingered_ = 0;
  std::string out_;
  std::size_t sent_ = 0;
  std::function<void(Socket)> take_over_;
  SteadyPoint began_;  // to wait, or the request or answer that is under way
  std::atomic<std::chrono::steady_clock::rep> deadline_;
  std::atomic<WaitsFor> waits_for_;  // while waits_since_ is a time
  std::atomic<std::chrono::steady_clock::rep> waits_since_;
};

}  // namespace writ::bot
