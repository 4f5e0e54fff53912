#include "router/base/trace.h"

#include <algorithm>

#include "router/base/digest.h"

namespace writ::router {
namespace {

constexpr std::size_t kTraceAt = 3;
constexpr std::size_t kTraceDigits = 32;
constexpr std::size_t kParentAt = kTraceAt + kTraceDigits + 1;
constexpr std::size_t kParentDigits = 16;
constexpr std::size_t kFlagsAt = kParentAt + kParentDigits + 1;
constexpr std::size_t kLength = kFlagsAt + 2;
constexpr std::string_view kVersion = "00-";

// Lower case alone, as the specification has it.
bool IsHex(std::string_view text) {
  return std::ranges::all_of(
      text, [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

bool IsZero(std::string_view digits) {
  return digits.find_first_not_of('0') == std::string_view::npos;
}

int ValueOf(char digit) { return digit <= '9' ? digit - '0' : digit - 'a' + 10; }

}  // namespace

std::string ReadTraceparent(std::string_view header) {
  if (header.size() < kLength) return {};
  const std::string_view version = header.substr(0, 2);
  const std::string_view trace = header.substr(kTraceAt, kTraceDigits);
  const std::string_view parent = header.substr(kParentAt, kParentDigits);
  const std::string_view flags = header.substr(kFlagsAt, 2);
  const bool is_parted =
      header[kTraceAt - 1] == '-' && header[kParentAt - 1] == '-' && header[kFlagsAt - 1] == '-';
  if (!is_parted || !IsHex(version) || !IsHex(trace) || !IsHex(parent) || !IsHex(flags)) return {};
  if (version == "ff" || IsZero(trace) || IsZero(parent)) return {};
  if (header.size() > kLength && (version == "00" || header[kLength] != '-')) return {};
  const bool is_sampled = ValueOf(flags[1]) % 2 == 1;
  return std::string(kVersion) + std::string(trace) + '-' + std::string(parent) +
         (is_sampled ? "-01" : "-00");
}

std::string StartTrace() {
  return std::string(kVersion) + HexOf(RandomBytes(kTraceDigits / 2)) + '-' +
         HexOf(RandomBytes(kParentDigits / 2)) + "-00";
}

std::string TraceOfPiece(std::string_view traceparent, std::string_view piece) {
  if (traceparent.size() != kLength) return {};
  const std::string own = Sha256Hex(std::string(traceparent) + ' ' + std::string(piece));
  return std::string(traceparent.substr(0, kParentAt)) + own.substr(0, kParentDigits) +
         std::string(traceparent.substr(kFlagsAt - 1));
}

std::string TraceIdOf(std::string_view traceparent) {
  if (traceparent.size() != kLength) return {};
  return std::string(traceparent.substr(kTraceAt, kTraceDigits));
}

}  // namespace writ::router
