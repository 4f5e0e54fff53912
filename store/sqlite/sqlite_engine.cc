#include "store/sqlite/sqlite_engine.h"

#include <filesystem>
#include <system_error>

#include "store/sqlite/failures.h"
#include "store/sqlite/opening.h"

namespace writ::store {

namespace {

// One file, one name: two that lead to it by a link must meet at the same lock.
std::string OneNameOf(const std::string& path) {
  std::error_code error;
  const auto canonical = std::filesystem::weakly_canonical(path, error);
  return error ? path : canonical.string();
}

}  // namespace

SqliteEngine::SqliteEngine(const SqliteOptions& options)
    : path_(OneNameOf(options.path)),
      lock_(path_),
      writer_(WithFailures(path_, [&] { return OpenForWriting(path_); })),
      checkpoints_(WithFailures(
          path_, [&] { return std::make_unique<Checkpoints>(path_, options.log_limit_bytes); })),
      reads_(path_, options.readers),
      commits_(std::make_unique<GroupCommit>(*writer_, *checkpoints_, path_, options.limits)) {}

}  // namespace writ::store
