#include "bot/process/crew.h"

#include <algorithm>
#include <iterator>
#include <system_error>
#include <utility>

namespace writ::bot {

Crew::Crew(Size size, std::function<void()> work) : size_(size), work_(std::move(work)) {}

Crew::~Crew() { Join(); }

void Crew::Start() {
  for (int i = 0; i < size_.least; ++i) Add();
}

void Crew::Begins() {
  if (++busy_ < members_ || members_ >= size_.most) return;
  try {
    Add();
  } catch (const std::system_error&) {
    // The machine gives no more threads: those that are there go on.
  }
}

void Crew::Ends() { --busy_; }

bool Crew::Leaves() {
  const std::lock_guard lock(mutex_);
  if (is_over_ || members_ <= size_.least) return false;
  // Somebody who begins at this moment either finds one member less, or is seen here: else nobody
  // would be left to wait for the next piece of work.
  if (--members_ <= busy_) {
    ++members_;
    return false;
  }
  gone_.push_back(std::this_thread::get_id());
  return true;
}

void Crew::Add() {
  std::vector<std::jthread> gone;  // joined at the end, when the lock is let go
  const std::lock_guard lock(mutex_);
  if (is_over_ || members_ >= size_.most) return;
  const auto stays = std::partition(threads_.begin(), threads_.end(), [&](const auto& thread) {
    return std::ranges::find(gone_, thread.get_id()) == gone_.end();
  });
  std::move(stays, threads_.end(), std::back_inserter(gone));
  threads_.erase(stays, threads_.end());
  gone_.clear();
  threads_.emplace_back(work_);
  ++members_;
}

void Crew::Join() {
  std::vector<std::jthread> all;  // joined at the end, when the lock is let go
  const std::lock_guard lock(mutex_);
  is_over_ = true;
  all.swap(threads_);
}

}  // namespace writ::bot
