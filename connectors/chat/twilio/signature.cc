#include "connectors/chat/twilio/signature.h"

#include <algorithm>
#include <cstddef>

#include "router/base/base64.h"
#include "router/base/digest.h"

namespace writ::connectors {
namespace {

// Nobody else signs with SHA-1.  source: RFC 2104
std::string HmacSha1(std::string_view key, std::string_view data) {
  constexpr std::size_t kBlock = 64;
  std::string block = key.size() > kBlock ? router::Sha1(key) : std::string(key);
  block.resize(kBlock, '\0');
  std::string inner = block;
  std::string outer = block;
  for (std::size_t i = 0; i < kBlock; ++i) {
    const auto byte = static_cast<unsigned char>(block[i]);
    inner[i] = static_cast<char>(byte ^ 0x36U);
    outer[i] = static_cast<char>(byte ^ 0x5cU);
  }
  return router::Sha1(outer + router::Sha1(inner.append(data)));
}

// The same address without its port where it has one, else with its scheme's own.
std::string OtherPort(const std::string& url) {
  const std::size_t scheme = url.find("://");
  if (scheme == std::string::npos) return url;
  const std::size_t host = scheme + 3;
  const std::size_t end = std::min(url.find_first_of("/?#", host), url.size());
  const std::size_t bracket = url.find(']', host);
  const std::size_t after = bracket < end ? bracket : host;
  const std::size_t colon = url.find(':', after);
  if (colon < end) return url.substr(0, colon) + url.substr(end);
  const std::string port = url.starts_with("https:") ? ":443" : ":80";
  return url.substr(0, end) + port + url.substr(end);
}

}  // namespace

std::string TwilioSignature(std::string_view auth_token, std::string_view url,
                            const FormFields& fields) {
  FormFields sorted = fields;
  std::ranges::sort(sorted);
  // Of a name its distinct values.
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  std::string data(url);
  for (const auto& [name, value] : sorted) data.append(name).append(value);
  return router::Base64Encode(HmacSha1(auth_token, data));
}

bool IsSignedByTwilio(std::string_view auth_token, const std::string& url, const FormFields& fields,
                      std::string_view signature) {
  if (auth_token.empty() || signature.empty()) return false;
  const bool as_it_is =
      router::EqualInConstantTime(TwilioSignature(auth_token, url, fields), signature);
  const bool otherwise =
      router::EqualInConstantTime(TwilioSignature(auth_token, OtherPort(url), fields), signature);
  return as_it_is || otherwise;
}

}  // namespace writ::connectors
