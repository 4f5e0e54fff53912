#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace writ::connectors {

// The numbers that a pattern's placeholders took, by name.
using HeardNumbers = std::vector<std::pair<std::string, std::string>>;

// Whether `text` has the pattern's words in this order, whatever stands between them: `refund order
// {order} {amount}` fits `Please refund order 42, 450 euros.` A word is compared in lower case
// (ASCII); `{name}` takes the next number, as JSON writes it. nullopt where it does not fit.
[[nodiscard]] std::optional<HeardNumbers> HearWords(std::string_view pattern,
                                                    std::string_view text);

}  // namespace writ::connectors
