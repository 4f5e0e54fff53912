#pragma once

#include <SQLiteCpp/Exception.h>

#include <string>

#include "router/base/failure.h"

namespace writ::store {

// What an error of SQLite means to the ledgers: transient where it may work later (busy, a full
// disk, an I/O error), permanent where somebody has to change something (damaged, not writable).
// `path` is the file's.
[[nodiscard]] router::Failure ToFailure(const SQLite::Exception& error, const std::string& path);

// The same, of a file that this process has open already: where it can't be opened once more, the
// process has no file left, and that passes.
[[nodiscard]] router::Failure ToFailureInUse(const SQLite::Exception& error,
                                             const std::string& path);

// Runs `work`; an error of SQLite in it comes out as a Failure.
template <class Work>
auto WithFailures(const std::string& path, const Work& work) {
  try {
    return work();
  } catch (const SQLite::Exception& error) {
    throw ToFailure(error, path);
  }
}

}  // namespace writ::store
