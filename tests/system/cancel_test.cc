// A command is cancelled, by each who may and at each moment of its turn: it ends, what was not
// sent is not sent, and what was sent is told as it is.
#include "tests/support/stage/event_sink.h"
#include "tests/system/story.h"

namespace writ::tests {
namespace {

const std::string kSessions = "/v1/agents/sessions";

// Who cancels, and how. kOwner, kBackend and kClose: what was asked of a session of Anya's own over
// the API. kDelete and kStop: what she wrote in a channel.
enum class Way { kOwner, kBackend, kClose, kDelete, kStop };

std::string NameOf(Way way) {
  switch (way) {
    case Way::kOwner:
      return "owner";
    case Way::kBackend:
      return "backend";
    case Way::kClose:
      return "close";
    case Way::kDelete:
      return "delete";
    case Way::kStop:
      return "stop";
  }
  return "";
}

// One command of the test, and where it was asked.
struct Asked {
  std::string tag;  // in its words, and in no other's
  std::string session = {};
  std::string command = {};  // of the API's
  std::string cid = {};      // of the channel's
  std::string message = {};
};

struct Moment {
  std::string name;
  // What is asked; `%` stands for the tag. `before` is asked first, and has the lease.
  std::string text;
  std::string before = {};
  std::function<bool(World& world, const std::string& tag)> has_come;
  std::string outcome = {};  // of its call; empty: it has none
  std::size_t calls = 0;     // that reached the CRM
  bool is_told = false;      // the CRM is told to give it up
  bool stop_counts = true;   // whether `ai_indicator.stop` is about it
};

bool ModelWasAsked(World& world, const std::string& tag, std::size_t times) {
  return world.model().AskedAbout(tag).size() >= times;
}

// The one held call of those words.
std::string HeldRequest(World& world, const std::string& tag) {
  const Json list =
      world.api().Get(world.Backend(), "/v1/approvals?status=pending&limit=100").json();
  for (const Json& record : list.Find("approvals")->array()) {
    if (record.Dump().find(tag) != std::string::npos) return record.TextAt("approval_id");
  }
  return "";
}

std::vector<Moment> Moments() {
  return {
      {.name = "Queued",
       .text = "behind %",
       .before = "hang first %",
       .has_come = [](World& world,
                      const std::string& tag) { return ModelWasAsked(world, tag, 1); },
       .stop_counts = false},  // it stops what runs
      {.name = "Thinking",
       .text = "hang %",
       .has_come = [](World& world,
                      const std::string& tag) { return ModelWasAsked(world, tag, 1); }},
      {.name = "Held",
       .text = R"(!crm__echo {"message":"%"})",
       .has_come = [](World& world,
                      const std::string& tag) { return !HeldRequest(world, tag).empty(); },
       .outcome = "cancelled"},
      {.name = "AFreeCallIsOut",
       .text = R"(!crm__lookup {"name":"hang %"})",
       .has_come = [](World& world,
                      const std::string& tag) { return !world.crm().CallsWith(tag).empty(); },
       .outcome = "outcome_unknown",
       .calls = 1,
       .is_told = true},
      {.name = "AnApprovedCallIsOut",
       .text = R"(!crm__echo {"message":"hang %"})",
       .has_come =
           [](World& world, const std::string& tag) {
             if (const std::string held = HeldRequest(world, tag); !held.empty()) {
               static_cast<void>(world.api().Post(world.Backend(),
                                                  "/v1/approvals/" + held + "/decision",
                                                  Json::MakeObject({{"allowed", true}})));
             }
             return !world.crm().CallsWith(tag).empty();
           },
       .outcome = "outcome_unknown",
       .calls = 1,
       .is_told = true},
      {.name = "ThinkingAboutACallThatIsDone",
       .text = R"(!crm__lookup {"name":"then %"})",
       .has_come = [](World& world,
                      const std::string& tag) { return ModelWasAsked(world, tag, 2); },
       .outcome = "done",
       .calls = 1},
  };
}

class Cancel : public testing::TestWithParam<Moment> {
 protected:
  Cancel() {
    world_.model().When("hang ", [](const StubModel::Asked& asked) {
      StubModel::Reply reply = StubModel::ByDefault(asked);
      reply.hangs = reply.calls.empty();
      return reply;
    });
    world_.model().When("then ", [](const StubModel::Asked& asked) {
      StubModel::Reply reply = StubModel::ByDefault(asked);
      reply.hangs = asked.rounds > 0;
      return reply;
    });
    const auto hangs_where_told = [](const StubCrm::Call& call) {
      return StubCrm::Result{.hangs = call.arguments.find("hang ") != std::string::npos};
    };
    world_.crm().On("lookup", hangs_where_told);
    world_.crm().On("echo", hangs_where_told);
  }

  static std::string With(std::string text, const std::string& tag) {
    if (const auto at = text.find('%'); at != std::string::npos) text.replace(at, 1, tag);
    return text;
  }

