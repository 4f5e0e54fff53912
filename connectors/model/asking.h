#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include "connectors/model/dialect.h"
#include "connectors/model/error_reply.h"
#include "connectors/model/incoming_reply.h"
#include "connectors/model/model_options.h"
#include "router/base/http.h"
#include "router/base/log.h"
#include "router/base/time.h"
#include "router/model/model.h"

namespace writ::connectors {

// One question to a provider's model until there is an outcome: tries again what may pass, a stream
// that broke off too, as long as it fits into the time that the turn has; leaves the oldest history
// out where the conversation is too long; and asks once more where the reply was empty or its only
// call was cut off. Tells of the reply as it grows. Lives as long as a callback of its is out;
// callbacks come one after the other.
class Asking : public std::enable_shared_from_this<Asking> {
 public:
  using Done = std::function<void(router::Model::Outcome)>;
  struct World {
    router::HttpClient& http;
    const router::Clock& clock;
    router::Log& log;
  };

  Asking(World world, const ModelOptions& options, const Dialect& dialect,
         router::ModelRequest request, std::stop_token stop, Done done);

  // Sends the first try; `done` is never called from within. What the provider would refuse has
  // been left out of `first`, which is `request` as the dialect writes it.
  void Start(router::HttpRequest first);

 private:
  void Try();
  void Send(router::HttpRequest request);
  void Take(router::HttpOutcome outcome);
  bool TakeBytes(std::string_view bytes);
  void TakeReply(const router::HttpResponse& response);
  void TakeNoReply(const router::HttpResponse& response);
  void TakeError(const ErrorReply& error, const router::HttpResponse& response);
  void LeaveOut(const std::string& why);
  void TakeFailure(const router::HttpFailure& failure);
  // `asked` is the wait that the provider asked for.
  void TryAgain(const std::string& why, std::optional<std::chrono::milliseconds> asked);
  bool AskOnceMore(const Dialect::Read& read);
  void TellOf(const Dialect::Read& read, const router::HttpResponse& response) const;
  [[nodiscard]] std::chrono::milliseconds Left() const;
  void Fail(router::ModelFailure::Kind kind, const std::string& what);
  [[nodiscard]] std::string WithoutKey(const std::string& text) const;

  World world_;
  const ModelOptions& options_;
  const Dialect& dialect_;
  router::ModelRequest request_;
  std::stop_token stop_;
  Done done_;
  router::SteadyPoint deadline_;
  std::unique_ptr<IncomingReply> incoming_;  // of the try that is out, where it streams
  std::size_t told_ = 0;                     // how much of its text was told
  bool tell_anew_ = false;                   // an earlier try's text was told
  int failed_tries_ = 0;
  int times_left_out_ = 0;
  int patience_ = 1;
  bool asked_once_more_ = false;
  router::ModelUsage used_ = {};  // by all replies that came
};

}  // namespace writ::connectors
