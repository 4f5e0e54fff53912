#include "router/turn/answer_code.h"

#include <cstddef>
#include <cstdint>

#include "router/base/digest.h"

namespace writ::router {
namespace {

constexpr std::uint64_t kCodes = 1'000'000;
constexpr std::size_t kDigits = 6;

}  // namespace

std::string AnswerCodeOf(const ApprovalRecord& record) {
  const std::string mac = HmacSha256(record.mark_key, "answer code " + record.id.text());
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < sizeof number; ++i) {
    number = number << 8 | static_cast<unsigned char>(mac[i]);
  }
  const std::string digits = std::to_string(number % kCodes);
  return std::string(kDigits - digits.size(), '0') + digits;
}

}  // namespace writ::router
