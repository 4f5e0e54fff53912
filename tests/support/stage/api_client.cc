#include "tests/support/stage/api_client.h"

#include <system_error>

#include "bot/auth/token.h"
#include "tests/support/raw_client.h"

namespace writ::tests {

using router::Json;

Caller WithToken(std::string_view api_key, std::string_view secret, const Json& claims) {
  return {{{"X-Api-Key", std::string(api_key)},
           {"Authorization", "Bearer " + bot::MakeToken(claims, secret)}}};
}

Json ApiReply::json() const { return router::ParseJson(body).value.value_or(Json()); }

std::string ApiReply::code() const { return json().TextAt("code"); }

std::string ApiReply::text() const {
  const std::string problem = code();
  return std::to_string(status) + (problem.empty() ? "" : " " + problem);
}

ApiReply Send(int port, const std::string& method, const std::string& target,
              const ApiHeaders& headers, std::string_view body) {
  std::string head = method + " " + target + " HTTP/1.1\r\nHost: 127.0.0.1\r\n";
  for (const auto& [name, value] : headers) head += name + ": " + value + "\r\n";
  if (!body.empty() || method == "POST") {
    head += "Content-Length: " + std::to_string(body.size()) + "\r\n";
  }
  head += "Connection: close\r\n\r\n";
  try {
    RawClient client(port);
    client.Send(head);
    client.Send(body);
    const auto answer = client.Receive(method != "HEAD", std::chrono::seconds(30));
    if (!answer) return {};
    return {answer->status, answer->body, answer->head};
  } catch (const std::system_error&) {
    return {};  // nobody listens
  }
}

ApiReply ApiClient::Get(const Caller& caller, const std::string& target) const {
  return Send(port_, "GET", target, caller.headers, "");
}

ApiReply ApiClient::Post(const Caller& caller, const std::string& target, const Json& body) const {
  ApiHeaders headers = caller.headers;
  headers.emplace_back("Content-Type", "application/json");
  return Send(port_, "POST", target, headers, body.Dump());
}

ApiReply ApiClient::Delete(const Caller& caller, const std::string& target) const {
  return Send(port_, "DELETE", target, caller.headers, "");
}

}  // namespace writ::tests
