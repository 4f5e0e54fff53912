#pragma once

#include <string>

namespace writ::bot {

// A folder of this run's own that goes with the object.
class TemporaryFolder {
 public:
  // throws  Failure{kPermanent} where none can be made
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace writ::bot
