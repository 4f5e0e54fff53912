#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string_view>

namespace re2 {
class RE2;
}

namespace writ::router::schema {

// A `pattern` of a schema, matched in linear time whatever the pattern and the text are.
// May be used by several threads at once.
class Pattern {
 public:
  static constexpr std::size_t kMaxBytes = 4096;

  // nullopt where it is longer than kMaxBytes, needs more memory than one pattern may have, or
  // cannot be matched in linear time.
  [[nodiscard]] static std::optional<Pattern> Compile(std::string_view ecma);

  // Whether it matches anywhere in `text`.
  [[nodiscard]] bool Search(std::string_view text) const;
  // What a search costs at most, in steps of the validator's budget.
  [[nodiscard]] std::size_t Steps(std::string_view text) const;

 private:
  explicit Pattern(std::shared_ptr<const re2::RE2> compiled) : compiled_(std::move(compiled)) {}

  std::shared_ptr<const re2::RE2> compiled_;  // shared by all places with the same text
};

}  // namespace writ::router::schema