  Asked Ask(Way way) {
    Asked asked{.tag = "tag-of-" + NameOf(way)};
    const bool in_channel = way == Way::kDelete || way == Way::kStop;
    if (in_channel) {
      asked.cid = "callouts:" + NameOf(way);
      world_.AddChannel(asked.cid);
    } else {
      asked.session =
          world_.api()
              .Post(world_.As("anya-1"), kSessions, Json::MakeObject({{"agent_id", "helper"}}))
              .json()
              .TextAt("session_id");
    }
    const Moment& moment = GetParam();
    const auto say = [&](const std::string& text) {
      if (in_channel) {
        asked.message = world_.Say("anya-1", text, asked.cid);
        return;
      }
      asked.command = world_.api()
                          .Post(world_.As("anya-1"), PathOf(asked) + "/commands",
                                Json::MakeObject({{"text", text}}))
                          .json()
                          .TextAt("command_id");
    };
    if (!moment.before.empty()) {
      say(With(moment.before, asked.tag));
      EXPECT_TRUE(Eventually([&] { return ModelWasAsked(world_, asked.tag, 1); }));
    }
    say(With(moment.text, asked.tag));
    // One that is deleted before it came is never a command.
    if (in_channel) {
      EXPECT_TRUE(Eventually([&] { return world_.IsAcknowledged(asked.message); }));
    }
    EXPECT_TRUE(Eventually([&] { return moment.has_come(world_, asked.tag); })) << asked.tag;
    return asked;
  }

  static std::string PathOf(const Asked& asked) { return kSessions + "/" + asked.session; }

  ApiReply PostCancel(const Caller& caller, const Asked& asked) {
    return Send(world_.api().port(), "POST",
                PathOf(asked) + "/commands/" + asked.command + "/cancel", caller.headers, "");
  }

  void Do(Way way, const Asked& asked) {
    switch (way) {
      case Way::kOwner:
        EXPECT_EQ(PostCancel(world_.As("ben-2"), asked).text(), "404 session_not_found");
        EXPECT_EQ(PostCancel(world_.As("anya-1"), asked).status, 204);
        return;
      case Way::kBackend:
        EXPECT_EQ(PostCancel(world_.Backend(), asked).status, 204);
        return;
      case Way::kClose:
        EXPECT_EQ(world_.api().Delete(world_.As("anya-1"), PathOf(asked)).status, 204);
        return;
      case Way::kDelete:
        world_.chat().Delete(asked.message, "anya-1");
        return;
      case Way::kStop: {
        const std::string body =
            Json::MakeObject({{"type", "ai_indicator.stop"},
                              {"cid", asked.cid},
                              {"created_at", router::FormatTime(SystemClock().Now())},
                              {"user", Json::MakeObject({{"id", "anya-1"}})}})
                .Dump();
        EXPECT_EQ(world_.Hook(body, world_.SignedHeaders(body)).status, 200);
        return;
      }
    }
  }

  // What the backend was told, of that type, of that command; null: nothing so far.
  Json Told(const std::string& type, const Asked& asked) {
    for (const Json& event : sink_.Taken()) {
      const Json* data = event.Find("data");
      if (event.TextAt("type") != type || data == nullptr) continue;
      const bool is_its = asked.command.empty() ? event.TextAt("cid") == asked.cid
                                                : data->TextAt("run_id") == asked.command;
      if (is_its) return *data;
    }
    return {};
  }

  void ExpectCancelled(const Asked& asked) {
    const Moment& moment = GetParam();
    EXPECT_TRUE(Eventually([&] { return !Told("turn.cancelled", asked).IsNull(); })) << asked.tag;
    if (!moment.outcome.empty()) {
      EXPECT_TRUE(Eventually([&] { return !Told("tool.finished", asked).IsNull(); })) << asked.tag;
    }
    EXPECT_EQ(Told("tool.finished", asked).TextAt("outcome"), moment.outcome) << asked.tag;
    if (asked.command.empty()) return;
    const Json command =
        world_.api().Get(world_.Backend(), PathOf(asked) + "/commands/" + asked.command).json();
    EXPECT_EQ(command.TextAt("state"), "cancelled");
    const Json::Array& steps = command.Find("steps")->array();
    ASSERT_EQ(steps.size(), moment.outcome.empty() ? 0U : 1U);
    for (const Json& step : steps) EXPECT_EQ(step.TextAt("outcome"), moment.outcome);
    EXPECT_EQ(PostCancel(world_.Backend(), asked).text(), "409 command_ended");
  }

  EventSink sink_;
  World world_{{.config = [this](Json& config) {
    config.Find("apps")->array()[0].Set("events", sink_.Config());
  }}};
};

}  // namespace

TEST_P(Cancel, EndsTheCommandAndTellsTheTruthOfItsCalls) {
  const Moment& moment = GetParam();
  std::vector<std::pair<Way, Asked>> all;
  for (const Way way : {Way::kOwner, Way::kBackend, Way::kClose, Way::kDelete, Way::kStop}) {
    if (way == Way::kStop && !moment.stop_counts) continue;
    all.emplace_back(way, Ask(way));
  }
  for (const auto& [way, asked] : all) Do(way, asked);
  for (const auto& [way, asked] : all) ExpectCancelled(asked);
  if (moment.is_told) {
    EXPECT_TRUE(
        Eventually([&] { return world_.crm().cancelled() >= static_cast<int>(all.size()); }));
  }
  world_.crm().Release();
  world_.model().Release();
  for (const auto& [way, asked] : all) {
    // The channel goes on, and nothing of what was cancelled happens after all.
    if (!asked.cid.empty()) {
      world_.Say("ben-2", "is somebody there?", asked.cid);
      world_.WaitForReply("is somebody there?", asked.cid);
    }
    EXPECT_EQ(world_.crm().CallsWith(asked.tag).size(), moment.calls) << asked.tag;
    EXPECT_TRUE(asked.command.empty() || Told("turn.completed", asked).IsNull()) << asked.tag;
  }
  EXPECT_TRUE(world_.model().AskedAbout("behind ").empty());
}

INSTANTIATE_TEST_SUITE_P(At, Cancel, testing::ValuesIn(Moments()),
                         [](const auto& moment) { return moment.param.name; });

}  // namespace writ::tests
