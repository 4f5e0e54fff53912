#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <variant>

#include "connectors/chat/slack/slack_api.h"
#include "connectors/chat/slack/slack_pace.h"
#include "connectors/chat/slack/slack_reply.h"
#include "connectors/http/form.h"
#include "router/base/http.h"
#include "router/base/time.h"
#include "router/chat/chat.h"

namespace writ::connectors {

// Who the token is.
struct SlackSelf {
  std::string bot_user;
  std::string team;
  std::string enterprise;
};

// Calls of one workspace's Web API, kept within its limits. What is out holds it, and it must be
// made by make_shared. `http` and `clock` must outlive the requests that are out.
class SlackClient final : public std::enable_shared_from_this<SlackClient> {
 public:
  using Done = std::function<void(SlackReply)>;
  struct Call {
    std::string method;
    FormFields fields;
    std::string channel = {};  // whose limit it counts to, where a channel has one
    bool once = false;         // a repeat would be seen: it travels on a connection of its own
    std::chrono::milliseconds timeout{30000};
    // The longest that it waits for its turn; where it would be longer it is not sent and fails as
    // kTransient with that wait.
    std::chrono::milliseconds longest_wait{2000};
  };

  SlackClient(SlackAccess access, router::HttpClient& http, const router::Clock& clock)
      : api_(std::move(access)), http_(http), clock_(clock) {}

  void Run(Call call, std::stop_token stop, Done done);
  // As auth.test says; asked once, and again where it failed.
  void WhoAmI(std::stop_token stop,
              std::function<void(std::variant<SlackSelf, router::ChatFailure>)> done);
  // Tells whoever pressed something, and nobody else; where it fails nothing follows from it.
  // `response_url` may be empty: then, and where it is not Slack's, it goes to the channel.
  struct Whisper {
    std::string channel;
    std::string thread;
    std::string user;
    std::string response_url;
    std::string text;  // not escaped yet
  };
  void Tell(const Whisper& whisper);

  [[nodiscard]] const router::Clock& clock() const { return clock_; }
  [[nodiscard]] router::HttpClient& http() const { return http_; }

 private:
  void Send(const Call& call, std::stop_token stop, Done done);

  SlackApi api_;
  router::HttpClient& http_;
  const router::Clock& clock_;
  SlackPace pace_;
  std::mutex mutex_;
  std::optional<SlackSelf> self_;  // guarded by mutex_
};

}  // namespace writ::connectors
