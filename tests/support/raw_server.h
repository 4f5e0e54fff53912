#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace writ::tests {

struct RawRequest {
  std::size_t connection = 0;  // in order of accepting, from 0
  std::string head;            // request line and headers, as they came
  std::string body;

  [[nodiscard]] bool Has(std::string_view text_of_head) const {
    return head.find(text_of_head) != std::string::npos;
  }
};

// What a connection does next. After the last step the next request is read.
struct RawStep {
  // kRepeat sends its bytes again and again, until the other side has gone.
  enum class Kind { kSend, kDrip, kRepeat, kHold, kClose, kReset };
  Kind kind;
  std::string bytes = {};
  // kDrip: the wait before each byte. kRepeat: before the bytes come again, a millisecond at least.
  std::chrono::milliseconds every{0};
};

// A whole 200 reply.
[[nodiscard]] std::string Ok(std::string_view body, std::string_view more_headers = "");

// An HTTP server on loopback that does to each request exactly what its script says, however wrong
// that is. One thread, any number of connections.
class RawServer {
 public:
  using Steps = std::vector<RawStep>;
  // Called on the server's thread, once for each request that was read in full.
  using Script = std::function<Steps(const RawRequest&)>;

  explicit RawServer(Script script);
  ~RawServer();
  RawServer(const RawServer&) = delete;
  RawServer& operator=(const RawServer&) = delete;

  [[nodiscard]] int port() const { return port_; }
  [[nodiscard]] std::string Url(std::string_view path) const;

  // Lets every connection that holds, or will, go on.
  void Release();

  [[nodiscard]] std::vector<RawRequest> requests() const;
  [[nodiscard]] std::size_t connections() const;
  // false where it did not happen within 30 s.
  [[nodiscard]] bool WaitForRequests(std::size_t count) const;
  [[nodiscard]] bool WaitForConnections(std::size_t count) const;
  [[nodiscard]] bool WaitForClosed(std::size_t count) const;  // connections that have ended

 private:
  struct Connection {
    std::size_t number = 0;
    std::string in;
    std::string out;
    std::size_t out_sent = 0;  // of `out`
    std::deque<RawStep> steps;
    std::chrono::steady_clock::time_point next_drip{};
  };

  void Run();
  void Accept();
  void Read(int fd);
  void GoOn(int fd);
  [[nodiscard]] bool Flush(int fd, Connection& connection);
  [[nodiscard]] bool TakeRequest(Connection& connection);
  void Close(int fd, bool reset);
  void Wake() const;
  template <typename Condition>
  [[nodiscard]] bool WaitUntil(Condition condition) const;

  const Script script_;
  int listen_fd_ = -1;
  int epoll_fd_ = -1;
  int wake_fd_ = -1;
  int port_ = 0;
  std::map<int, Connection> open_;

  mutable std::mutex mutex_;  // guards what follows
  mutable std::condition_variable changed_;
  std::vector<RawRequest> requests_;
  std::size_t accepted_ = 0;
  std::size_t closed_ = 0;
  bool released_ = false;
  bool ending_ = false;

  std::thread thread_;
};

}  // namespace writ::tests
