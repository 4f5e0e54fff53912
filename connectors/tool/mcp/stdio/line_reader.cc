#include "connectors/tool/mcp/stdio/line_reader.h"

#include <utility>

namespace writ::connectors {

void LineReader::Take(std::string_view bytes) {
  while (!bytes.empty()) {
    const std::size_t end = bytes.find('\n');
    TakePart(bytes.substr(0, end));
    if (end == std::string_view::npos) return;
    EndLine();
    bytes.remove_prefix(end + 1);
  }
}

void LineReader::TakePart(std::string_view part) {
  if (too_long_) return;
  if (line_.size() + part.size() <= max_bytes_) {
    line_ += part;
    return;
  }
  too_long_ = true;
  line_ = {};
  on_too_long_();
}

void LineReader::EndLine() {
  std::string line = std::exchange(line_, {});
  if (std::exchange(too_long_, false)) return;
  if (line.ends_with('\r')) line.pop_back();
  if (!line.empty()) on_line_(line);
}

void LineReader::Finish() { EndLine(); }

}  // namespace writ::connectors
