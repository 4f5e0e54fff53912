#include "bot/demo/temporary_folder.h"

#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "router/base/failure.h"

namespace writ::bot {

TemporaryFolder::TemporaryFolder() {
  std::error_code fault;
  path_ = (std::filesystem::temp_directory_path(fault) / "writ-demo-XXXXXX").string();
  if (fault || ::mkdtemp(path_.data()) == nullptr) {
    throw router::Failure(router::Failure::Kind::kPermanent, "can't make a temporary folder");
  }
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;  // what is left there is the machine's to tidy up
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace writ::bot
