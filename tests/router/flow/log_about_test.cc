#include "router/flow/log_about.h"

#include <gtest/gtest.h>

#include "tests/support/recording_log.h"

namespace writ::router {
namespace {

constexpr const char* kTrace = "4bf92f3577b34da6a3ce929d0e0e4736";

Turn ATurn() {
  Turn turn;
  turn.app = AppId("acme");
  turn.agent = AgentId("helper");
  turn.cid = Cid("callouts:team-1");
  turn.id = CommandId("cmd_1");
  turn.trace = std::string("00-") + kTrace + "-00f067aa0ba902b7-01";
  return turn;
}

TEST(LogAbout, NamesTheIdsThatAreKnownAroundWhatIsSaid) {
  tests::RecordingLog log;
  LogAbout(log, ATurn()).Warn("model.failed", {{"why", "away"}});
  for (const std::string field :
       {"app_id=acme", "agent_id=helper", "cid=callouts:team-1", "command_id=cmd_1", "why=away"}) {
    EXPECT_NE(log.text().find(' ' + field), std::string::npos) << field << ": " << log.text();
  }
  EXPECT_NE(log.text().find(std::string(" trace_id=") + kTrace + '\n'), std::string::npos);
}

TEST(LogAbout, ACallsNameIsAToolsOnlyWhereAConnectorHasIt) {
  Call call;
  call.id = CallId("call_1");
  call.name = "what the model made up";
  EXPECT_EQ(IdsOf(ATurn(), call).call, "call_1");
  EXPECT_EQ(IdsOf(ATurn(), call).tool, "");
  call.connector = ConnectorId("crm");
  call.name = "crm__echo";
  EXPECT_EQ(IdsOf(ATurn(), call).tool, "crm__echo");
}

}  // namespace
}  // namespace writ::router
