#include "connectors/http/mailbox.h"

#include <sys/eventfd.h>

#include <cstdint>
#include <utility>

#include "router/base/failure.h"

namespace writ::connectors {

Mailbox::Mailbox() : wake_(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {
  if (!wake_.valid()) {
    throw router::Failure(router::Failure::Kind::kTransient, "outgoing HTTP: no eventfd");
  }
}

void Mailbox::Post(Task task) {
  bool was_empty = false;
  {
    const std::lock_guard lock(mutex_);
    was_empty = tasks_.empty();
    tasks_.push_back(std::move(task));
  }
  // Only the first post since the last Take has to wake: 64 answers at once cost one write.
  if (was_empty) ::eventfd_write(wake_.get(), 1);
}

std::vector<Mailbox::Task> Mailbox::Take() {
  // Before the swap: a post that comes in between wakes the loop once too often, never too rarely.
  eventfd_t count = 0;
  ::eventfd_read(wake_.get(), &count);
  std::vector<Task> taken;
  const std::lock_guard lock(mutex_);
  taken.swap(tasks_);
  return taken;
}

}  // namespace writ::connectors
