#include "connectors/http/public_address.h"

#include <arpa/inet.h>
#include <curl/curl.h>
#include <netinet/in.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <memory>

#include "connectors/http/ascii.h"

namespace writ::connectors {
namespace {

struct Network4 {
  std::uint32_t address;
  int bits;
};

constexpr auto kSpecial4 = std::to_array<Network4>({
    {0x00000000, 8},   // this network
    {0x0a000000, 8},   // private
    {0x64400000, 10},  // shared (carrier-grade NAT)
    {0x7f000000, 8},   // this machine
    {0xa9fe0000, 16},  // link-local
    {0xac100000, 12},  // private
    {0xc0000000, 24},  // protocol assignments
    {0xc0000200, 24},  // documentation
    {0xc0586300, 24},  // 6to4 relays
    {0xc0a80000, 16},  // private
    {0xc6120000, 15},  // benchmarks
    {0xc6336400, 24},  // documentation
    {0xcb007100, 24},  // documentation
    {0xe0000000, 4},   // multicast
    {0xf0000000, 4},   // reserved, broadcast
});

bool IsPublic4(std::uint32_t address) {
  return std::none_of(kSpecial4.begin(), kSpecial4.end(), [&](const Network4& network) {
    return ((address ^ network.address) >> (32 - network.bits)) == 0;
  });
}

using Bytes6 = std::array<std::uint8_t, 16>;

std::uint32_t Word(const Bytes6& bytes, std::size_t at) {
  std::uint32_t word = 0;
  for (std::size_t i = 0; i < 4; ++i) word = word << 8U | bytes.at(at + i);
  return word;
}

bool IsPublic6(const Bytes6& bytes) {
  const std::uint32_t first = Word(bytes, 0);
  const std::uint32_t second = Word(bytes, 4);
  const std::uint32_t third = Word(bytes, 8);
  if (first == 0 && second == 0 && third == 0xffff) return IsPublic4(Word(bytes, 12));  // mapped
  if (first == 0x0064ff9b && second == 0 && third == 0) return IsPublic4(Word(bytes, 12));  // NAT64
  if (first >> 16U == 0x2002) return IsPublic4(first << 16U | second >> 16U);               // 6to4
  if (first >> 29U != 1) return false;                 // only 2000::/3 is given out
  if (first >> 9U == 0x20010000U >> 9U) return false;  // 2001::/23: Teredo, ORCHID and others
  if (first == 0x20010db8) return false;               // documentation
  return first >> 12U != 0x3fff0U;                     // documentation
}

}  // namespace

bool IsPublicAddress(const sockaddr& address) {
  if (address.sa_family == AF_INET) {
    sockaddr_in four{};
    std::memcpy(&four, &address, sizeof(four));
    return IsPublic4(ntohl(four.sin_addr.s_addr));
  }
  if (address.sa_family == AF_INET6) {
    sockaddr_in6 six{};
    std::memcpy(&six, &address, sizeof(six));
    Bytes6 bytes{};
    std::copy(std::begin(six.sin6_addr.s6_addr), std::end(six.sin6_addr.s6_addr), bytes.begin());
    return IsPublic6(bytes);
  }
  return false;
}

bool IsPublicAddress(std::string_view text) {
  const std::string whole(text.substr(0, text.find('%')));  // without a zone
  in_addr four{};
  if (inet_pton(AF_INET, whole.c_str(), &four) == 1) return IsPublic4(ntohl(four.s_addr));
  Bytes6 bytes{};
  return inet_pton(AF_INET6, whole.c_str(), bytes.data()) == 1 && IsPublic6(bytes);
}

bool NamesPrivateAddress(const std::string& url) {
  const std::unique_ptr<CURLU, void (*)(CURLU*)> parsed(curl_url(), curl_url_cleanup);
  char* text = nullptr;
  // libcurl makes a dotted quad of what only means one: 127.1, 0x7f000001, 2130706433.
  if (!parsed || curl_url_set(parsed.get(), CURLUPART_URL, url.c_str(), 0) != CURLUE_OK ||
      curl_url_get(parsed.get(), CURLUPART_HOST, &text, 0) != CURLUE_OK) {
    return false;
  }
  std::string host = InLowerCase(text);
  curl_free(text);
  if (host == "localhost") return true;
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  in_addr four{};
  in6_addr six{};
  const std::string plain = host.substr(0, host.find('%'));
  const bool is_address = inet_pton(AF_INET, plain.c_str(), &four) == 1 ||
                          inet_pton(AF_INET6, plain.c_str(), &six) == 1;
  return is_address && !IsPublicAddress(plain);
}

}  // namespace writ::connectors
