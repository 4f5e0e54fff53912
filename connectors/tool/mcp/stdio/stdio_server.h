#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <string_view>

#include "connectors/tool/mcp/answer.h"
#include "connectors/tool/mcp/incoming.h"
#include "connectors/tool/mcp/stdio/command.h"
#include "connectors/tool/mcp/stdio/given_up_ids.h"
#include "connectors/tool/mcp/stdio/noise_log.h"
#include "connectors/tool/mcp/stdio/pipe_loop.h"
#include "connectors/tool/mcp/stdio/process.h"
#include "connectors/tool/mcp/stdio/sent_words.h"
#include "connectors/tool/mcp/transport.h"
#include "router/base/http.h"
#include "router/base/log.h"
#include "router/base/time.h"

namespace writ::connectors {

// One server that is a program: started by the first request, started anew by the next one after
// its end (with a growing pause where it ends soon), and ended with the loop. All of it belongs to
// the loop's thread; what others are told, they are told on a thread of the HTTP client.
class StdioServer final : public PipeLoop::Guest, public std::enable_shared_from_this<StdioServer> {
 public:
  struct World {
    PipeLoop& loop;
    router::HttpClient& http;  // for its thread
    router::Log& log;
  };
  struct Options {
    std::string name;  // the binding's id, for the log
    StdioCommand command;
    std::size_t longest_line = std::size_t{16} << 20;
  };
  // A request that is out.
  struct Pending {
    McpTransport::Request request;
    McpTransport::OnOther on_other;
    std::stop_token stop;
    McpTransport::Done done;
    router::SteadyPoint begun;

    StdioProcess::Ticket ticket = 0;
    TimerQueue::Id timer = 0;
    std::optional<std::stop_callback<std::function<void()>>> on_stop;
  };

  StdioServer(World world, Options options);

  void Ask(const std::shared_ptr<Pending>& pending);
  // Why it was not taken; empty where it was.
  [[nodiscard]] std::string Tell(McpTransport::Message message);
  // Ends the process where its session is this one, or has none.
  void End(std::uint64_t session);

  void Leave() override;
  [[nodiscard]] bool IsGone() const override { return current_ == nullptr && ending_.empty(); }

 private:
  // One run of the program.
  struct Life {
    std::shared_ptr<StdioProcess> process;
    std::uint64_t session = 0;
    router::SteadyPoint begun;
    McpTransport::OnOther on_other;
    // What on_other is still to be told; counted down where it is.
    std::shared_ptr<std::atomic<int>> untold = std::make_shared<std::atomic<int>>(0);
    std::map<std::int64_t, std::shared_ptr<Pending>> out;
    GivenUpIds given_up;
    bool retired = false;  // we have ended it
  };
  using LifePtr = std::shared_ptr<Life>;

  [[nodiscard]] bool CanServe(const McpTransport::Request& request) const;  // as it runs now
  [[nodiscard]] std::string Begin();                                        // empty where it runs
  void Retire(const LifePtr& life);
  void Send(const LifePtr& life, const std::shared_ptr<Pending>& pending);
  void GiveUp(const LifePtr& life, std::int64_t id, const char* why);
  void SetTimer(const LifePtr& life, Pending& pending, router::SteadyPoint due);
  void Prolong(const LifePtr& life, const Incoming& message);
  void TakeLine(const LifePtr& life, std::string_view line);
  void TakeAnswer(const LifePtr& life, const Incoming& message);
  void TakeOther(const LifePtr& life, const Incoming& message);
  void TakeTooLong(const LifePtr& life);
  void TakeEnd(const LifePtr& life, const std::string& how);
  void Finish(const LifePtr& life, const std::shared_ptr<Pending>& pending, McpAnswer answer);
  void Deliver(const std::shared_ptr<Pending>& pending, McpAnswer answer);

  const World world_;
  const Options options_;
  SentWords sent_;
  NoiseLog noise_;
  LifePtr current_;
  std::set<LifePtr> ending_;
  int short_lives_ = 0;  // in a row
  router::SteadyPoint not_before_{};
  bool leaving_ = false;
};

}  // namespace writ::connectors
