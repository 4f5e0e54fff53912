#include "tests/chaos/checker.h"

#include <algorithm>
#include <cctype>
#include <cstddef>

namespace writ::chaos {

std::vector<Finding> Check(const Evidence& evidence) {
  std::vector<Finding> findings;
  CheckMessages(evidence, findings);
  CheckCalls(evidence, findings);
  CheckOrder(evidence, findings);
  CheckStore(evidence, findings);
  return findings;
}

std::string WordIn(const std::string& text) {
  constexpr std::size_t kDigits = 5;
  const auto is_digit = [](unsigned char character) { return std::isdigit(character) != 0; };
  for (auto at = text.find('w'); at != std::string::npos; at = text.find('w', at + 1)) {
    const std::string digits = text.substr(at + 1, kDigits);
    if (digits.size() == kDigits && std::ranges::all_of(digits, is_digit)) return "w" + digits;
  }
  return "";
}

}  // namespace writ::chaos
