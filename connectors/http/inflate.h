#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <variant>

namespace writ::connectors {

enum class InflateFault {
  kTooLarge,  // the inflated bytes would pass the limit; no more than the limit was kept in memory
  kBroken,    // cut off, a wrong checksum, or no gzip at all
};

// Whether `body` begins as gzip does (RFC 1952, 2.3.1). JSON and forms never begin with 1f, so the
// first bytes decide and not the Content-Encoding, which proxies drop after having inflated.
[[nodiscard]] bool IsGzip(std::string_view body);

// Inflates one or more gzip members (RFC 1952, 2.2), of at most `max_bytes` in all. The sender is
// not known yet at that point, so the limit is what stands between a small body and all memory.
[[nodiscard]] std::variant<std::string, InflateFault> Inflate(std::string_view gzip,
                                                              std::size_t max_bytes);

// The body as one gzip member.
[[nodiscard]] std::string Gzip(std::string_view body);

}  // namespace writ::connectors
