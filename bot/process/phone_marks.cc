#include "bot/process/phone_marks.h"

#include <cstddef>

#include "router/base/digest.h"

namespace writ::bot {
namespace {

constexpr std::size_t kKeyBytes = 32;
constexpr std::size_t kMarkDigits = 12;
constexpr std::string_view kPrefix = "sms:";

std::string_view NumberAt(std::string_view text) {
  if (!text.starts_with('+')) return {};
  const std::string_view number = text.substr(0, text.find_first_not_of("0123456789", 1));
  return number.size() > 1 ? number : std::string_view();
}

}  // namespace

PhoneMarks::PhoneMarks() : key_(router::RandomBytes(kKeyBytes)) {}

std::string PhoneMarks::Mark(std::string_view text) const {
  std::string marked;
  for (;;) {
    const std::size_t prefix = text.find(kPrefix);
    if (prefix == std::string_view::npos) return marked.append(text);
    marked.append(text.substr(0, prefix + kPrefix.size()));
    text.remove_prefix(prefix + kPrefix.size());
    const std::string_view number = NumberAt(text);
    if (number.empty()) continue;
    marked.append(router::HmacSha256Hex(key_, number), 0, kMarkDigits);
    text.remove_prefix(number.size());
  }
}

}  // namespace writ::bot
