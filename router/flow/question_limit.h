#pragma once

#include <deque>
#include <map>
#include <mutex>
#include <utility>

#include "router/base/ids.h"
#include "router/base/time.h"

namespace writ::router {

// How often somebody who is not the one asked may make Writ ask the platform about them.
class QuestionLimit {
 public:
  // Whether `caller` may have another question asked now; counts it.
  [[nodiscard]] bool Allow(const AppId& app, const UserId& caller, SteadyPoint now);

 private:
  std::mutex mutex_;
  std::map<std::pair<AppId, UserId>, std::deque<SteadyPoint>> asked_;  // guarded by mutex_
};

}  // namespace writ::router
