#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace writ::bot {

// Threads that do the same work, as many as there is work for: one more comes when none of them is
// free any more, and one goes that found nothing to do for a while. A node at rest has few.
//
// Each runs `work`, a loop that says Begins() when it has something to do, Ends() when that is
// done, and returns when it found nothing for kWhile and Leaves() lets it.
class Crew {
 public:
  static constexpr std::chrono::milliseconds kWhile{1000};

  struct Size {
    int least = 1;
    int most = 1;
  };

  Crew(Size size, std::function<void()> work);
  ~Crew();  // Join()
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  void Start();
  void Begins();
  void Ends();
  [[nodiscard]] bool Leaves();
  // Waits for all of them, whom somebody told to return. None comes any more.
  void Join();

 private:
  void Add();

  const Size size_;
  const std::function<void()> work_;
  std::atomic<int> members_{0};  // grows under mutex_ alone
  std::atomic<int> busy_{0};
  std::mutex mutex_;  // guards all below
  bool is_over_ = false;
  std::vector<std::jthread> threads_;
  std::vector<std::thread::id> gone_;  // of threads_: they return, or have returned
};

}  // namespace writ::bot
