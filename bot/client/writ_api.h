#pragma once

#include <string>
#include <utility>

#include "router/base/http.h"

namespace writ::bot {

struct WritAnswer {
  int status = 0;  // 0: no answer came; `body` says why
  std::string content_type;
  std::string body;
};

// A node's HTTP API, called as anybody would.
class WritApi {
 public:
  // `http` outlives this.
  WritApi(router::HttpClient& http, std::string url) : http_(http), url_(std::move(url)) {}

  // Waits for the answer, for seconds at most.
  [[nodiscard]] WritAnswer Get(const std::string& target, router::HttpHeaders headers);
  [[nodiscard]] WritAnswer Post(const std::string& target, router::HttpHeaders headers,
                                std::string body);

  [[nodiscard]] const std::string& url() const { return url_; }

 private:
  [[nodiscard]] WritAnswer Wait(router::HttpRequest request);

  router::HttpClient& http_;
  const std::string url_;
};

}  // namespace writ::bot
