#include "tests/chaos/claims_in_redis.h"

#include <charconv>
#include <fstream>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "store/redis/schema.h"

namespace writ::chaos {
namespace {

namespace fs = std::filesystem;

// The commands that were run: `*` and how many words, then for each `$`, its length, and itself.
class Commands {
 public:
  explicit Commands(const fs::path& file) : file_(file, std::ios::binary) {}

  std::optional<std::vector<std::string>> Next() {
    const std::optional<std::size_t> count = Number('*');
    if (!count) return std::nullopt;
    std::vector<std::string> words(*count);
    for (std::string& word : words) {
      word.resize(Number('$').value());
      file_.read(word.data(), static_cast<std::streamsize>(word.size()));
      file_.ignore(2);  // the line's end
    }
    return words;
  }

 private:
  // Of a line that begins with `mark`; others are notes (`#TS:…`).
  std::optional<std::size_t> Number(char mark) {
    for (std::string line; std::getline(file_, line);) {
      if (line.front() == '#') continue;
      std::size_t number = 0;
      if (line.front() != mark ||
          std::from_chars(line.data() + 1, line.data() + line.size(), number).ec != std::errc()) {
        throw std::runtime_error("an append-only file that is none");
      }
      return number;
    }
    return std::nullopt;
  }

  std::ifstream file_;
};

// By their number: writ's store begins with the first.
std::map<int, fs::path> PartsIn(const fs::path& folder) {
  constexpr std::string_view kEnd = ".incr.aof";
  std::map<int, fs::path> parts;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename();
    if (!name.ends_with(kEnd)) continue;
    const std::string begin = name.substr(0, name.size() - kEnd.size());
    parts[std::stoi(begin.substr(begin.rfind('.') + 1))] = entry.path();
  }
  if (!parts.contains(1)) throw std::runtime_error("the append-only file was rewritten");
  return parts;
}

// The row that a command writes, where it is one of work: `SET PREFIX:work:… COMMIT ROW`.
std::optional<store::WorkRow> WorkOf(const std::vector<std::string>& command) {
  if (command.size() != 3 || command[0] != "SET") return std::nullopt;
  const std::size_t table = command[1].find(":work:");
  if (table == std::string::npos || command[1].find(':') != table) return std::nullopt;
  return store::WorkTable::Unpack(std::string_view(command[2]).substr(command[2].find(' ') + 1),
                                  "");
}

}  // namespace

std::vector<ClaimSeen> ClaimsInAppendOnlyFile(const fs::path& folder) {
  std::vector<ClaimSeen> claims;
  Moment place{0};
  for (const auto& [number, part] : PartsIn(folder)) {
    Commands commands(part);
    while (const auto command = commands.Next()) {
      const std::optional<store::WorkRow> work = WorkOf(*command);
      if (!work || work->node.empty()) continue;
      claims.push_back({++place, work->fence, work->node, work->turn, work->call});
    }
  }
  return claims;
}

}  // namespace writ::chaos
