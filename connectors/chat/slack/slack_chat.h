#pragma once

#include <memory>
#include <stop_token>
#include <string>

#include "connectors/chat/slack/blocks.h"
#include "connectors/chat/slack/slack_client.h"
#include "router/base/ids.h"
#include "router/base/time.h"
#include "router/chat/chat.h"

namespace writ::connectors {

struct SlackSettings {
  router::AppId app;
  SlackWords words;
};

// Slack's Web API as the port Chat. Slack names its messages itself, so a post's memo is
// `<channel>:<ts>`, and each carries the post's id in its metadata: one that was tried before is
// looked for in its thread first, and then only its face is changed.
class SlackChat final : public router::Chat {
 public:
  SlackChat(SlackSettings settings, std::shared_ptr<SlackClient> client)
      : settings_(std::move(settings)), client_(std::move(client)) {}

  void Send(const router::Post& post, std::stop_token stop, router::PostDone done) override;
  void Edit(const router::Post& post, std::stop_token stop, router::PostDone done) override;
  // Slack has no such sign for an app's messages.
  void Indicate(const router::Cid& cid, const router::UserId& agent_user,
                const router::MessageId& message, router::Indicator indicator) override;
  void History(const router::Cid& cid, const std::optional<router::MessageId>& thread,
               const router::UserId& agent_user, int limit, std::stop_token stop,
               HistoryDone done) override;
  void Missed(const router::Cid& cid, router::TimePoint since, std::stop_token stop,
              MissedDone done) override;
  // The bot is who its token says: whether that is good is found out.
  void EnsureAgentUser(const router::UserId& agent_user, router::ChatDone done) override;

 private:
  SlackSettings settings_;
  std::shared_ptr<SlackClient> client_;
};

}  // namespace writ::connectors
