#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "connectors/http/form.h"

namespace writ::connectors {

// What Twilio signs a form with: base64 of HMAC-SHA1, under the account's token, over the address
// as it was called and the fields, sorted by name, each name followed by its value.
// source: the platforms' page, 3.2
[[nodiscard]] std::string TwilioSignature(std::string_view auth_token, std::string_view url,
                                          const FormFields& fields);
// The same with a shared key: HMAC-SHA256.
[[nodiscard]] std::string TwilioSharedSignature(std::string_view secret, std::string_view url,
                                                const FormFields& fields);

// What Twilio may sign with. An empty key signs nothing.
struct TwilioKeys {
  std::string auth_token;
  std::map<std::string, std::string, std::less<>> shared;  // secrets of webhook keys, by their ids
};

// Whether Twilio signed it. `url` is the address as Twilio knows it, its query undecoded; with and
// without the port, for Twilio does either. Compares in constant time.
//
// settings  X-Twilio-Webhooks-Signature-Settings, where there was one: then it is the shared key
//           that it names, by its algorithm, or nothing. Never the auth token.
[[nodiscard]] bool IsSignedByTwilio(const TwilioKeys& keys, const std::string& url,
                                    const FormFields& fields, std::string_view signature,
                                    const std::optional<std::string_view>& settings = std::nullopt);

}  // namespace writ::connectors
