// Several nodes on one PostgreSQL, or one Redis: any node takes anything, a node's death or sleep
// loses nothing and doubles nothing, nor does the database's. Rows L7 to L9 and L11 across nodes.
#include <algorithm>
#include <chrono>
#include <csignal>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/cut_proxy.h"
#include "tests/support/stage/live_stream.h"
#include "tests/system/shared_stores.h"
#include "tests/system/story.h"

namespace writ::tests {
namespace {

// A node's claims end 10 s after its last sign of life.
constexpr std::chrono::seconds kTakeOver{40};

}  // namespace

struct StoreCase {
  std::string name;
  std::unique_ptr<SharedStore> (*make)();
};

class ManyNodes : public testing::TestWithParam<StoreCase> {
 protected:
  ManyNodes() { world_ = std::make_unique<World>(OptionsOn(store_->Config())); }
  static WorldOptions OptionsOn(const Json& store) {
    WorldOptions options;
    options.config = [store](Json& config) { config.Set("store", store); };
    return options;
  }
  World& world() { return *world_; }

  ApiReply AnswerAt(const Program& node, const std::string& user, const HeldCall& held) {
    const Json body = Json::MakeObject(
        {{"tool_call_id", held.call}, {"request_id", held.request}, {"allowed", true}});
    return ApiClient(node.port())
        .Post(world().As(user), "/v1/agents/conversations/" + held.cid + "/tool_approvals", body);
  }
  static bool IsReady(const Program& node) {
    return ApiClient(node.port()).Get({}, "/readyz").status == 200;
  }

