#include "router/flow/setup.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace writ::router {
namespace {

const AppId kApp("acme");

// A platform whose channels are named by what stands behind the colon.
std::string_view BehindTheColon(const Cid& cid) {
  return std::string_view(cid.text()).substr(cid.text().find(':') + 1);
}

Directory DirectoryOf(std::vector<AgentSetup> agents, ChannelKey channel_key = ChannelType) {
  AppSetup app;
  app.id = kApp;
  app.channel_key = channel_key;
  app.agents = std::move(agents);
  std::vector<AppSetup> apps;
  apps.push_back(std::move(app));
  return Directory(std::move(apps));
}

AgentSetup AgentIn(const char* id, std::set<std::string, std::less<>> chat,
                   std::set<std::string, std::less<>> own = {}) {
  AgentSetup agent;
  agent.id = AgentId(id);
  agent.chat_channels = std::move(chat);
  agent.agent_channels = std::move(own);
  return agent;
}

std::string WhoAnswersIn(const Directory& directory, const char* cid) {
  const AgentSetup* agent = directory.RouteOf(kApp, Cid(cid)).agent;
  return agent == nullptr ? "nobody" : agent->id.text();
}

}  // namespace

TEST(Directory, AChannelIsNamedAsItsPlatformNamesIt) {
  const Directory by_type = DirectoryOf({AgentIn("a", {"callouts"}, {"agent"})});
  EXPECT_EQ(WhoAnswersIn(by_type, "callouts:team-1"), "a");
  EXPECT_EQ(by_type.RouteOf(kApp, Cid("callouts:team-1")).rule, ChannelRule::kNamed);
  EXPECT_EQ(by_type.RouteOf(kApp, Cid("agent:1")).rule, ChannelRule::kAgent);
  EXPECT_EQ(WhoAnswersIn(by_type, "team-1:callouts"), "nobody");
  EXPECT_EQ(WhoAnswersIn(by_type, "no colon"), "nobody");
  EXPECT_EQ(by_type.RouteOf(AppId("beta"), Cid("callouts:team-1")).agent, nullptr);

  const Directory by_id = DirectoryOf({AgentIn("a", {"C1"})}, BehindTheColon);
  EXPECT_EQ(WhoAnswersIn(by_id, "slack:C1"), "a");
  EXPECT_EQ(WhoAnswersIn(by_id, "slack:C2"), "nobody");
}

TEST(Directory, AStarIsWhateverNoOtherAgentNames) {
  const Directory directory =
      DirectoryOf({AgentIn("rest", {"*"}), AgentIn("one", {"C1"})}, BehindTheColon);
  EXPECT_EQ(WhoAnswersIn(directory, "slack:C1"), "one");
  EXPECT_EQ(WhoAnswersIn(directory, "slack:C2"), "rest");
  const AgentSetup& rest = directory.apps().front().agents.front();
  EXPECT_EQ(directory.RuleOf(kApp, rest, Cid("slack:C1")), ChannelRule::kNone);
  EXPECT_EQ(directory.RuleOf(kApp, rest, Cid("slack:C2")), ChannelRule::kNamed);
}

}  // namespace writ::router
