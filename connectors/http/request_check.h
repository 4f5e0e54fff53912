#pragma once

#include <string>
#include <variant>

#include "router/base/http.h"

namespace writ::connectors {

// Where a request goes.
struct Target {
  // `https://api.example.com:443`: the key of its slots, and all of the URL that a message may
  // show. Paths stay out, too: there are services whose path is the secret.
  std::string origin;
};

struct BadRequest {
  std::string why;  // holds nothing of the URL, no header's value
};

// Refuses what must not go out: another scheme than http and https, a URL or a header with control
// characters (a line break there would write headers of its own), a header that frames the body.
[[nodiscard]] std::variant<Target, BadRequest> CheckRequest(const router::HttpRequest& request);

}  // namespace writ::connectors