  std::unique_ptr<SharedStore> store_ = GetParam().make();
  std::unique_ptr<World> world_;
};

TEST_P(ManyNodes, AMessageToOneIsAnsweredThroughAnotherAndTheCallRunsOnce) {
  Program& second = world().StartAnother();
  Program& third = world().StartAnother();
  world().Say("anya-1", kAsk);
  const HeldCall held = world().WaitForHeld();
  EXPECT_EQ(AnswerAt(third, "ben-2", held).text(), "403 asked_of_another");
  EXPECT_EQ(AnswerAt(second, "anya-1", held).status, 204);
  world().WaitForReply("Results: echo: " + kShift);
  EXPECT_EQ(AnswerAt(third, "anya-1", held).text(), "404 no_session");
  EXPECT_EQ(world().crm().Calls().size(), 1U);
  EXPECT_EQ(world().BotMessages().size(), 1U);
}

TEST_P(ManyNodes, AStreamGoesOnAtAnotherNodeAndADevicesCallIsTakenOnce) {
  WorldOptions options = OptionsOn(store_->Config());
  options.agent = [](Json& agent) {
    agent.Find("connectors")
        ->Push(Json::MakeObject({{"id", "device"}, {"kind", "client"}, {"timeout_s", 60}}));
  };
  world().Configure(options);
  world().Restart();
  Program& second = world().StartAnother();
  Program& third = world().StartAnother();
  const Caller anya = world().As("anya-1");
  const auto post = [&](const Program& node, const std::string& path, const Json& body) {
    return ApiClient(node.port()).Post(anya, path, body);
  };
  const Json tool = Json::MakeObject(
      {{"name", "locate"}, {"input_schema", Json::MakeObject({{"type", "object"}})}});
  const std::string session =
      post(second, "/v1/agents/sessions",
           Json::MakeObject({{"agent_id", "helper"}, {"client_tools", Json(Json::Array{tool})}}))
          .json()
          .TextAt("session_id");
  const std::string commands = "/v1/agents/sessions/" + session + "/commands";
  std::string last;
  {
    LiveStream stream(second.port(), anya, session);
    ASSERT_EQ(post(third, commands, Json::MakeObject({{"text", "one"}})).status, 202);
    stream.WaitFor("turn.completed");
    last = stream.LastId();
  }
  const std::string text = "!device__locate {}";
  ASSERT_EQ(post(second, commands, Json::MakeObject({{"text", text}})).status, 202);
  LiveStream stream(third.port(), anya, session, last);
  const Json offer = stream.WaitFor("tool.call").data;
  for (const LiveEvent& event : stream.All()) EXPECT_NE(event.data.TextAt("text"), "one");
  const std::string path =
      commands + "/" + offer.TextAt("command_id") + "/calls/" + offer.TextAt("call_id");
  // Two devices at two nodes at once: one has it.
  std::vector<int> statuses(2);
  {
    std::vector<std::jthread> devices;
    devices.reserve(2);
    for (std::size_t i = 0; i < 2; ++i) {
      devices.emplace_back([&, i] {
        const Program& node = i == 0 ? second : third;
        statuses[i] = Send(node.port(), "POST", path + "/take", anya.headers, "").status;
      });
    }
  }
  std::ranges::sort(statuses);
  EXPECT_EQ(statuses, (std::vector<int>{200, 409}));
  second.Signal(SIGKILL);  // whichever it was: the call is a row
  EXPECT_EQ(post(third, path + "/result", Json::MakeObject({{"result", "attic"}})).status, 204);
  stream.WaitFor("turn.completed");
}

TEST_P(ManyNodes, EveryMessageThatEachNodeIsToldOfIsAnsweredOnce) {
  Program& second = world().StartAnother();
  Program& third = world().StartAnother();
  world().SendHooksTo({&world().program(), &second, &third});
  constexpr int kChannels = 4;
  constexpr int kMessages = 6;
  for (int channel = 0; channel < kChannels; ++channel) {
    world().AddChannel("callouts:c-" + std::to_string(channel));
  }
  for (int message = 0; message < kMessages; ++message) {
    for (int channel = 0; channel < kChannels; ++channel) {
      world().Say("anya-1", "word " + std::to_string(message) + " of " + std::to_string(channel),
                  "callouts:c-" + std::to_string(channel));
    }
  }
  for (int channel = 0; channel < kChannels; ++channel) {
    const std::string cid = "callouts:c-" + std::to_string(channel);
    world().WaitForEnds(kMessages, cid);
    const std::vector<Json> replies = world().BotMessages(cid);
    ASSERT_EQ(replies.size(), std::size_t{kMessages}) << cid;
    for (int message = 0; message < kMessages; ++message) {
      const std::string word = "word " + std::to_string(message) + " of";
      EXPECT_EQ(std::ranges::count_if(replies,
                                      [&](const Json& reply) {
                                        return reply.TextAt("text").find(word) != std::string::npos;
                                      }),
                1)
          << word;
    }
  }
  EXPECT_EQ(world().model().AskedAbout("word 3 of 2").size(), 1U);
  EXPECT_TRUE(world().model().faults().empty());
}

TEST_P(ManyNodes, ACallThatIsHeldOutlivesTheNodeThatHeldIt) {  // L7
  Program& second = world().StartAnother();
  world().Say("anya-1", kAsk);
  const HeldCall held = world().WaitForHeld();
  world().Kill();
  EXPECT_EQ(AnswerAt(second, "ben-2", held).text(), "403 asked_of_another");
  EXPECT_EQ(AnswerAt(second, "anya-1", held).status, 204);
  world().WaitForReply("Results: echo: " + kShift);
  EXPECT_EQ(world().crm().Calls().size(), 1U);
  EXPECT_EQ(world().BotMessages().size(), 1U);
}

TEST_P(ManyNodes, WhatADeadNodeHadOutIsTakenOverAndACallNotRepeated) {  // L8
  world().crm().On("echo", [](const StubCrm::Call&) { return StubCrm::Result{.hangs = true}; });
  world().AddChannel("callouts:thinks");
  world().model().When("thinks", Hangs());
  world().Say("anya-1", kAsk);
  const HeldCall held = world().WaitForHeld();
  EXPECT_EQ(world().Answer(world().As("anya-1"), held, true).status, 204);
  world().Say("anya-1", "thinks", "callouts:thinks");
  ASSERT_TRUE(Eventually([&] {
    return world().crm().Calls().size() == 1 && world().model().AskedAbout("thinks").size() == 1;
  }));
  world().StartAnother();
  world().model().When("thinks", StubModel::ByDefault);
  world().Kill();
  ASSERT_TRUE(Eventually(
      [&] { return world().StepOf(held).TextAt("outcome") == "outcome_unknown"; }, kTakeOver));
  world().WaitForReply("thinks", "callouts:thinks");
  world().WaitForEnds(1);
  EXPECT_EQ(world().crm().Calls().size(), 1U);
  EXPECT_EQ(world().BotMessages().size(), 1U);
  EXPECT_EQ(world().BotMessages("callouts:thinks").size(), 1U);
}

TEST_P(ManyNodes, ANodeThatSleptPastItsClaimsChangesNothingWhenItComesBack) {  // L9
  world().crm().On("echo", [](const StubCrm::Call& call) {
    return StubCrm::Result{.text = "said",
                           .hangs = call.arguments.find("stays") != std::string::npos};
  });
  world().AddChannel("callouts:out");
  world().Say("anya-1", AskWith("stays out"), "callouts:out");
  const HeldCall out = world().WaitForHeld("callouts:out");
  EXPECT_EQ(world().Answer(world().As("anya-1"), out, true).status, 204);
  world().model().When("thinks", Hangs());
  world().Say("anya-1", "thinks\n" + kAsk);
  ASSERT_TRUE(Eventually([&] {
    return world().model().AskedAbout("thinks").size() == 1 &&
           world().crm().CallsWith("stays out").size() == 1;
  }));
  Program& second = world().StartAnother();
  world().model().When("thinks", StubModel::ByDefault);
  world().program().Signal(SIGSTOP);
  ASSERT_TRUE(Eventually(
      [&] {
        return !world().HeldCalls().empty() &&
               world().StepOf(out).TextAt("outcome") == "outcome_unknown";
      },
      kTakeOver));
  const HeldCall held = world().HeldCalls().front();
  world().program().Signal(SIGCONT);
  world().model().Release();  // the sleeper's own request is answered now
  world().crm().Release();    // and its call
  ASSERT_TRUE(Eventually([&] { return world().Log().find("turn.claim_lost") != std::string::npos; },
                         kTakeOver));
  EXPECT_EQ(AnswerAt(world().program(), "anya-1", held).status, 204);
  world().WaitForReply("Results: said");
  EXPECT_EQ(world().StepOf(out).TextAt("outcome"), "outcome_unknown") << "its report came too late";
  EXPECT_EQ(world().crm().Calls().size(), 2U);
  EXPECT_EQ(world().BotMessages().size(), 1U);
  EXPECT_EQ(world().BotMessages("callouts:out").size(), 1U);
  EXPECT_TRUE(Eventually([&] { return IsReady(second); }));
}

TEST_P(ManyNodes, WhatANodeLeavesWhenItIsToldToEndIsTakenUpByTheOthers) {  // L11
  world().AddChannel("callouts:held");
  world().Say("anya-1", kAsk, "callouts:held");
  const HeldCall held = world().WaitForHeld("callouts:held");
  world().model().When("thinks", Hangs());
  world().Say("anya-1", "thinks");
  ASSERT_TRUE(Eventually([&] { return world().model().AskedAbout("thinks").size() == 1; }));
  Program& second = world().StartAnother();
  world().model().When("thinks", StubModel::ByDefault);
  EXPECT_EQ(world().program().Terminate(), 0);
  world().WaitForReply("thinks");
  EXPECT_EQ(CountOf(world().Log(), "node.drained"), 1U);
  EXPECT_EQ(CountOf(world().Log(), "node.claims_kept"), 0U) << "nobody waits for them to end";
  EXPECT_EQ(world().BotMessages().size(), 1U);
  EXPECT_EQ(AnswerAt(second, "anya-1", held).status, 204);
  world().WaitForReply("Results: echo: " + kShift, "callouts:held");
  EXPECT_EQ(world().crm().Calls().size(), 1U);
}

TEST_P(ManyNodes, WhileTheDatabaseIsAwayTheAnswerIs503AndAfterwardsItWorks) {
  Program& second = world().StartAnother();
  world().Say("anya-1", kAsk);
  const HeldCall held = world().WaitForHeld();
  for (const bool crash : {false, true}) {
    if (crash) {
      store_->Kill();
    } else {
      store_->Stop();
    }
    const ApiReply refused = AnswerAt(second, "anya-1", held);
    EXPECT_EQ(refused.text(), "503 store_unavailable");
    EXPECT_NE(refused.head.find("Retry-After"), std::string::npos);
    EXPECT_TRUE(Eventually([&] { return !IsReady(second) && !IsReady(world().program()); }));
    store_->Start();
    EXPECT_TRUE(Eventually([&] { return IsReady(second) && IsReady(world().program()); }));
  }
  EXPECT_EQ(AnswerAt(second, "anya-1", held).status, 204);
  world().WaitForReply("Results: echo: " + kShift);
  EXPECT_EQ(world().crm().Calls().size(), 1U);
  EXPECT_EQ(world().BotMessages().size(), 1U);
}

TEST_P(ManyNodes, MessagesThatCameWhileTheDatabaseWasAwayAreAnsweredOnce) {
  Program& second = world().StartAnother();
  world().SendHooksTo({&world().program(), &second});
  store_->Kill();
  const std::string message = world().Say("anya-1", "hello");
  ASSERT_TRUE(Eventually([&] {
    for (const bot::WebhookAttempt& attempt : world().chat().webhooks().Attempts()) {
      if (attempt.status == 503) return true;
    }
    return false;
  }));
  store_->Start();
  world().WaitUntilTaken(message, second);
  world().WaitForReply("hello");
  world().Say("anya-1", "again");
  world().WaitForReply("again");
  EXPECT_EQ(world().BotMessages().size(), 2U);
}

TEST_P(ManyNodes, ADatabaseThatIsFarAwayAndAChannelThatIsLockedForLongCostTimeAndNothingElse) {
  CutProxy proxy(store_->Socket());
  proxy.Delay(std::chrono::milliseconds(15));
  world().Kill();
  world().Configure(OptionsOn(store_->ConfigThrough(proxy)));
  ASSERT_TRUE(world().Start());
  world().StartAnother();
  world().Say("anya-1", kAsk);
  const HeldCall held = world().WaitForHeld();
  {
    const std::jthread locks([this] {  // longer than a statement may wait
      store_->HoldUp(std::chrono::seconds(6));
    });
    // The answer waits for the channel, too long for a caller, and may be given again.
    ASSERT_TRUE(Eventually(
        [&] { return world().Answer(world().As("anya-1"), held, true).status != 503; }, kTakeOver));
  }
  world().WaitForReply("Results: echo: " + kShift);
  EXPECT_EQ(world().crm().Calls().size(), 1U);
  EXPECT_EQ(world().BotMessages().size(), 1U);
}

TEST_P(ManyNodes, TenMayStartAtOnceOnAnEmptyDatabase) {
  std::vector<std::unique_ptr<Program>> nodes;
  const std::string config = world().File("writ.json");
  world().Kill();
  store_->Empty();
  constexpr int kNodes = 10;
  nodes.reserve(kNodes);
  for (int i = 0; i < kNodes; ++i) {
    nodes.push_back(
        std::make_unique<Program>(std::vector<std::string>{PathOfWrit(), "serve", "--config",
                                                           config, "--listen", "127.0.0.1:0"},
                                  Program::Environment{}, world().File("writ.log")));
  }
  std::vector<const Program*> all;
  all.reserve(nodes.size());
  for (const auto& node : nodes) {
    ASSERT_TRUE(node->WaitUntilItListens());
    all.push_back(node.get());
  }
  world().SendHooksTo(all);
  world().Say("anya-1", "hello");
  world().WaitForReply("hello");
  EXPECT_EQ(world().BotMessages().size(), 1U);
  EXPECT_EQ(world().model().AskedAbout("hello").size(), 1U);
}

INSTANTIATE_TEST_SUITE_P(On, ManyNodes,
                         testing::Values(StoreCase{"Postgres", MakePostgresStore},
                                         StoreCase{"Redis", MakeRedisStore}),
                         [](const auto& a_case) { return a_case.param.name; });

}  // namespace writ::tests
