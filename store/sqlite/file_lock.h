#pragma once

#include <string>

namespace writ::store {

// The right to be the only process that has the store open: a lock on `<path>.lock`, which the
// system lets go of when the process ends, however it ends. The file stays.
class FileLock {
 public:
  // throws  Failure{kPermanent} where another process has it or the file cannot be made; the
  //         message names the path
  explicit FileLock(const std::string& path);
  ~FileLock();
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

 private:
  int fd_;
};

}  // namespace writ::store
