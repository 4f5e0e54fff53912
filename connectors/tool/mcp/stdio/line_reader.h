#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace writ::connectors {

// Cuts what comes from a pipe into lines, without their line breaks (`\n` or `\r\n`). A line that
// is longer than allowed is passed over.
class LineReader {
 public:
  // line  valid during the call
  using OnLine = std::function<void(std::string_view line)>;
  using OnTooLong = std::function<void()>;  // once a line, when the limit is passed

  LineReader(std::size_t max_bytes, OnLine on_line, OnTooLong on_too_long)
      : max_bytes_(max_bytes), on_line_(std::move(on_line)), on_too_long_(std::move(on_too_long)) {}

  void Take(std::string_view bytes);
  // What stands after the last line break is a line, too.
  void Finish();

 private:
  void TakePart(std::string_view part);
  void EndLine();

  const std::size_t max_bytes_;
  const OnLine on_line_;
  const OnTooLong on_too_long_;
  std::string line_;
  bool too_long_ = false;
};

}  // namespace writ::connectors
