#pragma once

#include <chrono>
#include <memory>

#include "connectors/chat/slack/slack_client.h"
#include "router/base/ids.h"
#include "router/chat/chat.h"

namespace writ::connectors {

// Asks Slack who is a member now: that the person is who their id says (the same id may be
// somebody else's in another workspace), is not deactivated, and stands in the channel's list.
// Holds no answer: each Ask is requests of its own, all of them within its time. source: the
// platforms' page, 2.4: the list has no filter, so it is read until the person is found
class SlackMembers final : public router::Members {
 public:
  explicit SlackMembers(std::shared_ptr<SlackClient> client) : client_(std::move(client)) {}

  void Ask(const router::Cid& cid, const router::UserId& user, std::chrono::milliseconds timeout,
           Done done) override;

 private:
  std::shared_ptr<SlackClient> client_;
};

// Whether `home` (a team or an enterprise) is where the user of a users.info reply belongs, and
// they are active.
[[nodiscard]] bool IsActiveSlackUser(const router::Json& user, const std::string& home);

}  // namespace writ::connectors
