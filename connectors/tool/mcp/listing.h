#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "connectors/tool/mcp/era.h"
#include "connectors/tool/mcp/mcp_options.h"
#include "connectors/tool/mcp/tool_page.h"
#include "router/base/log.h"
#include "router/base/time.h"
#include "router/tool/connector.h"

namespace writ::connectors {

// Fetches a server's whole list, page by page; from its beginning once more where the session went
// away meanwhile. Pages and tools are bounded, and a cursor that comes again ends it.
class Listing : public std::enable_shared_from_this<Listing> {
 public:
  // good_for  how long the list may be used by the server's word; nullopt where it gives none
  using Done = std::function<void(router::ToolListOutcome,
                                  std::optional<std::chrono::milliseconds> good_for)>;

  Listing(const router::Clock& clock, router::Log& log, const McpOptions& options, Era& era,
          Done done)
      : clock_(clock), log_(log), options_(options), era_(era), done_(std::move(done)) {}

  void Start();

 private:
  void AskFor(const std::string& cursor);
  void TakeAnswer(const McpAnswer& answer);
  void TakePage(const McpAnswer& answer);
  void TakeTools(ToolPage page);
  [[nodiscard]] bool IsFull() const;
  void Finish();
  void Fail(const std::string& why);

  const router::Clock& clock_;
  router::Log& log_;
  const McpOptions options_;
  Era& era_;
  const Done done_;
  router::SteadyPoint deadline_;
  bool started_anew_ = false;
  router::ToolList list_;
  std::optional<std::chrono::milliseconds> good_for_;
  std::set<std::string> names_;
  std::set<std::string> cursors_;
  std::size_t left_out_ = 0;
};

}  // namespace writ::connectors
