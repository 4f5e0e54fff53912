#pragma once

#include <string>
#include <string_view>

#include "connectors/http/form.h"

namespace writ::connectors {

// What Twilio signs a form with: base64 of HMAC-SHA1, under the account's token, over the address
// as it was called and the fields, sorted by name, each name followed by its value.
// source: the platforms' page, 3.2
[[nodiscard]] std::string TwilioSignature(std::string_view auth_token, std::string_view url,
                                          const FormFields& fields);

// Whether Twilio signed it. `url` is the address as Twilio knows it, its query undecoded; with and
// without the port, for Twilio does either. Compares in constant time; an empty token signs
// nothing.
[[nodiscard]] bool IsSignedByTwilio(std::string_view auth_token, const std::string& url,
                                    const FormFields& fields, std::string_view signature);

}  // namespace writ::connectors
