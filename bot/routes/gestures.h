#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <semaphore>

#include "bot/http/request.h"
#include "router/base/ids.h"
#include "router/base/jobs.h"
#include "router/base/log.h"

namespace writ::bot {

// Does what people do with their platform's own means on `jobs`, so that it may take its time: the
// platform waits for three seconds. Meanwhile a worker of the HTTP server waits for it, and few of
// them: a crowd that clicks must leave workers to all others. Shared by all of these.
class Gestures {
 public:
  struct Options {
    std::ptrdiff_t most_waiting = 1;  // workers of the server
    // Of the three seconds what is left for the way.
    std::chrono::milliseconds longest{2500};
  };

  // jobs, log  must outlive this
  Gestures(router::Jobs& jobs, router::Log& log, Options options)
      : jobs_(jobs), log_(log), longest_(options.longest), places_(options.most_waiting) {}

  // What comes of `run`; `when_late` where that takes longer, or as many wait as may: it is done
  // all the same. nullopt: too much is to be done already, this is not.
  // throws  Failure of `run`, where it came in time
  [[nodiscard]] std::optional<Response> Run(const router::AppId& app, std::function<Response()> run,
                                            Response when_late);

 private:
  router::Jobs& jobs_;
  router::Log& log_;
  const std::chrono::milliseconds longest_;
  std::counting_semaphore<> places_;
};

}  // namespace writ::bot
