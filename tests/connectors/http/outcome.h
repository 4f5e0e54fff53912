#pragma once

#include <chrono>
#include <cstdlib>
#include <future>
#include <memory>
#include <stop_token>
#include <string>
#include <utility>
#include <variant>

#include "connectors/http/curl_loop.h"
#include "router/base/http.h"
#include "tests/support/raw_server.h"

namespace writ::tests {

using router::HttpFailure;
using router::HttpHeaders;
using router::HttpOutcome;
using router::HttpRequest;
using router::HttpResponse;
using Kind = router::HttpFailure::Kind;

// Waits for what must come; a minute without it is a failure that no test goes on after.
template <typename T>
T Await(std::future<T> future) {
  if (future.wait_for(std::chrono::seconds(60)) != std::future_status::ready) std::abort();
  return future.get();
}

inline std::future<HttpOutcome> SendTo(router::HttpClient& client, HttpRequest request,
                                       std::stop_token stop = {}) {
  auto promise = std::make_shared<std::promise<HttpOutcome>>();
  std::future<HttpOutcome> future = promise->get_future();
  client.Send(std::move(request), std::move(stop),
              [promise](HttpOutcome outcome) { promise->set_value(std::move(outcome)); });
  return future;
}

inline HttpOutcome Ask(router::HttpClient& client, HttpRequest request) {
  return Await(SendTo(client, std::move(request)));
}

// The reply; where there is none, one with status 0 and the failure's text for a body.
inline HttpResponse Reply(const HttpOutcome& outcome) {
  if (const auto* response = std::get_if<HttpResponse>(&outcome)) return *response;
  return {0, {}, std::get<HttpFailure>(outcome).what};
}

// The failure; where there is none, one that says so, and is of no kind.
inline HttpFailure Fault(const HttpOutcome& outcome) {
  if (const auto* failure = std::get_if<HttpFailure>(&outcome)) return *failure;
  return {static_cast<Kind>(-1),
          "a reply with status " + std::to_string(std::get<HttpResponse>(outcome).status)};
}

inline HttpRequest Get(const RawServer& server, std::string_view path = "/") {
  HttpRequest request;
  request.url = server.Url(path);
  return request;
}

inline HttpRequest Post(const RawServer& server, std::string body) {
  HttpRequest request = Get(server);
  request.method = "POST";
  request.body = std::move(body);
  return request;
}

inline HttpRequest PostOnce(const RawServer& server, std::string body) {
  HttpRequest request = Post(server, std::move(body));
  request.once = true;
  return request;
}

// What a script of one whole reply is.
inline RawServer::Steps Answer(std::string bytes) {
  return {{RawStep::Kind::kSend, std::move(bytes)}};
}

}  // namespace writ::tests
