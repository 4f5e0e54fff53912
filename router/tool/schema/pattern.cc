#include "router/tool/schema/pattern.h"

#include <re2/re2.h>

#include <cstdint>
#include <string>
#include <utility>

#include "router/tool/schema/ecma.h"

namespace writ::router::schema {
namespace {

constexpr std::int64_t kMaxMemory = 256 << 10;  // bytes, of the program and of each search's states

}  // namespace

std::optional<Pattern> Pattern::Compile(std::string_view ecma) {
  if (ecma.size() > kMaxBytes) {
    return std::nullopt;
  }
  const std::optional<std::string> translated = EcmaToRe2(ecma);
  if (!translated) {
    return std::nullopt;
  }
  re2::RE2::Options options;
  options.set_log_errors(false);
  options.set_never_capture(true);
  options.set_max_mem(kMaxMemory);
  auto compiled = std::make_shared<const re2::RE2>(*translated, options);
  if (!compiled->ok()) {
    return std::nullopt;
  }
  return Pattern(std::move(compiled));
}

bool Pattern::Search(std::string_view text) const {
  return re2::RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), *compiled_);
}

std::size_t Pattern::Steps(std::string_view text) const {
  // RE2 visits each instruction once a character at worst, some 1,000 in the time of a step.
  return 1 + text.size() * static_cast<std::size_t>(compiled_->ProgramSize()) / 1024;
}

}  // namespace writ::router::schema
