// Whoever follows a session and means no good, or is not entitled to any more.
#include <chrono>

#include "tests/support/stage/live_stream.h"
#include "tests/system/story.h"

namespace writ::tests {
namespace {

using Over = LiveStream::Over;

const std::string kSessions = "/v1/agents/sessions";

// A frame as a client sends it, masked with zeros.
std::string Frame(unsigned first, std::string_view payload) {
  std::string frame(1, static_cast<char>(first));
  if (payload.size() < 126) {
    frame += static_cast<char>(0x80U | payload.size());
  } else {
    frame += static_cast<char>(0x80U | 126U);
    frame += static_cast<char>(payload.size() >> 8U);
    frame += static_cast<char>(payload.size() & 0xFFU);
  }
  return frame.append(4, '\0').append(payload);
}

class HostileStreams : public testing::Test {
 protected:
  std::string Open(const std::string& user) {
    return world_.api()
        .Post(world_.As(user), kSessions, Json::MakeObject({{"agent_id", "helper"}}))
        .json()
        .TextAt("session_id");
  }
  std::string Command(const std::string& user, const std::string& session,
                      const std::string& text) {
    const ApiReply reply =
        world_.api().Post(world_.As(user), kSessions + "/" + session + "/commands",
                          Json::MakeObject({{"text", text}}));
    EXPECT_EQ(reply.status, 202) << reply.body;
    return reply.json().TextAt("command_id");
  }
  LiveStream Follow(const Caller& caller, const std::string& session, Over over = Over::kSocket,
                    const std::string& last = "") {
    return LiveStream(world_.api().port(), caller, session, last, over);
  }
  // Anya's session with a call that is held, and its step.
  Json HeldStep(const std::string& session) {
    Command("anya-1", session, kAsk);
    LiveStream stream = Follow(world_.As("anya-1"), session, Over::kEvents);
    return *stream
                .WaitFor("step.updated",
                         [](const LiveEvent& event) {
                           return event.data.Find("step")->TextAt("status") == "awaiting_approval";
                         })
                .data.Find("step");
  }
  static Json Approval(const Json& step) {
    return Json::MakeObject({{"type", "tool_approval"},
                             {"ref", "1"},
                             {"tool_call_id", step.TextAt("id")},
                             {"request_id", step.TextAt("request_id")},
                             {"allowed", true}});
  }
  Caller WithTokenUntil(std::chrono::seconds from_now) {
    const auto now = std::chrono::duration_cast<std::chrono::seconds>(
        std::chrono::system_clock::now().time_since_epoch());
    return WithToken(
        "k1", world_.chat().keys().api_secret,
        Json::MakeObject({{"user_id", "anya-1"}, {"exp", std::int64_t{(now + from_now).count()}}}));
  }

