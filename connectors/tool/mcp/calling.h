#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>

#include "connectors/tool/mcp/era.h"
#include "connectors/tool/mcp/listed_tools.h"
#include "router/base/http.h"
#include "router/base/time.h"
#include "router/tool/connector.h"

namespace writ::connectors {

// One call until its report. It is sent a second time in one case alone: the server did not know
// the session, so that nothing was processed. Then the tools are listed anew, and the call goes out
// only where its tool still is what it was: an approval is for that tool.
class Calling : public std::enable_shared_from_this<Calling> {
 public:
  using Done = std::function<void(router::CallReport)>;

  Calling(router::HttpClient& http, const router::Clock& clock, Era& era, ListedTools& tools,
          router::CallRequest request, std::stop_token stop, Done done);

  void Start();

 private:
  void Send();
  void TakeAnswer(const McpAnswer& answer);
  void ListAnew();
  void TakeTools(const router::ToolListOutcome& outcome);
  [[nodiscard]] std::chrono::milliseconds Left() const;
  void Refuse(std::string why);

  router::HttpClient& http_;
  const router::Clock& clock_;
  Era& era_;
  ListedTools& tools_;
  const router::CallRequest request_;
  const std::stop_token stop_;
  const Done done_;
  router::SteadyPoint deadline_;
  bool sent_anew_ = false;
  std::optional<router::Tool> before_;
};

}  // namespace writ::connectors
