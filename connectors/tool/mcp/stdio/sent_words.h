#pragma once

#include <cstddef>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "connectors/tool/mcp/stdio/command.h"

namespace writ::connectors {

// What a server was given and a log must not have, so that it can leave out what repeats it: the
// values of its environment, and of the latest calls the arguments' values, what people answered to
// the tool's questions, and the token that says for whom it is.
class SentWords {
 public:
  static constexpr std::size_t kCalls = 64;

  explicit SentWords(const StdioCommand& command);

  // message  a JSON-RPC request; what is no call adds nothing
  void Add(std::string_view message);

  // Whether the text has one of the values in it, plain or as JSON writes it.
  [[nodiscard]] bool AreIn(std::string_view text) const;

 private:
  std::vector<std::string> environment_;
  std::deque<std::vector<std::string>> calls_;
};

}  // namespace writ::connectors
