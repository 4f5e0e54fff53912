#include "router/turn/turn_news.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/router/turn/moves.h"

namespace writ::router {
namespace {

using tests::After;
using tests::Answered;
using tests::Decided;
using tests::Gated;
using tests::Moved;
using tests::Said;
using tests::Verdict;

std::vector<std::string> Types(const std::vector<TurnNews>& news) {
  std::vector<std::string> types;
  for (const TurnNews& one : news) types.emplace_back(one.type);
  return types;
}
using T = std::vector<std::string>;

TEST(TurnNews, TellsEachChangeOnceToWhoeverIsThere) {
  ToldOfTurn told;
  Moved turn;
  EXPECT_EQ(Types(NewsOf(turn.turn(), told)), (T{"command.created"}));
  EXPECT_TRUE(NewsOf(turn.turn(), told).empty());
  turn.Take(LeaseGranted{});
  EXPECT_EQ(Types(NewsOf(turn.turn(), told)), (T{"turn.started"}));
  turn.Take(tests::Replied({Gated(Verdict::kHeld, "c1")}));
  EXPECT_EQ(Types(NewsOf(turn.turn(), told)),
            (T{"step.updated", "turn.awaiting_approval", "reply.updated"}));
  turn.Take(Decided("c1", true));
  EXPECT_EQ(Types(NewsOf(turn.turn(), told)), (T{"step.updated", "reply.updated"}));
  turn.Take(CallSent{CallId("c1")});
  EXPECT_TRUE(NewsOf(turn.turn(), told).empty()) << "the channel sees nothing of it either";
  turn.Take(Answered("c1"));
  EXPECT_EQ(Types(NewsOf(turn.turn(), told)), (T{"step.updated", "reply.updated"}));
  turn.Take(Said("done"));
  const auto news = NewsOf(turn.turn(), told);
  EXPECT_EQ(Types(news), (T{"reply.updated", "turn.completed"}));
  EXPECT_EQ(news[1].data.TextAt("reply"), "done");
  EXPECT_TRUE(NewsOf(turn.turn(), told).empty());
}

TEST(TurnNews, TellsWhoeverWasAwayWhereItStands) {
  Moved turn = After({Gated(Verdict::kFree, "c1"), Gated(Verdict::kHeld, "c2")});
  ToldOfTurn told;
  EXPECT_EQ(Types(NewsOf(turn.turn(), told)),
            (T{"command.created", "turn.started", "step.updated", "step.updated",
               "turn.awaiting_approval", "reply.updated"}));
}

TEST(TurnNews, OffersADevicesCallWithoutItsArguments) {
  GatedCall gated = Gated(Verdict::kFree, "c1", R"({"secret":"s3cr3t"})");
  gated.call.tools_of = ToolsOf::kDevice;
  gated.call.shown = "";
  Moved turn = After({gated});
  ToldOfTurn told;
  static_cast<void>(NewsOf(turn.turn(), told));
  turn.Take(CallOffered{CallId("c1"), turn.now() + std::chrono::seconds(30)});
  const auto news = NewsOf(turn.turn(), told);
  ASSERT_EQ(Types(news), (T{"tool.call"}));
  EXPECT_EQ(news[0].data.TextAt("call_id"), "c1");
  EXPECT_EQ(news[0].data.Dump().find("s3cr3t"), std::string::npos);
  EXPECT_TRUE(NewsOf(turn.turn(), told).empty());
}

}  // namespace
}  // namespace writ::router
