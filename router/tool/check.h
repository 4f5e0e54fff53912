#pragma once

#include <functional>
#include <stop_token>
#include <string>
#include <variant>
#include <vector>

#include "router/base/json.h"

namespace writ::router {

// A question to the app's backend about one call.
struct CheckRequest {
  std::string id;  // `msg_…`, new for each question; the answer is bound to it
  // An object that holds `approval_id` and `args_digest`: the answer has to repeat both.
  Json body;
  std::vector<std::string> answer_keys;  // what the answer may hold beside those two
  std::string trace = {};                // a `traceparent` to send along; empty: none
};

struct CheckFailed {
  std::string what;  // for the log: holds nothing of the bodies
};

// The answer's object, which is the backend's own word: signed, fresh, about this question. What
// it says is for the caller to read.
using CheckOutcome = std::variant<Json, CheckFailed>;

// The port to the app's backend, one a configured callback. Asynchronous: `done` is called once, on
// a thread of the HTTP client, never from within Ask. Asking again is safe. Shared by all threads.
class Check {
 public:
  virtual ~Check() = default;
  virtual void Ask(CheckRequest request, std::stop_token stop,
                   std::function<void(CheckOutcome)> done) = 0;
};

}  // namespace writ::router
