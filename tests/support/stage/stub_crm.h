#pragma once

#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "bot/http/server.h"
#include "router/base/json.h"
#include "tests/support/recording_log.h"

namespace writ::tests {

// A connector that speaks MCP over Streamable HTTP, in plain JSON and either era: keeps what it was
// asked, and answers, asks back, fails or hangs as a test wants it. Shared by all threads.
class StubCrm {
 public:
  struct Call {
    std::string tool;
    std::string arguments;       // as JSON, as they came
    std::string key;             // `_meta["writ/idempotency-key"]`
    std::string on_behalf = {};  // `_meta["writ/for"]`
    router::Json input = {};     // `inputResponses`; null where there are none
    std::string state = {};      // `requestState`
    std::string trace = {};      // `_meta["traceparent"]`
  };
  struct Result {
    int status = 200;  // of HTTP; another one has no result
    std::string text = "ok";
    bool is_error = false;
    bool hangs = false;   // no answer until Release() or the end
    bool breaks = false;  // the connection ends in the middle of the answer
    // `inputRequests`: it asks instead of answering. Only for who speaks 2026-07-28.
    router::Json asks = {};
  };
  using Does = std::function<Result(const Call&)>;

  // Has the tools `echo {message}`, `lookup {name?}` and `refund {amount}`.
  StubCrm();
  ~StubCrm();
  StubCrm(const StubCrm&) = delete;
  StubCrm& operator=(const StubCrm&) = delete;

  [[nodiscard]] std::string Url() const;

  // Offers the tool, or changes it.
  void SetTool(const std::string& name, const router::Json& input_schema);
  void RemoveTool(const std::string& name);
  // What a call of the tool does; at first each says `<tool>: <its arguments>`.
  void On(const std::string& tool, Does does);
  // Every session is gone, as after a restart.
  void ForgetSessions();
  // The tool list can't be had (500) until it is set back.
  void RefuseLists(bool refuse);
  // What hangs, and what would, is answered.
  void Release();

  [[nodiscard]] std::vector<Call> Calls() const;
  // Those whose arguments hold `text`: a test's own word.
  [[nodiscard]] std::vector<Call> CallsWith(std::string_view text) const;
  [[nodiscard]] int sessions() const;   // that were opened
  [[nodiscard]] int lists() const;      // that were asked for
  [[nodiscard]] int cancelled() const;  // requests that it was told to give up

 private:
  [[nodiscard]] bot::Response Answer(const bot::Request& request);
  [[nodiscard]] bot::Response Initialize(const router::Json& id);
  [[nodiscard]] bot::Response ListTools(const router::Json& id);
  [[nodiscard]] bot::Response CallTool(const router::Json& id, const router::Json& params);

  mutable std::mutex mutex_;  // guards all below
  std::condition_variable changed_;
  std::map<std::string, router::Json> tools_;
  std::map<std::string, Does> does_;
  std::map<std::string, bool> known_sessions_;
  std::vector<Call> calls_;
  int sessions_ = 0;
  int lists_ = 0;
  int cancelled_ = 0;
  bool refuses_lists_ = false;
  bool released_ = false;

  RecordingLog log_;
  std::unique_ptr<bot::Server> server_;
};

}  // namespace writ::tests
