#include "bot/http/connection.h"

#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <limits>
#include <utility>

namespace writ::bot {
namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr std::size_t kMaxLingerBytes = std::size_t{16} << 20;
constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";

// Instead of the time since when it waits.
constexpr SteadyClock::rep kAtWork = std::numeric_limits<SteadyClock::rep>::max();
constexpr SteadyClock::rep kAborted = std::numeric_limits<SteadyClock::rep>::min();

enum class Io { kMoved, kWouldWait, kEnded };

Io Read(int fd, std::array<char, 16384>& piece, std::size_t& size) {
  while (true) {
    const ssize_t count = ::recv(fd, piece.data(), piece.size(), 0);
    if (count > 0) {
      size = static_cast<std::size_t>(count);
      return Io::kMoved;
    }
    if (count == 0) return Io::kEnded;
    if (errno == EINTR) continue;
    return errno == EAGAIN ? Io::kWouldWait : Io::kEnded;
  }
}

Io Write(int fd, std::string_view bytes, std::size_t& size) {
  while (true) {
    const ssize_t count = ::send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (count >= 0) {
      size = static_cast<std::size_t>(count);
      return Io::kMoved;
    }
    if (errno == EINTR) continue;
    return errno == EAGAIN ? Io::kWouldWait : Io::kEnded;
  }
}

}  // namespace

Connection::Connection(Socket socket, std::string remote_addr, const ServerOptions& options,
                       ConnectionMemory& memory)
    : socket_(std::move(socket)),
      remote_addr_(std::move(remote_addr)),
      options_(options),
      memory_(memory),
      reader_(options.max_body_bytes) {
  WaitFor(options_.idle_timeout);
  WaitOutside();
}

Connection::~Connection() {
  memory_.requests -= buffered_;
  memory_.answers -= kept_;
}

void Connection::WaitFor(std::chrono::milliseconds time) {
  began_ = SteadyClock::now();
  deadline_ = (began_ + time).time_since_epoch().count();
}

// From here on, until the next Advance(), others may end it.
void Connection::WaitOutside() {
  if (phase_ != Phase::kReading) {
    waits_for_ = WaitsFor::kPeer;
  } else {
    waits_for_ = is_request_begun_ ? WaitsFor::kRest : WaitsFor::kRequest;
  }
  waits_since_ = began_.time_since_epoch().count();
}

std::optional<Connection::Waiting> Connection::Waits() const {
  const SteadyClock::rep since = waits_since_.load();
  if (since == kAtWork || since == kAborted) return std::nullopt;
  return Waiting{waits_for_, SteadyPoint(SteadyClock::duration(since))};
}

bool Connection::IsLate(SteadyPoint now) const {
  return now.time_since_epoch().count() >= deadline_.load();
}

bool Connection::HasUnread() const {
  char byte = 0;
  return ::recv(socket_.fd(), &byte, 1, MSG_PEEK | MSG_DONTWAIT) > 0;
}

bool Connection::IsAborted() const { return waits_since_.load() == kAborted; }

bool Connection::Abort() {
  SteadyClock::rep since = waits_since_.load();
  if (since == kAtWork || since == kAborted) return false;
  // A worker that has it by now keeps it.
  if (!waits_since_.compare_exchange_strong(since, kAborted)) return false;
  ::shutdown(socket_.fd(), SHUT_RDWR);
  return true;
}

void Connection::CountBuffered() {
  const std::size_t now = reader_.IsIdle() ? 0 : reader_.BufferedBytes();
  memory_.requests += now - buffered_;  // unsigned: wraps to a subtraction
  buffered_ = now;
}

Connection::Next Connection::Advance() {
  if (waits_since_.exchange(kAtWork) == kAborted) return Next::kClose;
  const Next next = GoOn();
  if (next == Next::kRead || next == Next::kWrite) WaitOutside();
  return next;
}

Connection::Next Connection::GoOn() {
  if (phase_ == Phase::kWriting) {
    if (const auto next = Flush()) return *next;
  }
  return phase_ == Phase::kLingering ? Linger() : Receive();
}

