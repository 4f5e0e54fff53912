#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "router/base/ids.h"
#include "router/chat/backend.h"
#include "router/chat/chat.h"
#include "router/model/model.h"
#include "router/tool/binding.h"
#include "router/tool/budget.h"
#include "router/tool/check.h"
#include "router/tool/connector.h"
#include "router/turn/face.h"
#include "router/turn/quotas.h"
#include "router/turn/session.h"
#include "router/turn/texts.h"
#include "router/turn/turn.h"

namespace writ::router {

// The configuration as the flows need it, with the adapters it names. Built once at start, read by
// all threads; everything pointed to outlives it.
struct BoundConnector {
  Binding binding;
  Connector* connector = nullptr;
  Check* before_call = nullptr;  // nullptr: the backend is not asked before a call
  Check* callback = nullptr;     // Approver::kCallback: who decides
};

struct AgentSetup {
  AgentId id;
  UserId user;  // who the agent is on the platform
  std::string instructions;
  // Channels by their app's key; `*`: whatever no other agent names.
  std::set<std::string, std::less<>> chat_channels;
  std::set<std::string, std::less<>> agent_channels;
  std::size_t history_messages = 30;
  std::size_t queue_per_channel = 100;
  Duration session_idle = std::chrono::hours(7 * 24);
  TurnLimits limits;
  Budgets budgets;        // of all that it does, whichever connector
  TextsByLanguage texts;  // what the agent's messages say in our words
  Model* model = nullptr;
  std::vector<BoundConnector> connectors;
};

// By what an agent's `chat_channels` and `agent_channels` name a channel.
using ChannelKey = std::string_view (*)(const Cid&);

struct AppSetup {
  AppId id;
  Chat* chat = nullptr;
  Members* members = nullptr;
  Backend* backend = nullptr;  // is told what happens; nullptr: nobody is
  Duration catch_up = std::chrono::seconds(900);
  ChannelKey channel_key = ChannelType;
  FaceLimits face;  // what a message may be there
  AppQuotas quotas = {};
  std::vector<AgentSetup> agents;
};

class Directory {
 public:
  explicit Directory(std::vector<AppSetup> apps) : apps_(std::move(apps)) {}

  [[nodiscard]] const std::vector<AppSetup>& apps() const { return apps_; }
  [[nodiscard]] const AppSetup* FindApp(const AppId& app) const;
  [[nodiscard]] const AgentSetup* FindAgent(const AppId& app, const AgentId& agent) const;

  struct Route {
    const AgentSetup* agent = nullptr;  // nullptr: nobody answers there
    ChannelRule rule = ChannelRule::kNone;
  };
  // Who answers in a channel.
  [[nodiscard]] Route RouteOf(const AppId& app, const Cid& cid) const;
  // What the channel is to one agent of the app; kNone where another answers there.
  [[nodiscard]] ChannelRule RuleOf(const AppId& app, const AgentSetup& agent, const Cid& cid) const;

 private:
  std::vector<AppSetup> apps_;
};

// The binding of that connector, or nullptr.
[[nodiscard]] const BoundConnector* FindConnector(const AgentSetup& agent, const ConnectorId& id);

}  // namespace writ::router
