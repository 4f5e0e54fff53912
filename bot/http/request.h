#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bot/http/socket.h"
#include "router/base/json.h"

namespace writ::bot {

using NamedValues = std::vector<std::pair<std::string, std::string>>;

// One whole request: its body was read to the end before anybody looks at it.
struct Request {
  std::string method;
  std::string target;  // as received, still percent-encoded: what Twilio signs
  NamedValues params;  // of the route's pattern, percent-decoded
  NamedValues query;   // percent-decoded, in order; a repeated name is there twice
  // Names in lower case, each once: repeated lines were joined by ", ", so that a second
  // signature or credential makes the value wrong instead of choosing one. Values as received.
  NamedValues headers;
  std::string body;             // without the chunked framing; never inflated
  bool body_too_large = false;  // more came than ServerOptions::max_body_bytes; `body` is empty
  std::string remote_addr;      // the peer's address, not what a header claims

  // The value by that (lower-case) name, or nullptr.
  [[nodiscard]] const std::string* Header(std::string_view name) const;
  // The pattern's `{name}`. A name that the pattern does not have is a bug: std::logic_error.
  [[nodiscard]] const std::string& Param(std::string_view name) const;
  // The value where the name is there exactly once. Repeats are QueryReader's to refuse.
  [[nodiscard]] std::optional<std::string> Query(std::string_view name) const;
};

struct Response {
  int status = 200;
  std::string content_type;  // empty: no body
  std::string body;
  NamedValues headers;
  // Where set, the connection is taken over once the head and `body` were sent: the socket is
  // given away (non-blocking) and the server forgets it. Runs on a worker; must not block.
  std::function<void(Socket)> take_over;
};

[[nodiscard]] Response JsonResponse(int status, const router::Json& body);
[[nodiscard]] Response NoContent();  // 204

}  // namespace writ::bot
