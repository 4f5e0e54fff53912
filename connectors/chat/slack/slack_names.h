#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "connectors/chat/slack/slack_client.h"
#include "router/base/time.h"

namespace writ::connectors {

// What people are called, for labels alone: Slack's events say ids. Whoever is not known yet is
// asked for, and known the next time; nothing waits for it. Shared by all threads; made by
// make_shared, for what is out holds it.
class SlackNames final : public std::enable_shared_from_this<SlackNames> {
 public:
  explicit SlackNames(std::shared_ptr<SlackClient> client) : client_(std::move(client)) {}

  // Of a user by Slack's own id; empty where it is not known yet.
  [[nodiscard]] std::string NameOf(const std::string& user);

 private:
  struct Known {
    std::string name;
    router::SteadyPoint until;  // asked for again then: people change their names
  };
  void Ask(const std::string& user);

  const std::shared_ptr<SlackClient> client_;
  std::mutex mutex_;
  std::map<std::string, Known> known_;  // guarded by mutex_
};

}  // namespace writ::connectors
