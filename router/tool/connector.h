#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <variant>
#include <vector>

#include "router/base/ids.h"
#include "router/base/json.h"
#include "router/base/time.h"
#include "router/tool/tool.h"

namespace writ::router {

// A question that a tool puts to a person before it goes on. All of it is the server's own words:
// never shown as ours.
struct InputQuestion {
  std::string key;  // the server's name for it
  std::string message;
  Json schema;  // of the answer: an object of plain members
};
// What a call waits for. The request has ended at the server; to go on, the same call is sent again
// with the answers.
struct InputNeeded {
  std::vector<InputQuestion> questions;  // one at least
  std::optional<std::string>
      request_state;  // the server's: sent back as it came, never looked into
};
// The answers to InputNeeded.
struct InputGiven {
  // By the questions' keys: `{"action": "accept", "content": {…}}`, `{"action": "decline"}` or
  // `{"action": "cancel"}`. Nobody but the person accepts.
  Json responses;
  std::optional<std::string> request_state;  // of the InputNeeded
};

struct CallRequest {
  std::string tool;             // the connector's own name
  std::string arguments;        // canonical JSON text of an object: sent as it is, digit for digit
  std::string idempotency_key;  // the call id
  std::chrono::milliseconds timeout{30000};
  bool may_repeat = false;  // the binding says `idempotent`: a connection may be reused
  // The binding's `forward_writer`: a signed token; empty: none is sent.
  std::string on_behalf = {};
  std::string trace = {};  // a `traceparent` to send along; empty: none
  // There is a person whom the tool may ask: only then kNeedsInput comes.
  bool may_ask = false;
  // What it is a part of, for a connector that is the app's own backend: app, session, command and
  // for whom.
  Json part_of = {};
  // Set where this goes on with a call that ended as kNeedsInput. All else is as it was then.
  std::optional<InputGiven> input = std::nullopt;
};

// What became of a call that was sent.
struct CallReport {
  enum class Kind {
    kAnswered,  // the tool answered: `text`, flagged where it says itself that it failed
    kRefused,  // certainly not processed (never sent, or the server said so before it did anything)
    kInDoubt,  // it left and no usable answer came: only a person repeats it
    kNeedsInput,  // it asks a person first: `input`
    kLater,       // it was taken, and whoever has it reports it from outside
  };
  Kind kind = Kind::kInDoubt;
  // What the model is told, in UTF-8: the result (kAnswered), or the server's own words for why it
  // did not look at the call (kRefused; empty where there are none).
  std::string text;
  bool is_error = false;  // kAnswered: by the tool's own word
  std::string what;       // kRefused, kInDoubt: why, for the log and the step; no argument in it
  std::optional<InputNeeded> input = std::nullopt;  // kNeedsInput
};

struct ToolListFailure {
  std::string what;
};
struct ToolList {
  std::vector<Tool> tools;
  SteadyPoint fetched_at;
};
using ToolListOutcome = std::variant<ToolList, ToolListFailure>;

// The port to an outside system, one a binding. Asynchronous: `done` is called once, on a thread of
// the HTTP client, never from within the call. Shared by all threads.
class Connector {
 public:
  virtual ~Connector() = default;

  // The tools, from memory where they were fetched less than `max_age` ago.
  virtual void ListTools(std::chrono::milliseconds max_age, std::stop_token stop,
                         std::function<void(ToolListOutcome)> done) = 0;

  // When the list was fetched that ListTools would give from memory, without waiting for anything;
  // nullopt: it would have to ask for one, or nobody remembers.
  [[nodiscard]] virtual std::optional<SteadyPoint> ListedAt(std::chrono::milliseconds /*max_age*/) {
    return std::nullopt;
  }

  // Sends one call, once: never repeated by itself unless it was certainly not processed.
  // A stop request cancels at the connector where that can be; the report is then what is known.
  virtual void Call(const CallRequest& request, std::stop_token stop,
                    std::function<void(CallReport)> done) = 0;
};

}  // namespace writ::router
