#pragma once

#include <string>
#include <string_view>

#include "connectors/http/form.h"
#include "router/base/http.h"
#include "router/base/json.h"

namespace writ::connectors {

struct SlackAccess {
  std::string bot_token;
  std::string base_url = "https://slack.com/api";
};

// Makes the requests of one workspace's Web API. A value: cheap to copy.
// source: the platforms' page, 2.4: forms, as Slack's own client sends them, JSON as text in them
class SlackApi {
 public:
  explicit SlackApi(SlackAccess access);

  [[nodiscard]] router::HttpRequest Call(std::string_view method, const FormFields& fields) const;
  // To a press's own address, which needs no token.
  [[nodiscard]] static router::HttpRequest Respond(std::string url, const router::Json& body);
  // Whether such an address is Slack's: the API's own host, or its hooks'.
  [[nodiscard]] bool IsSlacks(std::string_view url) const;

 private:
  SlackAccess access_;
};

}  // namespace writ::connectors
