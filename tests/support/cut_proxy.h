#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace writ::tests {

// Stands between a client and a server's socket, and cuts what passes as a test wants it. Bytes are
// passed on as they come; one connection or many.
class CutProxy {
 public:
  // Listens at 127.0.0.1:port() and connects to the socket at the path `server`.
  explicit CutProxy(std::string server);
  ~CutProxy();
  CutProxy(const CutProxy&) = delete;
  CutProxy& operator=(const CutProxy&) = delete;

  [[nodiscard]] int port() const { return port_; }

  // The next thing said by a client with `words` in it reaches the server, and its answer nobody:
  // the connection is closed instead. Later connections are whole again.
  void LoseAnswerTo(const std::string& words) { Expect(Mode::kLoseAnswer, words); }
  // The same, and it reaches nobody.
  void LoseRequest(const std::string& words) { Expect(Mode::kLoseRequest, words); }
  // Nothing passes any more, in either direction, and nothing is closed: a cable that was cut.
  void FallSilent() { silent_ = true; }
  void SpeakAgain() { silent_ = false; }
  // Everything takes so much longer, in each direction.
  void Delay(std::chrono::milliseconds delay) { delay_ = delay.count(); }

 private:
  enum class Mode { kPass, kLoseAnswer, kLoseRequest };
  void Expect(Mode mode, const std::string& words);
  Mode ModeOf(std::string_view said);
  void Accept();
  void Pass(int client);

  const std::string server_;
  int listener_;
  int port_ = 0;
  std::mutex mutex_;  // guards what follows
  Mode mode_ = Mode::kPass;
  std::string words_;
  std::atomic<bool> silent_{false};
  std::atomic<std::int64_t> delay_{0};  // milliseconds
  std::atomic<bool> ends_{false};
  std::vector<std::jthread> connections_;  // the accepting thread's
  std::jthread thread_;
};

}  // namespace writ::tests
