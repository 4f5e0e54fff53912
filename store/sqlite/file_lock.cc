#include "store/sqlite/file_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "router/base/failure.h"

namespace writ::store {

using router::Failure;

FileLock::FileLock(const std::string& path) {
  const std::string name = path + ".lock";
  fd_ = ::open(name.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (fd_ < 0) {
    const int error = errno;
    throw Failure(Failure::Kind::kPermanent, "store " + path + ": cannot make " + name + ": " +
                                                 std::generic_category().message(error));
  }
  if (::flock(fd_, LOCK_EX | LOCK_NB) != 0) {
    const int error = errno;
    ::close(fd_);
    throw Failure(Failure::Kind::kPermanent,
                  error == EWOULDBLOCK ? "store " + path + ": another process has it open (" +
                                             name + " is locked); a SQLite file is one node's"
                                       : "store " + path + ": cannot lock " + name + ": " +
                                             std::generic_category().message(error));
  }
}

FileLock::~FileLock() { ::close(fd_); }

}  // namespace writ::store
