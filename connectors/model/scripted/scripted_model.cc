#include "connectors/model/scripted/scripted_model.h"

#include <algorithm>
#include <chrono>

namespace writ::connectors {

using router::ModelFailure;

void ScriptedModel::Ask(router::ModelRequest request, std::stop_token stop,
                        std::function<void(Outcome)> done) {
  ScriptedAnswer answer = AnswerFrom(script_, request);
  const bool in_time = answer.delay <= request.time_left;
  const auto wait = std::min<std::chrono::milliseconds>(answer.delay, request.time_left);
  http_.After(wait, stop, [answer = std::move(answer), in_time, stop, done = std::move(done)] {
    if (stop.stop_requested())
      return done(ModelFailure{ModelFailure::Kind::kCancelled, "cancelled"});
    if (!in_time) {
      return done(ModelFailure{ModelFailure::Kind::kUnavailable, "script: no time left"});
    }
    done(answer.reply);
  });
}

}  // namespace writ::connectors
