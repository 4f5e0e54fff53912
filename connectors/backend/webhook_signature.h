#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "router/base/http.h"
#include "router/base/time.h"

namespace writ::connectors {

// Standard Webhooks: a body is signed together with its id and the second it was sent in.
// source: github.com/standard-webhooks/standard-webhooks, spec/standard-webhooks.md

// The bytes of a secret: `whsec_` and base64, or any other text as it is. nullopt: `whsec_` is
// followed by no base64, or there is nothing.
[[nodiscard]] std::optional<std::string> WebhookKeyOf(std::string_view secret);

// `webhook-id`, `webhook-timestamp`, `webhook-signature` for the body. `id` holds no dot.
[[nodiscard]] router::HttpHeaders WebhookHeaders(std::string_view key, std::string_view id,
                                                 router::TimePoint now, std::string_view body);

// Why the response is no signed answer to the request of that id; nullopt: it is one. Its time may
// differ from `now` by five minutes either way; one of several signatures is enough.
[[nodiscard]] std::optional<std::string> WhyNotSigned(std::string_view key, std::string_view id,
                                                      router::TimePoint now,
                                                      const router::HttpResponse& response);

}  // namespace writ::connectors
