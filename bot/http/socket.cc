#include "bot/http/socket.h"

#include <netdb.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>

#include "router/base/failure.h"

namespace writ::bot {
namespace {

using router::Failure;

struct FreeAddresses {
  void operator()(addrinfo* list) const { freeaddrinfo(list); }
};
using Addresses = std::unique_ptr<addrinfo, FreeAddresses>;

Addresses Resolve(const std::string& host, int port) {
  addrinfo hints{};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
  addrinfo* list = nullptr;
  const int rc = getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &list);
  if (rc != 0) {
    throw Failure(Failure::Kind::kPermanent,
                  "cannot listen at " + host + ": " + std::string(gai_strerror(rc)));
  }
  return Addresses(list);
}

int PortOf(int fd) {
  sockaddr_storage address{};
  socklen_t size = sizeof(address);
  // The kernel's own address record: it begins with the family that says what it is.
  getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size);
  char port[NI_MAXSERV] = {};
  getnameinfo(reinterpret_cast<sockaddr*>(&address), size, nullptr, 0, port, sizeof(port),
              NI_NUMERICSERV);
  return std::stoi(port);
}

// The listening socket, or one without a descriptor and errno set.
Socket TryListen(const addrinfo& address, int backlog) {
  Socket socket(::socket(address.ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (socket.fd() < 0) return socket;
  const int yes = 1;
  setsockopt(socket.fd(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
  if (::bind(socket.fd(), address.ai_addr, address.ai_addrlen) != 0 ||
      ::listen(socket.fd(), backlog) != 0) {
    const int error = errno;
    socket = Socket();
    errno = error;
  }
  return socket;
}

}  // namespace

Socket& Socket::operator=(Socket&& other) noexcept {
  if (this != &other) {
    Socket old(std::exchange(fd_, std::exchange(other.fd_, -1)));
  }
  return *this;
}

Socket::~Socket() {
  if (fd_ >= 0) ::close(fd_);
}

Listening ListenAt(const std::string& host, int port, int backlog) {
  const Addresses addresses = Resolve(host, port);
  int error = 0;
  for (const addrinfo* address = addresses.get(); address != nullptr; address = address->ai_next) {
    Socket socket = TryListen(*address, backlog);
    if (socket.fd() >= 0) {
      const int picked = PortOf(socket.fd());
      return {std::move(socket), picked};
    }
    error = errno;
  }
  throw Failure(Failure::Kind::kPermanent, "cannot listen at " + host + ":" + std::to_string(port) +
                                               ": " + std::strerror(error));
}

void RaiseFileLimit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

}  // namespace writ::bot
