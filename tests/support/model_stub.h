#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bot/http/request.h"
#include "bot/http/server.h"
#include "bot/http/socket.h"
#include "router/base/json.h"
#include "tests/support/recording_log.h"

namespace writ::tests {

// A request that the stub took, in the words of neither provider.
struct ModelQuestion {
  struct Result {
    std::string id;
    std::string text;
    bool is_error = false;  // Anthropic's flag; OpenAI has none
  };

  bool anthropic = false;
  router::Json body;  // as it came
  bot::NamedValues headers;
  std::string system;
  std::vector<std::string> said;  // by people, oldest first
  int rounds = 0;                 // of calls with their results
  std::vector<Result> results;    // of the last round
  std::vector<std::string> tools;

  [[nodiscard]] std::string last_said() const { return said.empty() ? "" : said.back(); }
  // Whether some person's text, in the whole request, contains it.
  [[nodiscard]] bool Heard(const std::string& part) const;
};

struct ModelAnswer {
  struct Call {
    std::string name;
    std::string arguments = "{}";  // text; at Anthropic's endpoint broken text is `{}`
    std::string id = {};           // empty: one is made
  };

  std::string text;
  std::vector<Call> calls;
  bool keeps_broken = false;  // Anthropic's endpoint sends broken arguments, too, in a stream
  std::string stop;           // finish_reason or stop_reason; empty: the fitting one
  int status = 200;           // anything else is an error
  std::string error_code;
  bot::NamedValues headers;
  std::optional<std::string> raw_body;  // sent instead of all that
  router::Json thinking;                // an array of blocks before the text, at Anthropic's
  // Where the question asks for a stream:
  bool whole = false;                           // it is answered whole all the same
  std::optional<std::size_t> events = {};       // so many are sent, and the connection is closed
  std::optional<std::string> error_event = {};  // sent after those
  // So many are sent, the rest with GoOn().
  std::optional<std::size_t> pauses_after = {};
};

// A model server for both wire formats that refuses what the vendors refuse, in their words, and
// answers what a test's script says. The script runs on many threads.
class ModelStub {
 public:
  using Script = std::function<ModelAnswer(const ModelQuestion&)>;

  explicit ModelStub(Script script, int port = 0);
  ~ModelStub();
  ModelStub(const ModelStub&) = delete;
  ModelStub& operator=(const ModelStub&) = delete;

  [[nodiscard]] std::string openai_url() const;     // `base_url` of the configuration
  [[nodiscard]] std::string anthropic_url() const;  // `base_url` of the configuration

  // Answers wait until Release().
  void Hold();
  void Release();

  // Sends what paused streams have left. How many their clients had hung up before.
  std::size_t GoOn();
  // Waits until so many clients of streams that pause have hung up; false where they did not.
  [[nodiscard]] bool WaitForHangUps(std::size_t count) const;

  [[nodiscard]] std::vector<ModelQuestion> questions() const;
  // Why requests were refused. A test ends with `EXPECT_TRUE(model.refusals().empty())`.
  [[nodiscard]] std::vector<std::string> refusals() const;
  // false where it did not happen in time.
  [[nodiscard]] bool WaitForQuestions(std::size_t count,
                                      std::chrono::milliseconds within = std::chrono::seconds{
                                          30}) const;

 private:
  bot::Response Handle(const bot::Request& request);
  bot::Response Answer(ModelQuestion question);
  void WriteReply(const ModelQuestion& question, const ModelAnswer& answer, std::size_t number,
                  bot::Response& response);
  bot::Response Refuse(bool anthropic, int status, const std::string& type,
                       const std::string& message);

  const Script script_;
  RecordingLog log_;
  mutable std::mutex mutex_;  // guards all below
  mutable std::condition_variable changed_;
  bool held_ = false;
  std::vector<ModelQuestion> questions_;
  std::vector<std::string> refusals_;
  struct Paused {
    bot::Socket socket;
    std::string rest;
  };
  std::vector<Paused> paused_;
  std::unique_ptr<bot::Server> server_;  // set once; last, for its threads use all of the above
};

}  // namespace writ::tests
