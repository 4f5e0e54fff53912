#include "store/redis/keys.h"

#include <array>
#include <charconv>
#include <cstdio>

#include "router/base/failure.h"

namespace writ::store {

namespace {

constexpr std::uint64_t kSign = std::uint64_t{1} << 63;

}  // namespace

std::string Joined(std::initializer_list<std::string_view> parts) {
  std::string name;
  for (const std::string_view& part : parts) {
    if (&part != parts.begin()) name += ':';
    if (&part + 1 == parts.end()) {
      name += part;
      continue;
    }
    for (const char character : part) {
      if (character == ':') {
        name += "%3A";
      } else if (character == '%') {
        name += "%25";
      } else {
        name += character;
      }
    }
  }
  return name;
}

std::string IndexName(std::string_view index, std::initializer_list<std::string_view> parts) {
  return std::string(index) + ":" + Joined(parts);
}

std::string Ordered(std::int64_t number) {
  std::array<char, kOrderedSize + 1> digits{};
  // The sign turned round: what is below zero comes first.
  const auto turned = static_cast<unsigned long long>(static_cast<std::uint64_t>(number) ^ kSign);
  std::snprintf(digits.data(), digits.size(), "%016llx", turned);
  return {digits.data(), kOrderedSize};
}

std::string Ordered(router::TimePoint time) { return Ordered(time.time_since_epoch().count()); }

std::int64_t OrderedNumber(std::string_view text) {
  const std::string_view digits = text.substr(0, kOrderedSize);
  std::uint64_t turned = 0;
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), turned, 16);
  if (digits.size() != kOrderedSize || error != std::errc() ||
      end != digits.data() + digits.size()) {
    throw router::Failure(router::Failure::Kind::kPermanent,
                          "store redis: an index has a member that is none");
  }
  return static_cast<std::int64_t>(turned ^ kSign);
}

}  // namespace writ::store
