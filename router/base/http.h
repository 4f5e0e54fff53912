#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace writ::router {

using HttpHeaders = std::vector<std::pair<std::string, std::string>>;

struct HttpRequest {
  std::string method = "GET";
  std::string url;  // http or https; anything else is refused
  HttpHeaders headers;
  std::string body;
  // A request that may happen once. It travels on a fresh connection that is closed afterwards:
  // on a reused one a client library may send a POST twice by itself.
  bool once = false;
  // Goes only where its host's name leads to an address of the public Internet: neither this
  // machine nor a network of its own. Otherwise it is kNotSent.
  bool public_only = false;
  std::chrono::milliseconds connect_timeout{5000};
  std::chrono::milliseconds timeout{30000};   // for all of it, a wait in a queue too; 0: none
  std::chrono::milliseconds idle_timeout{0};  // without a byte received; 0: none
  std::size_t max_response_bytes = std::size_t{8} << 20;
  // Where set, the bytes of a 2xx body are handed over as they come and are not collected; false
  // ends the transfer as a success (the reader has what it wants).
  std::function<bool(std::string_view)> on_data;
  // Where set, called once with status and headers before the first on_data.
  std::function<void(int status, const HttpHeaders&)> on_headers;
};

struct HttpResponse {
  int status = 0;
  HttpHeaders headers;  // names in lower case
  std::string body;

  // The first header of that (lower-case) name, or nullptr.
  [[nodiscard]] const std::string* Header(std::string_view name) const;
};

struct HttpFailure {
  enum class Kind {
    kNotSent,    // no byte of the request left: it was certainly not processed
    kTimedOut,   // after something was sent
    kBroken,     // the connection or the reply was
    kTooLarge,   // the reply passed max_response_bytes
    kCancelled,  // by the stop token
  };
  Kind kind;
  std::string what;  // without the URL's query and without any header
};

using HttpOutcome = std::variant<HttpResponse, HttpFailure>;

// The one outgoing HTTP client. Nothing waits in it: thousands of requests may be out on a handful
// of threads. Shared by all threads.
class HttpClient {
 public:
  using Done = std::function<void(HttpOutcome)>;
  virtual ~HttpClient() = default;

  // Calls `done` exactly once, on a thread of the client, never from within Send. A callback must
  // not block and must not throw. A stop request ends the transfer as kCancelled (or kNotSent).
  virtual void Send(HttpRequest request, std::stop_token stop, Done done) = 0;

  // Calls `then` once after `delay`, or at once when stopped; on a thread of the client.
  virtual void After(std::chrono::milliseconds delay, std::stop_token stop,
                     std::function<void()> then) = 0;
};

}  // namespace writ::router
