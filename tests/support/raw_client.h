#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "bot/http/socket.h"

namespace writ::tests {

// What came back, as it stood on the wire.
struct RawAnswer {
  int status = 0;
  std::string head;  // with the status line, in the server's own spelling
  std::string body;

  // The value of that header (any case); empty where there is none.
  [[nodiscard]] std::string Header(std::string_view name) const;
};

// One connection on which a test says exactly what it wants, byte by byte.
class RawClient {
 public:
  // throws  std::system_error where nobody listens
  explicit RawClient(int port);

  // False where the other side no longer takes it.
  bool Send(std::string_view bytes);
  // The next answer; `has_body` is false for one to HEAD. nullopt: the connection ended, or the
  // time was up.
  std::optional<RawAnswer> Receive(bool has_body = true,
                                   std::chrono::milliseconds within = std::chrono::seconds(10));
  // Reads and drops until the server closes; false where the time was up first.
  bool WaitForClose(std::chrono::milliseconds within = std::chrono::seconds(10));
  // Bytes that came and belong to no answer that was received; waits for none.
  [[nodiscard]] const std::string& rest() const { return rest_; }
  [[nodiscard]] int fd() const { return socket_.fd(); }

 private:
  bool ReadMore(std::chrono::steady_clock::time_point deadline);

  bot::Socket socket_;
  std::string rest_;
  bool is_closed_ = false;
};

}  // namespace writ::tests
