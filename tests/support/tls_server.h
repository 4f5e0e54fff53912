#pragma once

#include <atomic>
#include <string>
#include <thread>

namespace writ::tests {

// An HTTPS server on loopback with a certificate of its own that nobody has signed, for 127.0.0.1.
// Answers every request with 200 `secret`, one connection at a time.
class TlsServer {
 public:
  TlsServer();
  ~TlsServer();
  TlsServer(const TlsServer&) = delete;
  TlsServer& operator=(const TlsServer&) = delete;

  [[nodiscard]] std::string Url() const;
  // The certificate in PEM, in a file that goes with the server.
  [[nodiscard]] const std::string& certificate_file() const { return certificate_file_; }
  // Requests of which a byte was read, after the handshake.
  [[nodiscard]] int requests() const { return requests_; }

 private:
  struct Identity;

  void Run(const Identity& identity);

  int listen_fd_ = -1;
  int port_ = 0;
  std::string certificate_file_;
  std::atomic<int> requests_ = 0;
  std::thread thread_;
};

}  // namespace writ::tests
