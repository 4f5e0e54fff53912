#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "router/base/json.h"

namespace writ::tests {

// Who a request comes from: what stands in its headers.
struct Caller {
  std::vector<std::pair<std::string, std::string>> headers;
};

// `claims` are signed with the app's secret.
[[nodiscard]] Caller WithToken(std::string_view api_key, std::string_view secret,
                               const router::Json& claims);

struct ApiReply {
  int status = 0;  // 0: no answer came
  std::string body;
  std::string head;

  [[nodiscard]] router::Json json() const;  // null where the body is none
  [[nodiscard]] std::string code() const;   // of a problem; "" where there is none
  // `404 no_session`: what a refusal is.
  [[nodiscard]] std::string text() const;
};

using ApiHeaders = std::vector<std::pair<std::string, std::string>>;

// One request on a connection of its own, exactly so.
[[nodiscard]] ApiReply Send(int port, const std::string& method, const std::string& target,
                            const ApiHeaders& headers, std::string_view body);

// The HTTP API of a running program.
class ApiClient {
 public:
  explicit ApiClient(int port) : port_(port) {}

  [[nodiscard]] ApiReply Get(const Caller& caller, const std::string& target) const;
  [[nodiscard]] ApiReply Post(const Caller& caller, const std::string& target,
                              const router::Json& body) const;
  [[nodiscard]] ApiReply Delete(const Caller& caller, const std::string& target) const;
  [[nodiscard]] int port() const { return port_; }

 private:
  int port_;
};

}  // namespace writ::tests