Connection::Next Connection::Receive() {
  std::array<char, 16384> piece;
  while (true) {
    switch (reader_.Read()) {
      case MessageReader::State::kComplete:
        return Next::kRun;
      case MessageReader::State::kRefused:
        has_unread_ = true;
        return Next::kRefuse;
      case MessageReader::State::kNeedsMore:
        break;
    }
    if (reader_.TakeContinue()) {
      // Nothing else is on its way out now, so so few bytes fit; where they don't, the client
      // sends its body after a while anyway.
      std::size_t size = 0;
      Write(socket_.fd(), kContinue, size);
    }
    CountBuffered();
    if (memory_.requests > options_.max_buffered_bytes && buffered_ > 0) {
      has_unread_ = true;
      return Next::kOverload;
    }
    std::size_t size = 0;
    switch (Read(socket_.fd(), piece, size)) {
      case Io::kEnded:
        return Next::kClose;
      case Io::kWouldWait:
        return Next::kRead;
      case Io::kMoved:
        break;
    }
    // Counts from its first byte, so that one byte each few seconds gains nothing.
    if (!std::exchange(is_request_begun_, true)) WaitFor(options_.request_timeout);
    reader_.Append(std::string_view(piece.data(), size));
  }
}

Message Connection::Take() {
  Message message = reader_.Take();
  has_unread_ = message.body_too_large;
  CountBuffered();
  deadline_ = std::numeric_limits<SteadyClock::rep>::max();  // the handler's time is its own
  return message;
}

void Connection::Send(Answer answer) {
  out_ = std::move(answer.bytes);
  sent_ = 0;
  keep_alive_ = answer.keep_alive;
  take_over_ = std::move(answer.take_over);
  phase_ = Phase::kWriting;
  WaitFor(options_.response_timeout);
}

std::optional<Connection::Next> Connection::Flush() {
  while (sent_ < out_.size()) {
    std::size_t size = 0;
    switch (Write(socket_.fd(), std::string_view(out_).substr(sent_), size)) {
      case Io::kEnded:
        return Next::kClose;
      case Io::kWouldWait:
        return MayKeepAnswer() ? Next::kWrite : Next::kClose;
      case Io::kMoved:
        sent_ += size;
        break;
    }
  }
  std::string().swap(out_);  // an assignment would keep the memory
  CountKept(0);
  return AfterAnswer();
}

// Whoever reads at once gets what they asked for; of the others there are so many that the memory
// has an end.
bool Connection::MayKeepAnswer() {
  if (kept_ > 0) return true;
  CountKept(out_.capacity());
  return memory_.answers - kept_ <= options_.max_unsent_bytes;
}

void Connection::CountKept(std::size_t bytes) {
  memory_.answers += bytes - kept_;  // unsigned: wraps to a subtraction
  kept_ = bytes;
}

std::optional<Connection::Next> Connection::AfterAnswer() {
  if (take_over_) return Next::kTakeOver;
  if (!keep_alive_) {
    if (!has_unread_) return Next::kClose;
    // Closing with bytes unread resets the connection, and the sender loses our answer.
    ::shutdown(socket_.fd(), SHUT_WR);
    phase_ = Phase::kLingering;
    WaitFor(options_.linger_timeout);
    reader_ = MessageReader(options_.max_body_bytes);
    CountBuffered();
    return std::nullopt;
  }
  phase_ = Phase::kReading;
  is_request_begun_ = !reader_.IsIdle();
  WaitFor(is_request_begun_ ? options_.request_timeout : options_.idle_timeout);
  return std::nullopt;
}

Connection::Next Connection::Linger() {
  std::array<char, 16384> piece;
  while (lingered_ < kMaxLingerBytes) {
    std::size_t size = 0;
    switch (Read(socket_.fd(), piece, size)) {
      case Io::kEnded:
        return Next::kClose;
      case Io::kWouldWait:
        return Next::kRead;
      case Io::kMoved:
        lingered_ += size;
        break;
    }
  }
  return Next::kClose;
}

}  // namespace writ::bot
