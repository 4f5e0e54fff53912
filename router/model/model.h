#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <variant>
#include <vector>

#include "router/base/json.h"

namespace writ::router {

// A call as the model wrote it, before anything was believed.
struct ModelCall {
  std::string provider_id;     // the provider's; may repeat or be empty
  std::string offered_name;    // as the tool was offered; may be unknown
  std::string arguments_text;  // JSON text, or whatever the model wrote
};

// As the provider counts them; 0 where it does not say.
struct ModelUsage {
  std::int64_t input_tokens = 0;
  std::int64_t output_tokens = 0;
};

struct ModelReply {
  enum class Stop { kEnd, kCutOff, kRefused, kFiltered };
  std::string text;
  std::vector<ModelCall> calls;
  Stop stop = Stop::kEnd;
  // The assistant message as the provider must get it back, verbatim (thinking blocks with their
  // signatures). Opaque to the core.
  Json raw;
  ModelUsage usage = {};
};

// What was added to a reply that is still being written: to be shown, never acted upon.
struct ReplyDelta {
  std::string text;
  bool anew = false;  // an earlier try broke off: what it brought counts no more
};

struct ModelFailure {
  enum class Kind {
    kUnavailable,  // after the retries, or no time left for one
    kRefused,      // will not work: credentials, money, a request that is wrong
    kTooLong,      // the conversation does not fit
    kCancelled,
    kOverBudget,  // it was not asked: its tokens of the day are used up
  };
  Kind kind = Kind::kUnavailable;
  std::string what;  // for the log; no key, no text of the conversation
};

struct ToolResult {
  std::string provider_id;
  std::string offered_name;
  std::string text;  // never empty
  bool is_error = false;
};

// One entry of the conversation, oldest first. Entries come as they happened; a provider's adapter
// merges what its rules want merged.
struct Said {
  enum class Who { kPeople, kAgent };
  Who who = Who::kPeople;
  std::string text;  // labelled where people said it; never empty
};
struct CallsRound {  // a reply of the running turn that made calls, with exactly one result each
  ModelReply reply;
  std::vector<ToolResult> results;  // in the order of reply.calls
};
using TranscriptEntry = std::variant<Said, CallsRound>;

struct OfferedTool {
  std::string offered_name;  // fits the provider's name rule; unique in the request
  std::string description;
  Json input_schema;
};

struct ModelRequest {
  std::string instructions;
  std::vector<TranscriptEntry> transcript;
  std::vector<OfferedTool> tools;
  std::chrono::milliseconds time_left{120000};  // the turn's: retries must fit into it
  std::string trace = {};                       // a `traceparent` to send along; empty: none
  // How many entries stand before the command's own message: what an adapter may leave out, the
  // oldest first, where the conversation is too long for the model.
  std::size_t older = 0;
  // Where set, told of the reply as it grows, on a thread of the HTTP client, one after the other
  // and before `done`. Must not block. A provider that does not stream tells nothing.
  std::function<void(const ReplyDelta&)> on_delta = {};
};

// The port to a language model. Asynchronous: `done` is called once, on a thread of the HTTP
// client, never from within Ask. Retries within `time_left` are the adapter's: asking again is
// safe, nothing has happened yet. Shared by all threads.
class Model {
 public:
  using Outcome = std::variant<ModelReply, ModelFailure>;
  virtual ~Model() = default;
  virtual void Ask(ModelRequest request, std::stop_token stop,
                   std::function<void(Outcome)> done) = 0;
};

// A name that every provider takes (`[A-Za-z0-9_-]`, 64 at most) for each of `true_names`, unique
// among them and stable: the same set gives the same names. Where cleaning changed a name it ends
// in eight hex digits of its SHA-256.
[[nodiscard]] std::vector<std::string> OfferNames(const std::vector<std::string>& true_names);

}  // namespace writ::router
