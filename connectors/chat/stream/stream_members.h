#pragma once

#include <chrono>

#include "connectors/chat/stream/stream_api.h"
#include "connectors/chat/stream/stream_failure.h"
#include "router/base/http.h"
#include "router/base/ids.h"
#include "router/base/time.h"
#include "router/chat/chat.h"

namespace writ::connectors {

// What the reply to a query of members says of `user`. Nobody is a member by a guess: a row of
// another user, a ban, a deactivated or deleted user, an invitation that was not accepted is none;
// a reply that cannot be read is kUnknown.
// source: the platforms' page, 1.8
[[nodiscard]] router::Membership ReadMembership(const StreamReply& reply,
                                                const router::UserId& user);

// Asks Stream who is a member now (GET /members). Holds no answer: each Ask is a request.
class StreamMembers final : public router::Members {
 public:
  // `http` and `clock` must outlive the requests that are out.
  StreamMembers(const StreamAccess& access, router::HttpClient& http, const router::Clock& clock);

  void Ask(const router::Cid& cid, const router::UserId& user, std::chrono::milliseconds timeout,
           Done done) override;

 private:
  StreamApi api_;
  router::HttpClient& http_;
  const router::Clock& clock_;
};

}  // namespace writ::connectors
