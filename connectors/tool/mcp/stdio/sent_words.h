#pragma once

#include <cstddef>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace writ::connectors {

// The values of the latest calls' arguments, so that a log can leave out what repeats one.
class SentWords {
 public:
  static constexpr std::size_t kCalls = 64;

  // message  a JSON-RPC request; what is no call adds nothing
  void Add(std::string_view message);

  // Whether the text has one of the values in it, plain or as JSON writes it.
  [[nodiscard]] bool AreIn(std::string_view text) const;

 private:
  std::deque<std::vector<std::string>> calls_;
};

}  // namespace writ::connectors
