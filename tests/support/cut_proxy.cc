#include "tests/support/cut_proxy.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <string>
#include <system_error>
#include <utility>

namespace writ::tests {
namespace {

constexpr int kLookMs = 10;

void MustWork(bool worked, const char* what) {
  if (!worked) throw std::system_error(errno, std::generic_category(), what);
}

int ConnectTo(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path.copy(static_cast<char*>(address.sun_path), sizeof(address.sun_path) - 1);
  const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0) return fd;
  close(fd);
  return -1;
}

bool IsReadable(int fd, int wait_ms) {
  pollfd socket{fd, POLLIN, 0};
  return poll(&socket, 1, wait_ms) > 0;
}

// What there is to be read; empty where the connection has ended.
std::string Read(int from) {
  std::array<char, 65536> bytes{};
  const ssize_t count = recv(from, bytes.data(), bytes.size(), 0);
  return {bytes.data(), count > 0 ? static_cast<std::size_t>(count) : 0};
}

bool Write(int to, std::string_view bytes) {
  const ssize_t count = send(to, bytes.data(), bytes.size(), MSG_NOSIGNAL);
  return !bytes.empty() && count == static_cast<ssize_t>(bytes.size());
}

}  // namespace

CutProxy::CutProxy(std::string server)
    : server_(std::move(server)), listener_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof(address);
  auto* const any = reinterpret_cast<sockaddr*>(&address);
  MustWork(bind(listener_, any, size) == 0 && listen(listener_, 64) == 0 &&
               getsockname(listener_, any, &size) == 0,
           "a proxy's socket");
  port_ = ntohs(address.sin_port);
  thread_ = std::jthread([this] { Accept(); });
}

CutProxy::~CutProxy() {
  ends_ = true;
  thread_.join();
  close(listener_);
}

void CutProxy::Expect(Mode mode, const std::string& words) {
  const std::lock_guard lock(mutex_);
  mode_ = mode;
  words_ = words;
}

CutProxy::Mode CutProxy::ModeOf(std::string_view said) {
  const std::lock_guard lock(mutex_);
  if (mode_ == Mode::kPass || said.find(words_) == std::string_view::npos) return Mode::kPass;
  return std::exchange(mode_, Mode::kPass);
}

void CutProxy::Accept() {
  while (!ends_) {
    if (!IsReadable(listener_, kLookMs)) continue;
    const int client = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (client >= 0) connections_.emplace_back([this, client] { Pass(client); });
  }
  connections_.clear();
}

void CutProxy::Pass(int client) {
  const int server = ConnectTo(server_);
  while (server >= 0 && !ends_) {
    std::array<pollfd, 2> sockets{{{client, POLLIN, 0}, {server, POLLIN, 0}}};
    if (poll(sockets.data(), sockets.size(), kLookMs) <= 0) continue;
    if (silent_) {
      std::this_thread::sleep_for(std::chrono::milliseconds(kLookMs));
      continue;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(delay_));  // what a long way takes
    if (sockets[1].revents != 0 && !Write(client, Read(server))) break;
    if (sockets[0].revents == 0) continue;
    const std::string said = Read(client);
    const Mode mode = ModeOf(said);
    if (mode == Mode::kLoseRequest || !Write(server, said)) break;
    if (mode == Mode::kLoseAnswer) {
      (void)IsReadable(server, 10000);  // it was answered
      break;
    }
  }
  close(client);
  if (server >= 0) close(server);
}

}  // namespace writ::tests
