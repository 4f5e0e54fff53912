#include "tests/bench/load.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <deque>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <system_error>

#include "bot/http/socket.h"

namespace writ::bench {
namespace {

constexpr std::chrono::seconds kLongestSilence{60};
constexpr std::string_view kEndOfHead = "\r\n\r\n";

[[noreturn]] void Fail(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

bot::Socket Connected(int port) {
  bot::Socket socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<in_port_t>(port));
  if (connect(socket.fd(), reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0) {
    Fail("connect");
  }
  const int yes = 1;
  setsockopt(socket.fd(), IPPROTO_TCP, TCP_NODELAY, &yes, sizeof(yes));
  return socket;
}

int Number(std::string_view text) {
  int number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

// The status of the whole answer at the beginning of `bytes`; nullopt where more is to come. Writ
// gives each body's length; an answer without one has none.
std::optional<int> WholeAnswer(std::string_view bytes) {
  const std::size_t end = bytes.find(kEndOfHead);
  if (end == std::string_view::npos) return std::nullopt;
  constexpr std::string_view kLength = "Content-Length: ";
  const std::size_t length_at = bytes.substr(0, end).find(kLength);
  std::size_t length = 0;
  if (length_at != std::string_view::npos) {
    length = static_cast<std::size_t>(Number(bytes.substr(length_at + kLength.size())));
  }
  if (bytes.size() < end + kEndOfHead.size() + length) return std::nullopt;
  return Number(bytes.substr(9, 3));
}

struct Connection {
  bot::Socket socket;
  std::string out;
  std::size_t sent = 0;
  std::string in;
  std::size_t exchange = 0;  // whose answer is awaited
};

class Driver {
 public:
  Driver(const LoadPlan& plan, const std::function<std::string(std::size_t)>& request)
      : plan_(plan), request_(request), epoll_(epoll_create1(EPOLL_CLOEXEC)) {
    connections_.resize(plan.connections);
    for (Connection& connection : connections_) {
      connection.socket = Connected(plan.port);
      epoll_event event{};
      event.events = EPOLLIN;
      event.data.ptr = &connection;
      if (epoll_ctl(epoll_.fd(), EPOLL_CTL_ADD, connection.socket.fd(), &event) != 0) {
        Fail("epoll_ctl");
      }
      free_.push_back(&connection);
    }
  }

  LoadResult Run() {
    start_ = last_answer_ = Steady::now();
    while (true) {
      SendWhatIsDue();
      if (free_.size() == connections_.size() && !NextDue()) break;
      Wait();
    }
    result_.took = last_answer_ - start_;
    return std::move(result_);
  }

 private:
  // When the next request is due; nullopt where none is to be begun any more.
  [[nodiscard]] std::optional<Steady::time_point> NextDue() const {
    const std::size_t n = result_.exchanges.size();
    if (n >= plan_.most) return std::nullopt;
    Steady::time_point due = Steady::now();
    if (plan_.per_second > 0) {
      const std::chrono::duration<double> offset(static_cast<double>(n) / plan_.per_second);
      due = start_ + std::chrono::duration_cast<Steady::duration>(offset);
    }
    if (due > start_ + plan_.within) return std::nullopt;
    return due;
  }

  void SendWhatIsDue() {
    while (!free_.empty()) {
      const auto due = NextDue();
      if (!due || *due > Steady::now()) return;
      Connection& connection = *free_.front();
      free_.pop_front();
      connection.exchange = result_.exchanges.size();
      connection.out = request_(connection.exchange);
      connection.sent = 0;
      result_.exchanges.push_back({plan_.per_second > 0 ? *due : Steady::now(), {}, 0});
      Write(connection);
    }
  }

  // A request is far smaller than the socket's buffer, which is empty: it goes out at once.
  static void Write(Connection& connection) {
    while (connection.sent < connection.out.size()) {
      const ssize_t count = send(connection.socket.fd(), connection.out.data() + connection.sent,
                                 connection.out.size() - connection.sent, MSG_NOSIGNAL);
      if (count < 0 && errno != EINTR) Fail("send");
      if (count > 0) connection.sent += static_cast<std::size_t>(count);
    }
  }

  void Wait() {
    timespec longest{std::chrono::seconds(kLongestSilence).count(), 0};
    if (const auto due = NextDue(); due && !free_.empty()) {
      const auto left = std::max<Steady::duration>(*due - Steady::now(), Steady::duration::zero());
      const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(left);
      longest = {seconds.count(), std::chrono::nanoseconds(left - seconds).count()};
    }
    std::array<epoll_event, 64> events{};
    const int count = epoll_pwait2(epoll_.fd(), events.data(), static_cast<int>(events.size()),
                                   &longest, nullptr);
    if (count == 0 && Steady::now() - last_answer_ > kLongestSilence) {
      throw std::runtime_error("no answer for a minute");
    }
    for (int i = 0; i < count; ++i) {
      Read(*static_cast<Connection*>(events.at(static_cast<std::size_t>(i)).data.ptr));
    }
  }

  void Read(Connection& connection) {
    std::array<char, 16384> bytes{};
    const ssize_t count = recv(connection.socket.fd(), bytes.data(), bytes.size(), 0);
    if (count <= 0) throw std::runtime_error("a connection ended");
    connection.in.append(bytes.data(), static_cast<std::size_t>(count));
    const auto status = WholeAnswer(connection.in);
    if (!status) return;
    connection.in.clear();  // nothing is pipelined
    last_answer_ = Steady::now();
    Exchange& exchange = result_.exchanges[connection.exchange];
    exchange.done = last_answer_;
    exchange.status = *status;
    free_.push_back(&connection);
  }

  const LoadPlan& plan_;
  const std::function<std::string(std::size_t)>& request_;
  bot::Socket epoll_;
  std::vector<Connection> connections_;
  std::deque<Connection*> free_;
  Steady::time_point start_;
  Steady::time_point last_answer_;
  LoadResult result_;
};

}  // namespace

double LoadResult::PerSecond() const {
  return static_cast<double>(exchanges.size()) / std::chrono::duration<double>(took).count();
}

std::vector<double> LoadResult::Latencies() const {
  std::vector<double> latencies;
  latencies.reserve(exchanges.size());
  for (const Exchange& exchange : exchanges) {
    latencies.push_back(
        std::chrono::duration<double, std::milli>(exchange.done - exchange.due).count());
  }
  return latencies;
}

void LoadResult::MustAllBe(int status) const {
  for (const Exchange& exchange : exchanges) {
    if (exchange.status != status) {
      throw std::runtime_error("a request was answered " + std::to_string(exchange.status));
    }
  }
}

LoadResult Drive(const LoadPlan& plan, const std::function<std::string(std::size_t n)>& request) {
  return Driver(plan, request).Run();
}

std::string PostBytes(const std::string& path, const std::string& headers,
                      const std::string& body) {
  return "POST " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n" +
         headers + "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

double Quantile(std::vector<double> values, double q) {
  if (values.empty()) return 0;
  const auto at =
      std::min(values.size() - 1, static_cast<std::size_t>(q * static_cast<double>(values.size())));
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(at), values.end());
  return values[at];
}

}  // namespace writ::bench
