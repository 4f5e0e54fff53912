#pragma once

#include <functional>

namespace writ::router {

// The port to the node's workers. What a callback of the HTTP client wants done that may block for
// a commit goes here. A job must not throw what it wants handled: the worker logs it and goes on.
class Jobs {
 public:
  virtual ~Jobs() = default;
  // Runs `job` soon on some worker; from within a job, perhaps on the same one when that has ended:
  // a job must not wait for what it began. After the workers were stopped, jobs are dropped: what
  // they would have done is in the store and is taken up by the next start.
  virtual void Run(std::function<void()> job) = 0;

  // The same for work that is found again anyway: false where too much waits already.
  [[nodiscard]] virtual bool Offer(std::function<void()> job) = 0;
};

}  // namespace writ::router
