#pragma once

#include <semaphore>

namespace writ::router {

// A place among the threads that may wait for something, where there is one; given back at the end.
class Place {
 public:
  // places  must outlive this
  explicit Place(std::counting_semaphore<>& places)
      : places_(places), is_taken_(places.try_acquire()) {}
  ~Place() {
    if (is_taken_) places_.release();
  }
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;

  [[nodiscard]] bool IsTaken() const { return is_taken_; }

 private:
  std::counting_semaphore<>& places_;
  const bool is_taken_;
};

}  // namespace writ::router
