#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>

#include "connectors/tool/mcp/era.h"
#include "connectors/tool/mcp/input_needed.h"
#include "connectors/tool/mcp/listed_tools.h"
#include "router/base/http.h"
#include "router/base/time.h"
#include "router/tool/connector.h"

namespace writ::connectors {

// One call until its report. It is sent a second time only where nothing was processed: the server
// did not know the session, or disliked its headers. Then the tools are listed anew, and the call
// goes out only where its tool still is what it was: an approval is for that tool. A tool that says
// that it has not finished and asks nobody is called again with the state that it gave.
//
// A call that tells of its progress may take four times its time-out.
class Calling : public std::enable_shared_from_this<Calling> {
 public:
  using Done = std::function<void(router::CallReport)>;

  Calling(router::HttpClient& http, const router::Clock& clock, Era& era, ListedTools& tools,
          router::CallRequest request, std::stop_token stop, Done done);

  void Start();

 private:
  void Send();
  void TakeAnswer(const McpAnswer& answer);
  void TakeInput(InputRequired required);
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
  router::Json arguments_;
  std::optional<router::InputGiven> input_;
  int rounds_ = 0;  // in which the tool only wanted to be called again
  bool sent_anew_ = false;
  std::optional<router::Tool> before_;
};

}  // namespace writ::connectors
