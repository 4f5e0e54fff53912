#pragma once

#include <filesystem>

namespace writ::bench {

// What the machine gives, taken in the same run as what is compared with it.

// Of a loop that appends 4 KB to a file and syncs its data: the median in milliseconds ("F").
[[nodiscard]] double AppendAndSyncMs(const std::filesystem::path& folder);

// Of a loop that appends rows of 3 KB and syncs after each, on one thread: rows a second.
[[nodiscard]] double SyncsPerSecond(const std::filesystem::path& folder);

// Rows a second that 64 threads commit through the SQLite engine, each row of 3 KB with a key of
// its own, each commit durable when it returns ("R").
[[nodiscard]] double GroupCommitsPerSecond(const std::filesystem::path& folder);

}  // namespace writ::bench
