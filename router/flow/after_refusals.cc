#include "router/flow/after_refusals.h"

namespace writ::router {

void AfterRefusals::Refused() {
  {
    const std::lock_guard lock(mutex_);
    again_ = waits_;
    if (waits_) return;
    waits_ = true;
  }
  LookLater();
}

void AfterRefusals::LookLater() {
  http_.After(quiet_, {}, [this] {
    bool again = false;
    {
      const std::lock_guard lock(mutex_);
      again = again_;
      waits_ = again;
      again_ = false;
    }
    if (again) {
      LookLater();
    } else {
      look_();
    }
  });
}

}  // namespace writ::router
