// Packed bodies: what is unpacked, and how much of it.
#include "connectors/http/inflate.h"

#include <string>
#include <variant>

#include "tests/fuzz/target.h"

namespace writ::fuzz {
namespace {

using connectors::InflateFault;

constexpr std::size_t kLimit = std::size_t{1} << 16;

bool IsTooLarge(const std::variant<std::string, InflateFault>& inflated) {
  const auto* fault = std::get_if<InflateFault>(&inflated);
  return fault != nullptr && *fault == InflateFault::kTooLarge;
}

void Unpack(std::string_view input) {
  const auto inflated = connectors::Inflate(input, kLimit);
  const auto* text = std::get_if<std::string>(&inflated);
  if (text == nullptr) return;
  Require(connectors::IsGzip(input), "only gzip is inflated");
  Require(text->size() <= kLimit, "no more than the limit is unpacked");
  Require(inflated == connectors::Inflate(input, text->size()), "the limit itself is allowed");
  if (!text->empty()) {
    Require(IsTooLarge(connectors::Inflate(input, text->size() - 1)), "one byte more is too large");
  }
}

void Fuzz(std::string_view input) {
  Unpack(input);
  if (input.size() > kLimit / 2) return;
  const std::string packed = connectors::Gzip(input);
  Require(connectors::IsGzip(packed), "what was packed looks packed");
  const auto once = connectors::Inflate(packed, kLimit);
  Require(std::holds_alternative<std::string>(once) && std::get<std::string>(once) == input,
          "what was packed is unpacked");
  const auto twice = connectors::Inflate(packed + packed, kLimit);
  Require(std::holds_alternative<std::string>(twice) &&
              std::get<std::string>(twice) == std::string(input) + std::string(input),
          "two members are one text");
  const auto cut =
      connectors::Inflate(std::string_view(packed).substr(0, packed.size() - 1), kLimit);
  Require(!std::holds_alternative<std::string>(cut), "what was cut off is broken");
}

}  // namespace
}  // namespace writ::fuzz

WRIT_FUZZ_TARGET(inflate, writ::fuzz::Fuzz)
