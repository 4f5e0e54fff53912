#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "connectors/tool/mcp/era.h"
#include "connectors/tool/mcp/mcp_options.h"
#include "connectors/tool/mcp/waiter.h"
#include "router/base/http.h"
#include "router/base/log.h"
#include "router/base/time.h"
#include "router/tool/connector.h"

namespace writ::connectors {

// A server's tools as they were listed last. One listing at a time: whoever asks meanwhile waits
// for the same one.
class ListedTools : public std::enable_shared_from_this<ListedTools> {
 public:
  struct World {
    router::HttpClient& http;
    const router::Clock& clock;
    router::Log& log;
  };
  using Done = std::function<void(router::ToolListOutcome)>;

  ListedTools(World world, McpOptions options) : world_(world), options_(std::move(options)) {}

  // The list where it is younger than `max_age`, not older than the server lets it become, and
  // nothing was said against it, else a new one
  // through `era`. `done` is never called from within. Once somebody waited the whole time-out in
  // vain, whoever asks waits for a second only, until a list has come.
  void Get(Era& era, std::chrono::milliseconds max_age, const std::stop_token& stop, Done done);

  // When the list was fetched that Get would give at once; nullopt: there is none.
  [[nodiscard]] std::optional<router::SteadyPoint> ListedAt(std::chrono::milliseconds max_age);

  // The list has changed at the server, or may have: it is fetched before its next use.
  void Outdate();

  // The tool as it was listed last, however long ago.
  [[nodiscard]] std::optional<router::Tool> LastSeen(const std::string& name);

 private:
  using ListWaiter = Waiter<router::ToolListOutcome>;

  [[nodiscard]] bool IsFresh(router::SteadyPoint now, std::chrono::milliseconds max_age) const;
  void EndWait(const ListWaiter& waiter);  // nothing came, and nobody stopped it
  void Take(std::uint64_t as_of, router::ToolListOutcome outcome,
            std::optional<std::chrono::milliseconds> good_for);

  const World world_;
  const McpOptions options_;

  std::mutex mutex_;  // guards all below
  std::optional<router::ToolList> listed_;
  std::optional<std::chrono::milliseconds> good_for_;  // by the server's word
  std::uint64_t changes_ = 1;                          // how often the list was outdated
  std::uint64_t listed_as_of_ = 0;                     // `changes_` when the last listing began
  bool listing_ = false;
  router::SteadyPoint began_;    // the newest listing
  bool waited_in_vain_ = false;  // since a list last came
  std::vector<std::shared_ptr<ListWaiter>> waiting_;
};

}  // namespace writ::connectors
