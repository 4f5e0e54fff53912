#pragma once

#include <cstddef>
#include <string>
#include <utility>

namespace writ::bench {

// Makes many of what a node made once. What stands in a channel, with all that belongs to it, is
// copied row by row under ids of the same length: so a million held calls take a minute instead of
// hours, and each row has the text that the product wrote. No node has the file open meanwhile.
class StoreFiller {
 public:
  explicit StoreFiller(std::string path) : path_(std::move(path)) {}

  // The channel's rows once more for each number from `first` to `last`, as channels of their own.
  // They were last active a day ago, so that no start looks for what was missed there.
  //
  // channel  whose id, behind its type, ends with kPlaces zeros
  // returns  how many rows were made
  std::size_t Copy(const std::string& channel, std::size_t first, std::size_t last) const;

  [[nodiscard]] double Megabytes() const;

  static constexpr std::size_t kPlaces = 7;

 private:
  std::string path_;
};

}  // namespace writ::bench
