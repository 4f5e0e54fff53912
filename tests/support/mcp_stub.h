#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "bot/http/request.h"
#include "bot/http/server.h"
#include "router/base/json.h"
#include "tests/support/recording_log.h"

namespace writ::tests {

// A call that reached the server, whatever it was answered.
struct McpCall {
  std::string tool;
  std::string idempotency_key;  // `_meta["writ/idempotency-key"]`
  router::Json arguments;       // every digit as it came
  std::string body;             // the whole message
  bot::NamedValues headers;
};

struct McpStubAnswer {
  enum class Kind {
    kText,       // a result
    kToolError,  // a result with `isError`
    kRpcError,   // a JSON-RPC error of `code`
    kStatus,     // an HTTP status `code`
    kEndsEarly,  // an event stream that ends without an answer and can't be resumed
  };
  Kind kind = Kind::kText;
  std::string text;
  int code = 0;
};

struct McpStubTool {
  std::string name;
  std::string description = {};
  std::string schema = R"({"type":"object"})";  // JSON text
  bool read_only = false;
  bool task_only = false;
  // Runs on one of many threads. Empty: `Echo: ` and the argument `message`.
  std::function<McpStubAnswer(const McpCall&)> run = {};
};

// An MCP server of the handshake era over Streamable HTTP, as strict about headers and sessions as
// the reference server. Begins with one tool, `echo {message}`.
class McpStub {
 public:
  explicit McpStub(int port = 0);  // 0 picks one; a restart takes the old one's
  ~McpStub();
  McpStub(const McpStub&) = delete;
  McpStub& operator=(const McpStub&) = delete;

  [[nodiscard]] int port() const { return server_->port(); }
  [[nodiscard]] std::string url() const;

  void SetTool(McpStubTool tool);  // adds it or replaces the one of that name
  void RemoveTool(const std::string& name);
  void AnswerWithEvents(bool events);
  void PageSize(std::size_t tools);  // 0: all on one page
  // Forgets all sessions, as a restart does. `status` is what a request of one gets.
  void DropSessions(int status = 404);
  // Calls of the tool are recorded and then wait for Release(), which lets every tool go on.
  void Stall(const std::string& tool);
  void Release();

  [[nodiscard]] std::vector<McpCall> calls() const;
  [[nodiscard]] std::size_t CallsOf(const std::string& tool) const;
  [[nodiscard]] std::size_t CallsWithKey(const std::string& idempotency_key) const;
  [[nodiscard]] std::size_t Count(const std::string& method) const;  // of any message
  // What was refused for its form. A test ends with `EXPECT_TRUE(crm.refusals().empty())`.
  [[nodiscard]] std::vector<std::string> refusals() const;
  // false where it did not happen in time.
  [[nodiscard]] bool WaitForCalls(std::size_t count,
                                  std::chrono::milliseconds within = std::chrono::seconds{
                                      30}) const;

 private:
  bot::Response Handle(const bot::Request& request);
  bot::Response HandleMessage(const bot::Request& request, const router::Json& message);
  bot::Response Initialize(const router::Json& message);
  bot::Response List(const router::Json& message);
  bot::Response Call(const bot::Request& request, const router::Json& message);
  McpStubAnswer Run(const McpCall& call);
  bot::Response Refuse(int status, const std::string& why);
  // The message as the server chooses to send it.
  bot::Response Send(const router::Json& message);
  [[nodiscard]] std::optional<bot::Response> FormFault(const bot::Request& request,
                                                       const router::Json& message);
  [[nodiscard]] std::vector<McpStubTool> ToolsNow() const;

  RecordingLog log_;
  mutable std::mutex mutex_;  // guards all below
  mutable std::condition_variable changed_;
  std::vector<McpStubTool> tools_;
  bool events_ = false;
  bool tools_changed_ = false;  // not told yet
  std::size_t page_size_ = 0;
  std::set<std::string> sessions_;
  int lost_status_ = 404;
  int last_number_ = 0;  // of sessions and events
  std::set<std::string> stalled_;
  std::vector<McpCall> calls_;
  std::map<std::string, std::size_t> counts_;
  std::vector<std::string> refusals_;
  std::unique_ptr<bot::Server> server_;  // set once; last, for its threads use all of the above
};

}  // namespace writ::tests
