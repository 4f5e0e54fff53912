#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <tuple>

#include "bot/routes/call.h"

namespace writ::bot {

// Whether people may go on reading what waits for them: what the platform said, for half a minute.
// For looking alone: an answer asks the platform anew each time. Somebody who looks every few
// seconds must not use up the platform's limit. Shared by all threads.
class Memberships {
 public:
  explicit Memberships(const Api& api) : api_(api) {}  // outlives this

  // What stands in the way of the caller's reading, who is asked of something there: kNoSession for
  // one who is no member, kMembershipUnknown, kBadToken.
  [[nodiscard]] std::optional<Problem> WhyNot(const ApiCall& call, const router::Cid& cid);

 private:
  using Key = std::tuple<router::AppId, router::Cid, router::UserId>;
  struct Known {
    router::Membership membership;
    router::SteadyPoint until;
  };

  [[nodiscard]] router::Membership Ask(const Key& key);

  const Api& api_;
  std::mutex mutex_;
  std::map<Key, Known> known_;  // guarded by mutex_
};

}  // namespace writ::bot
