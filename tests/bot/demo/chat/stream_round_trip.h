#pragma once

#include <chrono>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "bot/demo/chat/chat_server.h"
#include "connectors/chat/stream/stream_chat.h"
#include "connectors/chat/stream/stream_members.h"
#include "connectors/http/curl_loop.h"
#include "router/base/ids.h"
#include "router/base/time.h"
#include "router/chat/chat.h"
#include "tests/support/recording_log.h"

namespace writ::tests {

class WallClock final : public router::Clock {
 public:
  [[nodiscard]] router::TimePoint Now() const override {
    return std::chrono::time_point_cast<router::Duration>(std::chrono::system_clock::now());
  }
  [[nodiscard]] router::SteadyPoint Steady() const override {
    return std::chrono::steady_clock::now();
  }
};

// The Stream adapter and the embedded chat on loopback, with Anya, Ben and the agent in a channel.
// `base_url` is where the adapter sends: the chat itself, or something between.
struct StreamRoundTrip {
  static constexpr std::chrono::seconds kPatience{30};

  StreamRoundTrip() {
    chat.world().AddUser("anya-1", "Anya");
    chat.world().AddUser("ben-2", "Ben");
    chat.world().AddChannel(cid.text(), {"anya-1", "ben-2"});
  }

  connectors::StreamAccess AccessAt(const std::string& base_url) const {
    return {chat.keys().api_key, chat.keys().api_secret, base_url};
  }

  // Waits for what `start` calls back with.
  template <class Result>
  static Result Await(const std::function<void(std::function<void(Result)>)>& start) {
    auto told = std::make_shared<std::promise<Result>>();
    auto result = told->get_future();
    start([told](Result value) { told->set_value(std::move(value)); });
    if (result.wait_for(kPatience) != std::future_status::ready) {
      throw std::runtime_error("nothing was called back");
    }
    return result.get();
  }

  using Outcome = std::optional<router::ChatFailure>;
  static Outcome Send(router::Chat& adapter, const router::Post& post) {
    return Await<router::Posted>([&](auto done) { adapter.Send(post, {}, done); }).failure;
  }
  static Outcome Edit(router::Chat& adapter, const router::Post& post) {
    return Await<router::Posted>([&](auto done) { adapter.Edit(post, {}, done); }).failure;
  }
  static Outcome EnsureUser(router::Chat& adapter, const router::UserId& user) {
    return Await<Outcome>([&](auto done) { adapter.EnsureAgentUser(user, done); });
  }
  router::Membership::Answer Ask(router::Members& members, const std::string& user,
                                 std::chrono::seconds within = std::chrono::seconds(20)) const {
    return Await<router::Membership>(
               [&](auto done) { members.Ask(cid, router::UserId(user), within, done); })
        .answer;
  }
  std::string History(router::Chat& adapter, std::optional<router::MessageId> thread = {}) const {
    using Read = std::variant<std::vector<router::HistoryMessage>, router::ChatFailure>;
    const Read read = Await<Read>(
        [&](auto done) { adapter.History(cid, thread, agent, 30, {}, std::move(done)); });
    if (std::holds_alternative<router::ChatFailure>(read)) {
      return "failed: " + std::get<router::ChatFailure>(read).what;
    }
    std::string lines;
    for (const auto& message : std::get<0>(read)) {
      lines += (message.from_agent ? "agent" : message.author.text()) + ": " + message.text + "\n";
    }
    return lines;
  }

  router::Post Reply(const std::string& id, const std::string& text) const {
    router::Post post;
    post.cid = cid;
    post.id = router::MessageId(id);
    post.agent_user = agent;
    post.text = text;
    post.runtime = router::Json::MakeObject({{"state", "completed"}, {"command_id", "cmd_1"}});
    return post;
  }

  const router::Cid cid{"callouts:team-1"};
  const router::UserId agent{"helper-bot"};
  connectors::CurlEnvironment environment;
  connectors::CurlLoop http{environment};
  WallClock clock;
  RecordingLog log;
  bot::ChatServer chat{{}, http, clock, log};
};

}  // namespace writ::tests
