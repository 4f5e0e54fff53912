#pragma once

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/platforms/slack_stage.h"
#include "tests/system/story.h"

namespace writ::tests {

inline const std::string kAnya = SlackStage::IdOf("anya");
inline const std::string kBen = SlackStage::IdOf("ben");
inline const std::string kChannel = SlackStage::kChannel;
inline const std::string kDirect = "D0ANYA";

// A workspace with Writ in it; Anya and Ben are in its channel.
class SlackWorld {
 public:
  // `crm` changes the connector's configuration, `ready` what is around before the program starts,
  // `node` the node's configuration.
  explicit SlackWorld(std::function<void(Json&)> crm = {},
                      const std::function<void(World&)>& ready = {},
                      const std::function<void(Json&)>& node = {}) {
    WorldOptions options{.crm = std::move(crm), .start = false};
    options.config = [&](Json& config) {
      if (node) node(config);
      Json& app = config.Find("apps")->array().front();
      app.Set("api_key", app.Find("platform")->TextAt("api_key"));
      app.Set("api_secret", app.Find("platform")->TextAt("api_secret"));
      Json kept = Json::MakeObject();
      for (const auto& [key, value] : app.Find("agents")->array().front().object()) {
        if (key != "agent_channels" && key != "user_id") kept.Set(key, value);
      }
      app.Find("agents")->array().front() = std::move(kept);
      stage_.Configure(app);
      config.Set("public_url", "https://bot.example.org");
      config.Set("audit", Json::MakeObject({{"secret", "an audit secret that is long enough"}}));
    };
    world_ = std::make_unique<World>(options);
    if (ready) ready(*world_);
    EXPECT_TRUE(world_->Start({{"WRIT_STALL_COMMITS_WHILE", world_->File("store-is-slow")}}));
    stage_.Listens(world_->program().port());
  }

  [[nodiscard]] World& world() { return *world_; }
  // While it is, no commit ends.
  void SlowStore(bool is_slow) {
    const std::string path = world_->File("store-is-slow");
    is_slow ? void(std::ofstream(path)) : void(std::remove(path.c_str()));
  }
  [[nodiscard]] SlackEmulator& slack() { return stage_.slack(); }
  [[nodiscard]] SlackStage& stage() { return stage_; }

  [[nodiscard]] bool IsShown(const std::string& approval, const std::string& channel) {
    return std::ranges::any_of(BotMessages(channel), [&](const Json& message) {
      return message.Find("blocks")->Dump().find(approval) != std::string::npos;
    });
  }
  // Waits until a call waits, and its message stands there with the ask.
  Json WaitForAsk() {
    Json ask;
    const bool asked = Eventually([&] {
      const Json all = world_->api().Get(world_->Backend(), "/v1/approvals?status=pending").json();
      const Json* list = all.Find("approvals");
      if (list == nullptr || list->array().empty()) return false;
      ask = list->array().front();
      return IsShown(ask.TextAt("approval_id"), kChannel) ||
             IsShown(ask.TextAt("approval_id"), kDirect);
    });
    if (!asked) throw std::runtime_error("no call waits for an answer");
    return ask;
  }
  Json AskAnya(const std::string& text = kAsk) {
    stage_.Say("anya", text, true);
    return WaitForAsk();
  }
  [[nodiscard]] std::vector<Json> BotMessages(const std::string& channel = kChannel) {
    return slack().BotMessages(channel);
  }
  [[nodiscard]] std::string StatusOf(const Json& ask) { return Record(ask).TextAt("status"); }
  // A press may be acknowledged before it is done.
  [[nodiscard]] bool WaitForStatus(const Json& ask, const std::string& status) {
    return Eventually([&] { return StatusOf(ask) == status; });
  }
  [[nodiscard]] Json Record(const Json& ask) {
    return world_->api()
        .Get(world_->Backend(), "/v1/approvals/" + ask.TextAt("approval_id"))
        .json();
  }
  [[nodiscard]] bool WaitForWords(const std::string& words, const std::string& channel = kChannel) {
    return Eventually([&] {
      return std::ranges::any_of(BotMessages(channel), [&](const Json& message) {
        return WordsOf(message).find(words) != std::string::npos;
      });
    });
  }
  [[nodiscard]] bool WaitForWhisper(const std::string& user, const std::string& words) {
    return Eventually([&] {
      return std::ranges::any_of(slack().Whispers(), [&](const auto& whisper) {
        return whisper.user == user && whisper.text.find(words) != std::string::npos;
      });
    });
  }
  [[nodiscard]] Json WaitForForm(std::size_t count = 1) {
    EXPECT_TRUE(Eventually([&] { return slack().Forms().size() >= count; }));
    return slack().Forms().at(count - 1);
  }

 private:
  SlackStage stage_;
  std::unique_ptr<World> world_;
};

}  // namespace writ::tests
