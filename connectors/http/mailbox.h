#pragma once

#include <functional>
#include <mutex>
#include <vector>

#include "connectors/http/unique_fd.h"

namespace writ::connectors {

// Hands work to the loop's thread: any thread posts, the loop's alone takes, in the order of
// posting.
class Mailbox {
 public:
  using Task = std::function<void()>;

  // throws Failure{kTransient} where no eventfd is to be had
  Mailbox();

  void Post(Task task);

  [[nodiscard]] std::vector<Task> Take();

  // Readable while something lies in the box.
  [[nodiscard]] int fd() const { return wake_.get(); }

 private:
  UniqueFd wake_;
  std::mutex mutex_;  // guards tasks_
  std::vector<Task> tasks_;
};

}  // namespace writ::connectors
