#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

#include "bot/http/socket.h"
#include "tests/support/temporary_folder.h"

namespace writ::bench {

// What the machine gives, taken in the same run as what is compared with it.

inline constexpr std::size_t kSyncedBlock = 4096;

// A file of its own in a folder, to which the same block is appended again and again.
class SyncedFile {
 public:
  SyncedFile(const std::filesystem::path& folder, std::size_t bytes);
  // Milliseconds until another block was there and its data synced.
  // throws  std::system_error
  [[nodiscard]] double AppendMs();

 private:
  const tests::TemporaryFolder folder_;
  const bot::Socket file_;
  const std::string block_;
};

// Of a loop that appends 4 KB to a file and syncs its data: the median in milliseconds ("F").
[[nodiscard]] double AppendAndSyncMs(const std::filesystem::path& folder);

// Of a loop that appends rows of 3 KB and syncs after each, on one thread: rows a second.
[[nodiscard]] double SyncsPerSecond(const std::filesystem::path& folder);

// Rows a second that 64 threads commit through the SQLite engine, each row of 3 KB with a key of
// its own, each commit durable when it returns ("R").
[[nodiscard]] double GroupCommitsPerSecond(const std::filesystem::path& folder);

}  // namespace writ::bench