  World world_;
};

}  // namespace

TEST_F(HostileStreams, NoneOutlivesTheTokenThatItWasOpenedWith) {
  const std::string session = Open("anya-1");
  const Json step = HeldStep(session);
  const Caller brief = WithTokenUntil(std::chrono::seconds(12));
  LiveStream events = Follow(brief, session, Over::kEvents);
  LiveStream socket = Follow(brief, session);
  ASSERT_EQ(events.status(), 200);
  ASSERT_EQ(socket.status(), 101);
  LiveStream lasting = Follow(world_.As("anya-1"), session);
  lasting.WaitFor("turn.awaiting_approval");
  EXPECT_TRUE(events.WaitForClose());
  EXPECT_TRUE(socket.WaitForClose());
  EXPECT_EQ(Follow(brief, session, Over::kEvents).status(), 401);
  EXPECT_EQ(Follow(brief, session).status(), 401);
  // Whoever has a good one notices nothing.
  lasting.Say(Approval(step));
  EXPECT_EQ(lasting.WaitFor("tool_approval.result").data.IntAt("status"), 204);
  lasting.WaitFor("turn.completed");
}

TEST_F(HostileStreams, AnAnswerOverASocketNeedsTheCredentialAndTheMembershipOfNow) {
  world_.AddChannel("agent:anyas", {"anya-1"});
  const ApiReply opened =
      world_.api().Post(world_.As("anya-1"), kSessions,
                        Json::MakeObject({{"agent_id", "helper"}, {"cid", "agent:anyas"}}));
  const std::string session = opened.json().TextAt("session_id");
  LiveStream socket = Follow(world_.As("anya-1"), session);
  const Json step = HeldStep(session);
  world_.chat().world().SetUserField(
      "anya-1", "revoke_tokens_issued_before",
      router::FormatTime(SystemClock().Now() - std::chrono::minutes(1)));
  socket.Say(Approval(step));
  EXPECT_EQ(socket.WaitFor("tool_approval.result").data.TextAt("code"), "bad_token")
      << "her tokens of that time were revoked";
  world_.chat().world().SetUserField("anya-1", "revoke_tokens_issued_before", Json());
  world_.chat().world().RemoveMember("agent:anyas", "anya-1");
  socket.Say(Approval(step));
  EXPECT_EQ(socket.WaitFor("tool_approval.result").data.IntAt("status"), 404);
  EXPECT_TRUE(world_.crm().Calls().empty());
  // The owner is gone: nothing is open to her, and the backend decides.
  EXPECT_EQ(Follow(world_.As("anya-1"), session).status(), 404);
  EXPECT_EQ(world_.api().Get(world_.As("anya-1"), kSessions + "/" + session).status, 404);
  EXPECT_EQ(world_.api()
                .Post(world_.As("anya-1"), kSessions + "/" + session + "/commands",
                      Json::MakeObject({{"text", "still here"}}))
                .status,
            404);
  EXPECT_EQ(world_.api()
                .Post(world_.Backend(), "/v1/approvals/" + step.TextAt("request_id") + "/decision",
                      Json::MakeObject({{"allowed", false}}))
                .status,
            200);
  socket.WaitFor("turn.completed");
}

TEST_F(HostileStreams, SomebodyElsesSocketAnswersNothing) {
  const Json step = HeldStep(Open("anya-1"));
  LiveStream bens = Follow(world_.As("ben-2"), Open("ben-2"));
  bens.Say(Approval(step));
  EXPECT_EQ(bens.WaitFor("tool_approval.result").data.IntAt("status"), 404);
  EXPECT_EQ(world_.api()
                .Get(world_.Backend(), "/v1/approvals/" + step.TextAt("request_id"))
                .json()
                .TextAt("status"),
            "pending");
  EXPECT_TRUE(world_.crm().Calls().empty());
}

TEST_F(HostileStreams, AnIdOfAnotherSessionTellsNothingOfIt) {
  const std::string anyas = Open("anya-1");
  const std::string bens = Open("ben-2");
  LiveStream hers = Follow(world_.As("anya-1"), anyas, Over::kEvents);
  const std::string her = Command("anya-1", anyas, "anya's own words");
  hers.WaitFor("turn.completed");
  Command("ben-2", bens, kAsk);
  for (const std::string& last : {hers.LastId(), std::string("0"), std::string("1")}) {
    for (const Over over : {Over::kEvents, Over::kSocket}) {
      LiveStream stream = Follow(world_.As("ben-2"), bens, over, last);
      const std::string next = Command("ben-2", bens, "and this");
      stream.WaitFor("command.created", [&](const LiveEvent& event) {
        return event.data.TextAt("command_id") == next;
      });
      for (const LiveEvent& event : stream.All()) {
        EXPECT_NE(event.data.TextAt("command_id"), her) << last;
        EXPECT_EQ(event.data.Dump().find("own words"), std::string::npos);
      }
    }
  }
  for (const char* garbage : {"x", "-1", "1.5", "9223372036854775808", "1 2", "%00", "1,1"}) {
    for (const Over over : {Over::kEvents, Over::kSocket}) {
      EXPECT_EQ(Follow(world_.As("ben-2"), bens, over, garbage).status(), 422) << garbage;
    }
  }
}

TEST_F(HostileStreams, FramesThatAreWrongEndTheirSocketAndNothingElse) {
  const std::string session = Open("anya-1");
  const Json step = HeldStep(session);
  LiveStream good = Follow(world_.As("anya-1"), session);
  const std::string yes = Approval(step).Dump();
  const std::string unmasked = std::string("\x81\x7e", 2) + static_cast<char>(yes.size() >> 8U) +
                               static_cast<char>(yes.size() & 0xFFU) + yes;
  struct Case {
    const char* what;
    std::string bytes;
    int code;
  };
  const std::vector<Case> cases{
      {"a good answer without its mask", unmasked, 1002},
      {"a good answer as binary", Frame(0x82U, yes), 1003},
      {"an extension that nobody agreed on", Frame(0xC1U, yes), 1002},
      {"no UTF-8", Frame(0x81U, "\xc3\x28"), 1007},
      {"UTF-8 that ends in its middle", Frame(0x81U, "\xe2\x82"), 1007},
      {"a surrogate", Frame(0x81U, "\xed\xa0\x80"), 1007},
      {"a length beyond all", std::string("\x81\xff\x7f\xff\xff\xff\xff\xff\xff\xff", 10), 1009},
      {"pieces beyond all",
       Frame(0x01U, std::string(40000, 'x')) + Frame(0x00U, std::string(40000, 'x')), 1009},
      {"a piece of nothing", Frame(0x80U, yes), 1002},
      {"a text within a text", Frame(0x01U, "{") + Frame(0x81U, yes), 1002},
      {"a ping in pieces", Frame(0x09U, "x"), 1002},
      {"a ping that is too long", Frame(0x89U, std::string(126, 'x')), 1002},
      {"a close with half a code", Frame(0x88U, "x"), 1002},
      {"what comes after a close", Frame(0x88U, std::string("\x03\xe8", 2)) + Frame(0x81U, yes),
       1000},
  };
  for (const Case& one : cases) {
    LiveStream bad = Follow(world_.As("anya-1"), session);
    ASSERT_EQ(bad.status(), 101);
    bad.SendBytes(one.bytes);
    EXPECT_EQ(bad.WaitForCloseCode(), one.code) << one.what;
  }
  EXPECT_TRUE(world_.crm().Calls().empty());
  // Not wrong: in pieces, each with a ping before it, all in one write.
  std::string pieces;
  for (std::size_t i = 0; i < yes.size(); ++i) {
    const unsigned first = (i + 1 == yes.size() ? 0x80U : 0U) | (i == 0 ? 1U : 0U);
    pieces += Frame(0x89U, "beat") + Frame(first, yes.substr(i, 1));
  }
  good.SendBytes(pieces);
  EXPECT_EQ(good.WaitFor("tool_approval.result").data.IntAt("status"), 204);
  good.WaitFor("turn.completed");
  EXPECT_EQ(world_.crm().Calls().size(), 1U);
}

TEST_F(HostileStreams, WhoeverFloodsAndReadsNothingIsCutOffAndTheOthersGoOn) {
  const std::string session = Open("anya-1");
  LiveStream good = Follow(world_.As("anya-1"), session);
  std::string pings;
  for (int i = 0; i < 500; ++i) pings += Frame(0x89U, std::string(125, 'p'));
  {
    // Its pongs wait for it, up to the bound of a stream.
    LiveStream flood = Follow(world_.As("anya-1"), session);
    bool is_cut = false;
    for (int i = 0; i < 5000 && !is_cut; ++i) is_cut = !flood.SendBytes(pings);
    EXPECT_TRUE(is_cut);
  }
  {
    // A stream of events has nothing to say: what comes is dropped.
    LiveStream chatty = Follow(world_.As("anya-1"), session, Over::kEvents);
    for (int i = 0; i < 20; ++i) chatty.SendBytes(pings);
    Command("anya-1", session, "hello");
    chatty.WaitFor("turn.completed");
  }
  good.WaitFor("turn.completed");
}

}  // namespace writ::tests
