// Two who act on the same thing at the same moment: one of them is first, and the other is told so.
// Each is tried many times, for nobody knows who is first.
#include <barrier>
#include <thread>

#include "tests/support/stage/live_stream.h"
#include "tests/system/story.h"

namespace writ::tests {
namespace {

constexpr int kTimes = 12;
const std::string kSessions = "/v1/agents/sessions";

using Act = std::function<ApiReply()>;

// Does both at once, and gives what each was answered.
std::pair<ApiReply, ApiReply> AtOnce(const Act& one, const Act& other) {
  std::barrier both(2);
  ApiReply ones;
  ApiReply others;
  {
    const std::jthread beside([&] {
      both.arrive_and_wait();
      others = other();
    });
    both.arrive_and_wait();
    ones = one();
  }
  return {ones, others};
}

// Of two answers how many have that status.
int CountOfStatus(const std::pair<ApiReply, ApiReply>& replies, int status) {
  return (replies.first.status == status ? 1 : 0) + (replies.second.status == status ? 1 : 0);
}

class AtOnceTest : public testing::Test {
 protected:
  std::string Open() {
    const Json body =
        router::ParseJson(
            R"({"agent_id":"helper","client_tools":[{"name":"locate","description":"Finds it",)"
            R"("input_schema":{"type":"object"}}]})")
            .value.value();
    const ApiReply reply = world_.api().Post(anya_, kSessions, body);
    EXPECT_EQ(reply.status, 201) << reply.body;
    return reply.json().TextAt("session_id");
  }
  // Asks, and waits until the call is held or offered: the command, and its one step.
  std::pair<std::string, Json> Ask(const std::string& session, const std::string& text,
                                   const std::string& state) {
    const std::string path = kSessions + "/" + session + "/commands";
    const std::string command = world_.api()
                                    .Post(anya_, path, Json::MakeObject({{"text", text}}))
                                    .json()
                                    .TextAt("command_id");
    Json shown;
    EXPECT_TRUE(Eventually([&] {
      shown = Command(session, command);
      return shown.TextAt("state") == state && !shown.Find("steps")->array().empty();
    })) << shown.Dump();
    return {command, shown.Find("steps")->array().at(0)};
  }
  Json Command(const std::string& session, const std::string& command) {
    return world_.api().Get(anya_, kSessions + "/" + session + "/commands/" + command).json();
  }
  // What became of its one call, once it has an outcome.
  std::string OutcomeOf(const std::string& session, const std::string& command) {
    std::string outcome;
    EXPECT_TRUE(Eventually([&] {
      const Json shown = Command(session, command);
      outcome = shown.Find("steps")->array().at(0).TextAt("outcome");
      return !outcome.empty() && !shown.TextAt("ended_at").empty();
    }));
    return outcome;
  }
  ApiReply PostTo(const std::string& target) {
    return Send(world_.api().port(), "POST", target, anya_.headers, "");
  }
  ApiReply Allow(const std::string& session, const Json& step) {
    return world_.api().Post(anya_, kSessions + "/" + session + "/tool_approvals",
                             Json::MakeObject({{"tool_call_id", step.TextAt("id")},
                                               {"request_id", step.TextAt("request_id")},
                                               {"allowed", true}}));
  }
  ApiReply Report(const std::string& call, const std::string& result) {
    return world_.api().Post(anya_, call + "/result", Json::MakeObject({{"result", result}}));
  }
  // The path of the call that is offered to her device.
  std::string Offered(const std::string& session, std::string& command) {
    LiveStream stream(world_.api().port(), anya_, session);
    const ApiReply taken = world_.api().Post(anya_, kSessions + "/" + session + "/commands",
                                             Json::MakeObject({{"text", "!device__locate {}"}}));
    command = taken.json().TextAt("command_id");
    const Json offer = stream.WaitFor("tool.call").data;
    return kSessions + "/" + session + "/commands/" + command + "/calls/" + offer.TextAt("call_id");
  }

