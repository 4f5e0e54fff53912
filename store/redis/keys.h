#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "router/base/time.h"

namespace writ::store {

// Names of rows and indexes, without the prefix of the store, and members of indexes: texts whose
// order as bytes is the order that is wanted.

// The parts with a colon between them: `acme:messaging:general`. In all but the last a colon is
// written as %3A, so that no two lists of parts give one name.
[[nodiscard]] std::string Joined(std::initializer_list<std::string_view> parts);
// `by:turn_in_line:acme:messaging:general`
[[nodiscard]] std::string IndexName(std::string_view index,
                                    std::initializer_list<std::string_view> parts);

// 16 hex digits in the order of the numbers.
[[nodiscard]] std::string Ordered(std::int64_t number);
[[nodiscard]] std::string Ordered(router::TimePoint time);
inline constexpr std::size_t kOrderedSize = 16;
// throws  Failure{kPermanent} where the text does not begin with such a number
[[nodiscard]] std::int64_t OrderedNumber(std::string_view text);

}  // namespace writ::store
