#pragma once

#include <memory>
#include <stop_token>

#include "connectors/chat/slack/blocks.h"
#include "connectors/chat/slack/slack_client.h"
#include "router/chat/chat.h"

namespace writ::connectors {

// Brings one post into its channel. Each is an object that its requests hold.
class SlackPosting final : public std::enable_shared_from_this<SlackPosting> {
 public:
  SlackPosting(std::shared_ptr<SlackClient> client, const router::Post& post,
               const SlackWords& words, std::stop_token stop, router::PostDone done);

  // As a message of its own; where it may stand there already it is looked for first.
  void Send();
  // In the message that the post's memo names. Where Slack lets nobody change that any more, as a
  // message of its own.
  void Update();

 private:
  void PostNew();
  void LookFor();
  void Change(const std::string& ts);
  // The fields that a new message and a changed one share.
  [[nodiscard]] FormFields Fields() const;
  void Done(SlackReply reply, const std::string& memo);
  // Blocks that Slack does not take are left out, once: the text says it all, and the inbox takes
  // the answer.
  [[nodiscard]] bool DropBlocks(const SlackReply& reply);

  const std::shared_ptr<SlackClient> client_;
  const std::string channel_;
  const std::string thread_;
  const std::string id_;
  const std::string memo_;
  const bool maybe_there_;
  SlackMessage message_;
  const std::stop_token stop_;
  const router::PostDone done_;
};

}  // namespace writ::connectors