  World world_{{.agent = [](Json& agent) {
    agent.Find("connectors")
        ->Push(Json::MakeObject({{"id", "device"}, {"kind", "client"}, {"timeout_s", 60}}));
  }}};
  Caller anya_ = world_.As("anya-1");
};

}  // namespace

TEST_F(AtOnceTest, AnAnswerAndTheEndOfItsSession) {
  for (int i = 0; i < kTimes; ++i) {
    const std::string words = "round " + std::to_string(i) + ".";
    const std::string session = Open();
    const auto [command, step] = Ask(session, AskWith(words), "awaiting_approval");
    const auto replies =
        AtOnce([&, its = step] { return Allow(session, its); },
               [&] { return world_.api().Delete(anya_, kSessions + "/" + session); });
    EXPECT_EQ(replies.second.status, 204);
    EXPECT_TRUE(replies.first.status == 204 || replies.first.status == 404) << replies.first.body;
    const std::string outcome = OutcomeOf(session, command);
    const std::size_t calls = world_.crm().CallsWith(words).size();
    EXPECT_LE(calls, 1U);
    if (replies.first.status == 404) {
      EXPECT_EQ(outcome, "cancelled");
    }
    if (outcome == "cancelled") {
      EXPECT_EQ(calls, 0U) << "what is said not to have been sent was sent";
    } else {
      EXPECT_TRUE(outcome == "outcome_unknown" || outcome == "done") << outcome;
    }
    const std::string state = Command(session, command).TextAt("state");
    EXPECT_TRUE(state == "cancelled" || (state == "completed" && outcome == "done")) << state;
    EXPECT_EQ(Allow(session, step).status, 404);
  }
}

TEST_F(AtOnceTest, ADevicesResultAndTheEndOfItsSession) {
  for (int i = 0; i < kTimes; ++i) {
    const std::string session = Open();
    std::string command;
    const std::string call = Offered(session, command);
    ASSERT_EQ(PostTo(call + "/take").status, 200);
    const auto replies =
        AtOnce([&] { return Report(call, "found"); },
               [&] { return world_.api().Delete(anya_, kSessions + "/" + session); });
    EXPECT_EQ(replies.second.status, 204);
    const std::string outcome = OutcomeOf(session, command);
    if (replies.first.status == 204) {
      EXPECT_EQ(outcome, "done") << "it was taken from her device";
    } else {
      EXPECT_EQ(replies.first.text(), "409 call_settled");
      EXPECT_EQ(outcome, "outcome_unknown") << "it was on her device";
    }
  }
}

TEST_F(AtOnceTest, TwoDevicesThatTakeACallAndTwoResultsOfIt) {
  for (int i = 0; i < kTimes; ++i) {
    const std::string session = Open();
    std::string command;
    const std::string call = Offered(session, command);
    const auto take = [&] { return PostTo(call + "/take"); };
    const auto taken = AtOnce(take, take);
    EXPECT_EQ(CountOfStatus(taken, 200), 1);
    EXPECT_EQ(CountOfStatus(taken, 409), 1);
    const auto told = AtOnce([&] { return Report(call, "in the attic"); },
                             [&] { return Report(call, "in the cellar"); });
    EXPECT_EQ(CountOfStatus(told, 204), 1);
    EXPECT_EQ(CountOfStatus(told, 409), 1);
    EXPECT_EQ(OutcomeOf(session, command), "done");
    const std::string first = told.first.status == 204 ? "in the attic" : "in the cellar";
    EXPECT_EQ(Command(session, command).TextAt("reply"), "Results: " + first);
  }
}

TEST_F(AtOnceTest, TwoWhoCancelACommand) {
  for (int i = 0; i < kTimes; ++i) {
    const std::string session = Open();
    const auto [command, step] = Ask(session, kAsk, "awaiting_approval");
    const std::string path = kSessions + "/" + session + "/commands/" + command + "/cancel";
    const auto replies = AtOnce(
        [&] { return PostTo(path); },
        [&] { return Send(world_.api().port(), "POST", path, world_.Backend().headers, ""); });
    EXPECT_EQ(CountOfStatus(replies, 204), 1);
    EXPECT_EQ(CountOfStatus(replies, 409), 1);
    EXPECT_EQ(OutcomeOf(session, command), "cancelled");
  }
  EXPECT_TRUE(world_.crm().Calls().empty());
}

TEST_F(AtOnceTest, ACommandAndTheEndOfItsSession) {
  for (int i = 0; i < kTimes; ++i) {
    const std::string words = "tell me of round " + std::to_string(i) + ".";
    const std::string session = Open();
    const std::string path = kSessions + "/" + session;
    const auto replies = AtOnce(
        [&] {
          return world_.api().Post(anya_, path + "/commands", Json::MakeObject({{"text", words}}));
        },
        [&] { return world_.api().Delete(anya_, path); });
    EXPECT_EQ(replies.second.status, 204);
    if (replies.first.status == 202) {
      const std::string command = replies.first.json().TextAt("command_id");
      EXPECT_TRUE(Eventually([&] {
        const std::string state = Command(session, command).TextAt("state");
        return state == "cancelled" || state == "completed";
      })) << "a command of a closed session must not wait for ever";
    } else {
      EXPECT_EQ(replies.first.text(), "404 session_not_found");
      EXPECT_TRUE(world_.model().AskedAbout(words).empty());
    }
  }
}

TEST_F(AtOnceTest, TwoWhoOpenASessionOnAChannel) {
  constexpr int kAsksAMinute = 10;  // about channels where nothing is theirs, of each of them
  for (int i = 0; i < kAsksAMinute; ++i) {
    const std::string cid = "agent:both-" + std::to_string(i);
    world_.AddChannel(cid, {"anya-1", "ben-2"});
    const Json body = Json::MakeObject({{"agent_id", "helper"}, {"cid", cid}});
    const auto replies =
        AtOnce([&] { return world_.api().Post(anya_, kSessions, body); },
               [&] { return world_.api().Post(world_.As("ben-2"), kSessions, body); });
    EXPECT_EQ(CountOfStatus(replies, 201), 1);
    EXPECT_EQ(CountOfStatus(replies, 409), 1);
  }
}

}  // namespace writ::tests
