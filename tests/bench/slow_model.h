#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <deque>
#include <memory>
#include <string>
#include <thread>
#include <unordered_map>

#include "bot/http/socket.h"
#include "tests/bench/load.h"

namespace writ::bench {

// A model that speaks OpenAI's Chat Completions, takes its time, and then says one sentence; on one
// thread, however many ask at once.
class SlowModel {
 public:
  explicit SlowModel(std::chrono::milliseconds takes);
  ~SlowModel();
  SlowModel(const SlowModel&) = delete;
  SlowModel& operator=(const SlowModel&) = delete;

  [[nodiscard]] std::string base_url() const;

  // Nobody is answered until so many wait; each is then, after the usual time.
  void Gather(std::size_t count) { gather_ = count; }
  [[nodiscard]] std::size_t waiting() const { return waiting_count_; }

 private:
  struct Client {
    bot::Socket socket;
    std::string in;
  };
  struct Question {
    Steady::time_point due;
    int client = 0;
  };

  void Run();
  void Accept();
  void Read(int client);
  void Forget(int client);
  void AnswerWhatIsDue();
  [[nodiscard]] int MillisecondsToNext() const;

  const std::chrono::milliseconds takes_;
  bot::Listening listening_;
  bot::Socket epoll_;
  bot::Socket wake_;
  std::unordered_map<int, Client> clients_;  // by descriptor
  std::deque<Question> questions_;           // in the order in which they are due
  std::atomic<std::size_t> gather_{0};
  std::atomic<std::size_t> waiting_count_{0};
  std::atomic<bool> is_over_{false};
  std::thread thread_;
};

}  // namespace writ::bench
