// Progress gives a call its time-out anew, within bounds.
#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <string>

#include "tests/connectors/tool/mcp/mcp_stage.h"

namespace writ::connectors {
namespace {

using router::CallReport;
using router::Json;
using tests::McpStage;
using tests::SseEvent;
using namespace std::chrono_literals;

struct ProgressStage : McpStage {
  Json token;

  ProgressStage() {
    overrides["tools/call"] = [this](const Json& message) {
      token = *message.Find("params")->Find("_meta")->Find("progressToken");
      return std::nullopt;
    };
    Call({"echo", "{}", "call_7", 10s, false});
    Pass(0s);
    out_ = http.sent().back();
    out_.on_headers(200, {{"content-type", "text/event-stream"}});
  }
  void Tell(const Json& of) {
    Json message = Json::MakeObject({{"jsonrpc", "2.0"}, {"method", "notifications/progress"}});
    message.Set("params", Json::MakeObject({{"progressToken", of}, {"progress", 1}}));
    EXPECT_TRUE(out_.on_data(SseEvent(message.Dump())));
  }

 private:
  router::HttpRequest out_;
};

TEST(McpProgress, ACallThatTellsOfItMayTakeLonger) {
  ProgressStage stage;
  stage.Pass(8s);
  stage.Tell(stage.token);
  stage.Pass(8s);
  EXPECT_FALSE(stage.report);
  stage.Pass(2s);
  ASSERT_TRUE(stage.report);
  EXPECT_EQ(stage.report->kind, CallReport::Kind::kInDoubt);
  EXPECT_EQ(stage.Count("notifications/cancelled"), 1);
}

TEST(McpProgress, ASilentCallHasItsTimeOut) {
  ProgressStage stage;
  stage.Pass(9s);
  EXPECT_FALSE(stage.report);
  stage.Pass(1s);
  ASSERT_TRUE(stage.report);
  EXPECT_EQ(stage.report->kind, CallReport::Kind::kInDoubt);
}

TEST(McpProgress, AnothersProgressIsNoProgress) {
  ProgressStage stage;
  stage.Pass(8s);
  stage.Tell(Json(999));
  stage.Tell(Json("text"));
  stage.Pass(2s);
  EXPECT_TRUE(stage.report);
}

TEST(McpProgress, FourTimeOutsAreTheEndOfIt) {
  ProgressStage stage;
  for (int i = 0; i < 5; ++i) {
    stage.Pass(7s);
    ASSERT_FALSE(stage.report) << i;
    stage.Tell(stage.token);
  }
  stage.Pass(5s);
  ASSERT_TRUE(stage.report);
  EXPECT_EQ(stage.report->kind, CallReport::Kind::kInDoubt);
}

TEST(McpProgress, AStopEndsItAtOnce) {
  ProgressStage stage;
  stage.stop.request_stop();
  stage.http.Run();
  ASSERT_TRUE(stage.report);
  EXPECT_EQ(stage.report->kind, CallReport::Kind::kInDoubt);
}

}  // namespace
}  // namespace writ::connectors
