#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bot/http/server.h"
#include "router/base/json.h"
#include "tests/support/recording_log.h"

namespace writ::tests {

// A model behind OpenAI's Chat Completions, as a stream where one is asked for. What it does is in
// the message that it answers: each line `!crm__echo {"message":"x"}` is a call of its first reply,
// without which it says `You said: …`; after results it says `Results: <each in turn, parted by " |
// ">`. A test may give other answers to its own messages with When(). Requests that leave a call
// without its one result are refused with 400, as providers refuse them. Shared by all threads.
class StubModel {
 public:
  struct Asked {
    router::Json body;
    std::string text;                  // the last text of people before the turn's own calls
    std::vector<std::string> results;  // of the last round of calls; empty before there is one
    int rounds = 0;                    // of calls, in the running turn
    std::string trace = {};            // the header `traceparent`
  };
  struct Call {
    std::string name;
    std::string arguments;  // as text, broken or not
    std::string id = {};    // "" is made up
  };
  struct Reply {
    int status = 200;
    std::string text = {};
    std::vector<Call> calls = {};
    std::string retry_after = {};
    int tokens = 0;      // as the reply counts what was read for it; nothing is told where it is 0
    bool hangs = false;  // no answer until Release() or the end
  };
  using Does = std::function<Reply(const Asked&)>;

  StubModel();
  ~StubModel();
  StubModel(const StubModel&) = delete;
  StubModel& operator=(const StubModel&) = delete;

  [[nodiscard]] std::string Url() const;  // `model.base_url`

  // What is answered where the turn's text holds `text`; the newest first.
  void When(std::string text, Does does);
  void Release();
  // What the model does unless a test says otherwise.
  [[nodiscard]] static Reply ByDefault(const Asked& asked);

  // The requests whose text of the turn holds `text`, in order.
  [[nodiscard]] std::vector<Asked> AskedAbout(std::string_view text) const;
  // Why requests were refused; empty where each was in order.
  [[nodiscard]] std::vector<std::string> faults() const;

 private:
  [[nodiscard]] bot::Response Answer(const bot::Request& request);

  mutable std::mutex mutex_;  // guards all below
  std::condition_variable changed_;
  std::vector<std::pair<std::string, Does>> rules_;
  std::vector<Asked> asked_;
  std::vector<std::string> faults_;
  int replies_ = 0;
  bool released_ = false;

  RecordingLog log_;
  std::unique_ptr<bot::Server> server_;
};

}  // namespace writ::tests
