#include "tests/support/raw_client.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <system_error>

namespace writ::tests {
namespace {

using SteadyClock = std::chrono::steady_clock;

std::string Lower(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower;
}

}  // namespace

std::string RawAnswer::Header(std::string_view name) const {
  const std::string lower = Lower(head);
  const auto at = lower.find("\r\n" + Lower(name) + ": ");
  if (at == std::string::npos) return "";
  const auto begin = at + name.size() + 4;
  return head.substr(begin, head.find("\r\n", begin) - begin);
}

RawClient::RawClient(int port) : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::connect(socket_.fd(), reinterpret_cast<sockaddr*>(&address), sizeof(address)) != 0) {
    throw std::system_error(errno, std::generic_category(), "connect");
  }
}

bool RawClient::Send(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(socket_.fd(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

bool RawClient::ReadMore(SteadyClock::time_point deadline) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - SteadyClock::now());
  pollfd waits{socket_.fd(), POLLIN, 0};
  if (is_closed_ || left.count() <= 0 || ::poll(&waits, 1, static_cast<int>(left.count())) != 1) {
    return false;
  }
  std::array<char, 65536> piece;
  const ssize_t count = ::recv(socket_.fd(), piece.data(), piece.size(), 0);
  if (count <= 0) {
    is_closed_ = true;
    return false;
  }
  rest_.append(piece.data(), static_cast<std::size_t>(count));
  return true;
}

std::optional<RawAnswer> RawClient::Receive(bool has_body, std::chrono::milliseconds within) {
  const auto deadline = SteadyClock::now() + within;
  while (rest_.find("\r\n\r\n") == std::string::npos) {
    if (!ReadMore(deadline)) return std::nullopt;
  }
  const auto end = rest_.find("\r\n\r\n") + 4;
  RawAnswer answer;
  answer.head = rest_.substr(0, end);
  answer.status = std::stoi(answer.head.substr(answer.head.find(' ') + 1));
  rest_.erase(0, end);
  const std::string length = answer.Header("content-length");
  const std::size_t size = has_body && !length.empty() ? std::stoul(length) : 0;
  while (rest_.size() < size) {
    if (!ReadMore(deadline)) return std::nullopt;
  }
  answer.body = rest_.substr(0, size);
  rest_.erase(0, size);
  return answer;
}

bool RawClient::WaitForClose(std::chrono::milliseconds within) {
  const auto deadline = SteadyClock::now() + within;
  while (ReadMore(deadline)) {
  }
  return is_closed_;
}

}  // namespace writ::tests
