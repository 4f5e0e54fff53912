#pragma once

#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>

namespace writ::store {

// A thread that hears from the other nodes of a store that they left work. Hints only: a lost
// connection loses some, and whoever polls needs none.
class Hints {
 public:
  struct Ear {
    std::stop_token stop;
    int wake;                    // a descriptor: something is there when the thread is to end
    std::function<void()> tell;  // at each hint, and once it is listened: what was said is lost
  };
  // Listens on a connection of its own until it is to end. Whatever it throws means that the store
  // is away: it is called again after a back-off.
  using Listen = std::function<void(const Ear& ear)>;
  explicit Hints(Listen listen);
  ~Hints();
  Hints(const Hints&) = delete;
  Hints& operator=(const Hints&) = delete;

  // Runs `listener` on the thread when another node left work, and each time the connection is
  // there again. Waits for one that runs; an empty one ends it.
  void OnWork(std::function<void()> listener);

 private:
  void Loop(const std::stop_token& stop);
  void Tell();

  const Listen listen_;
  const int wake_;    // an eventfd
  std::mutex mutex_;  // guards what follows, and is held while it runs
  std::function<void()> listener_;

  std::jthread thread_;
};

}  // namespace writ::store
