#include "connectors/chat/twilio/signature.h"

#include <algorithm>
#include <cstddef>

#include "router/base/base64.h"
#include "router/base/digest.h"
#include "router/base/text.h"

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

std::string SignedText(std::string_view url, const FormFields& fields) {
  FormFields sorted = fields;
  std::ranges::sort(sorted);
  // Of a name its distinct values.
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  std::string text(url);
  for (const auto& [name, value] : sorted) text.append(name).append(value);
  return text;
}

// Of `key=<id>,algorithm=HMAC_SHA256`: the id, where it says that and nothing else.
std::optional<std::string_view> KeyOf(std::string_view settings) {
  std::optional<std::string_view> key;
  std::optional<std::string_view> algorithm;
  while (!settings.empty()) {
    const std::string_view pair = settings.substr(0, settings.find(','));
    settings.remove_prefix(std::min(pair.size() + 1, settings.size()));
    const std::size_t equals = pair.find('=');
    if (equals == std::string_view::npos) return std::nullopt;
    const std::string_view name = router::Trim(pair.substr(0, equals));
    if (name != "key" && name != "algorithm") return std::nullopt;
    auto& value = name == "key" ? key : algorithm;
    if (value) return std::nullopt;
    value = router::Trim(pair.substr(equals + 1));
  }
  return algorithm == "HMAC_SHA256" ? key : std::nullopt;
}

// Either is always computed, so that the time tells nothing.
template <class Sign>
bool IsEither(const std::string& url, std::string_view signature, const Sign& sign) {
  const bool as_it_is = router::EqualInConstantTime(sign(url), signature);
  const bool otherwise = router::EqualInConstantTime(sign(OtherPort(url)), signature);
  return as_it_is || otherwise;
}

}  // namespace

std::string TwilioSignature(std::string_view auth_token, std::string_view url,
                            const FormFields& fields) {
  return router::Base64Encode(HmacSha1(auth_token, SignedText(url, fields)));
}

std::string TwilioSharedSignature(std::string_view secret, std::string_view url,
                                  const FormFields& fields) {
  return router::Base64Encode(router::HmacSha256(secret, SignedText(url, fields)));
}

bool IsSignedByTwilio(const TwilioKeys& keys, const std::string& url, const FormFields& fields,
                      std::string_view signature, const std::optional<std::string_view>& settings) {
  if (signature.empty()) return false;
  if (!settings) {
    return !keys.auth_token.empty() && IsEither(url, signature, [&](const std::string& address) {
      return TwilioSignature(keys.auth_token, address, fields);
    });
  }
  const auto id = KeyOf(*settings);
  const auto secret = id ? keys.shared.find(*id) : keys.shared.end();
  if (secret == keys.shared.end() || secret->second.empty()) return false;
  return IsEither(url, signature, [&](const std::string& address) {
    return TwilioSharedSignature(secret->second, address, fields);
  });
}

}  // namespace writ::connectors
