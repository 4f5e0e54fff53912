// More than a node can bear: new events are refused with 503 before answers get slower, and nothing
// of what was taken, or is sent again, is lost.
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "tests/support/raw_client.h"
#include "tests/system/shared_stores.h"
#include "tests/system/story.h"

namespace writ::tests {
namespace {

// Set while a test wants commits to wait.
class Stall {
 public:
  explicit Stall(std::string path) : path_(std::move(path)) {}
  ~Stall() { End(); }
  Stall(const Stall&) = delete;
  Stall& operator=(const Stall&) = delete;

  [[nodiscard]] const std::string& path() const { return path_; }
  void Begin() const { std::ofstream(path_) << 1; }
  void End() const { std::remove(path_.c_str()); }

 private:
  const std::string path_;
};

std::function<void(Json&)> NodeLimits(std::vector<std::pair<std::string, Json>> limits) {
  return [limits = std::move(limits)](Json& config) {
    for (const auto& [name, value] : limits) config.Find("limits")->Set(name, value);
  };
}

// Says it until it is taken, by a node that refuses what it can not do at once.
void SayUntilTaken(World& world, const std::string& text, const std::string& cid = kTeam) {
  world.WaitUntilTaken(world.Say("anya-1", text, cid), world.program());
}

// What the platform would send of a new message; no hook is told of it.
std::string EventOf(World& world, const std::string& cid, const std::string& text) {
  world.chat().webhooks().SetUrls({});
  return world.chat().webhooks().LastEvent(world.Say("anya-1", text, cid))->Dump();
}

ApiReply Deliver(World& world, const std::string& event) {
  return world.Hook(event, world.SignedHeaders(event));
}

// A request of which the answer is read later.
std::unique_ptr<RawClient> Begin(const World& world, const std::string& target,
                                 const ApiHeaders& headers, const std::string& body) {
  std::string request = "POST " + target + " HTTP/1.1\r\nHost: writ\r\n";
  for (const auto& [name, value] : headers)
    request.append(name).append(": ").append(value).append("\r\n");
  request += "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
  auto client = std::make_unique<RawClient>(world.api().port());
  client->Send(request);
  return client;
}

int StatusOf(RawClient& client) {
  const auto answer = client.Receive(true, kLongEnough);
  return answer ? answer->status : 0;
}

// The value of a figure, named with its labels.
std::string Figure(const World& world, const std::string& name) {
  const std::string text = world.api().Get(world.Anonymous(), "/metrics").body;
  const auto at = text.find("\n" + name + " ");
  if (at == std::string::npos) return "";
  const auto begin = at + name.size() + 2;
  return text.substr(begin, text.find('\n', begin) - begin);
}

// How many were refused for the line.
int Shed(const World& world) {
  const std::string count = Figure(world, "writ_shed_total{why=\"line\"}");
  return count.empty() ? 0 : std::stoi(count);
}

}  // namespace

TEST(Overload, EventsAreRefusedBeyondTheLineWhileAnAnswerFindsAWorkerAndNothingIsLost) {
  World world(
      {.config = NodeLimits({{"http_workers", 4}, {"events_in_line", 2}, {"event_wait_s", 3600}}),
       .start = false});
  const Stall stall(world.File("stall"));
  ASSERT_TRUE(world.Start({{"WRIT_STALL_COMMITS_WHILE", stall.path()}}));
  world.Say("anya-1", kAsk);
  const HeldCall held = world.WaitForHeld();
  std::vector<std::string> events;
  for (int i = 0; i < 6; ++i) {
    const std::string cid = "callouts:busy-" + std::to_string(i);
    world.AddChannel(cid);
    events.push_back(EventOf(world, cid, "hello " + std::to_string(i)));
  }

  stall.Begin();
  std::vector<std::unique_ptr<RawClient>> taken(5);  // three are with the store, two in line
  int too_soon = 0;  // came before a worker had taken one from the line, and are sent again
  ASSERT_TRUE(Eventually([&] {
    bool all_wait = true;
    for (std::size_t i = 0; i < taken.size(); ++i) {
      if (taken[i] && !taken[i]->Receive(true, std::chrono::milliseconds(1))) continue;
      if (taken[i]) ++too_soon;
      taken[i] = Begin(world, "/v1/hooks/acme", world.SignedHeaders(events[i]), events[i]);
      all_wait = false;
    }
    return all_wait && Figure(world, "writ_events_in_line") == "2" && Shed(world) == too_soon;
  }));
  const ApiReply refused = Deliver(world, events.at(5));
  EXPECT_EQ(refused.text(), "503 overloaded");
  EXPECT_NE(refused.head.find("Retry-After: "), std::string::npos);
  const Json wanted = Json::MakeObject({{"agent_id", "helper"}, {"user_id", "anya-1"}});
  EXPECT_EQ(world.api().Post(world.Backend(), "/v1/agents/sessions", wanted).text(),
            "503 overloaded");
  EXPECT_EQ(Send(world.api().port(), "GET", "/healthz", {}, "").status, 200);
  ApiHeaders headers = world.As("anya-1").headers;
  headers.emplace_back("Content-Type", "application/json");
  const auto answer =
      Begin(world, "/v1/agents/conversations/" + kTeam + "/tool_approvals", headers,
            Json::MakeObject(
                {{"tool_call_id", held.call}, {"request_id", held.request}, {"allowed", true}})
                .Dump());
  stall.End();

  EXPECT_EQ(StatusOf(*answer), 204);
  for (const auto& client : taken) EXPECT_EQ(StatusOf(*client), 200);
  EXPECT_EQ(world.WaitForOutcome(held), "done");
  EXPECT_EQ(Deliver(world, events.at(5)).status, 200) << "as the platform sends it again";
  for (int i = 0; i < 6; ++i) {
    world.WaitForReply("hello " + std::to_string(i), "callouts:busy-" + std::to_string(i));
  }
  EXPECT_EQ(world.crm().Calls().size(), 1U);
  EXPECT_EQ(Shed(world), too_soon + 2);
}

TEST(Overload, ASlowStoreRefusesNewEventsUntilItIsFastAgain) {
  World world({.config = NodeLimits({{"event_wait_s", 0.2}}), .start = false});
  const Stall stall(world.File("stall"));
  ASSERT_TRUE(world.Start({{"WRIT_STALL_COMMITS_WHILE", stall.path()}}));
  SayUntilTaken(world, "hello");
  world.WaitForReply("hello");
  const std::string first = EventOf(world, kTeam, "are you slow?");
  const std::string second = EventOf(world, kTeam, "and now?");
  stall.Begin();
  const auto waits = Begin(world, "/v1/hooks/acme", world.SignedHeaders(first), first);
  ASSERT_TRUE(Eventually([&] { return Figure(world, "writ_store_commits_waiting") != "0"; }));
  // One that comes before the store is slow enough waits as the first does.
  std::vector<std::unique_ptr<RawClient>> clients;
  ASSERT_TRUE(Eventually([&] {
    clients.push_back(Begin(world, "/v1/hooks/acme", world.SignedHeaders(second), second));
    const auto answer = clients.back()->Receive(true, std::chrono::milliseconds(200));
    return answer && answer->status == 503;
  }));
  EXPECT_EQ(Send(world.api().port(), "GET", "/healthz", {}, "").status, 200);
  stall.End();
  const int status = StatusOf(*waits);
  EXPECT_TRUE(status == 200 || status == 503)
      << "where something else was slow already: " << status;
  // What was refused is not sent again: the node looks for it.
  world.WaitForReply("are you slow?");
  world.WaitForReply("and now?");
}

struct SlowServerCase {
  std::string name;
  std::unique_ptr<SharedStore> (*make)();
};

class SlowServer : public testing::TestWithParam<SlowServerCase> {};

TEST_P(SlowServer, RefusesNewEventsWhileTheyWaitForAConnectionAndIsLookedThroughAfterwards) {
  const auto server = GetParam().make();
  const auto small = [&](Json& config) {
    Json store = server->Config();
    store.Set("pool", 2);
    config.Set("store", std::move(store));
    NodeLimits({{"event_wait_s", 0.2}})(config);
  };
  World world({.config = small, .start = false});
  const Stall stall(world.File("stall"));
  ASSERT_TRUE(world.Start({{"WRIT_STALL_COMMITS_WHILE", stall.path()}}));
  SayUntilTaken(world, "hello");
  world.WaitForReply("hello");
  std::vector<std::unique_ptr<RawClient>> clients;
  const std::string taken = EventOf(world, kTeam, "are you slow?");
  const std::string refused = EventOf(world, kTeam, "and now?");
  stall.Begin();
  // As many as there are connections, and more that wait for one, until one is refused.
  ASSERT_TRUE(Eventually([&] {
    const std::string& event = clients.empty() ? taken : refused;
    clients.push_back(Begin(world, "/v1/hooks/acme", world.SignedHeaders(event), event));
    (void)clients.back()->Receive(true, std::chrono::milliseconds(100));
    const std::string text = world.api().Get(world.Anonymous(), "/metrics").body;
    return text.find("writ_shed_total{why=\"store_slow\"} ") != std::string::npos;
  }));
  stall.End();
  world.WaitForReply("are you slow?");
  world.WaitForReply("and now?");
}

INSTANTIATE_TEST_SUITE_P(Overload, SlowServer,
                         testing::Values(SlowServerCase{"OnPostgres", MakePostgresStore},
                                         SlowServerCase{"OnRedis", MakeRedisStore}),
                         [](const auto& a_case) { return a_case.param.name; });

TEST(Overload, AStoreAtItsLimitTakesNoNewEventButAnswers) {
  const auto limited = [](Json& config) { config.Find("store")->Set("max_mb", 1); };
  World world({.agent = Limits({{"queue_per_channel", 1000}}), .config = limited});
  world.Say("anya-1", kAsk);
  const HeldCall held = world.WaitForHeld();
  const std::string filler(4'900, 'x');  // stands in line behind the held call
  ApiReply refused;
  std::string event;
  for (int i = 0; i < 300 && refused.status != 503; ++i) {
    event = EventOf(world, kTeam, filler);
    refused = Deliver(world, event);
  }
  EXPECT_EQ(refused.text(), "503 overloaded");
  EXPECT_NE(Figure(world, "writ_store_bytes"), "0");
  const Json wanted = Json::MakeObject({{"agent_id", "helper"}, {"user_id", "anya-1"}});
  EXPECT_EQ(world.api().Post(world.Backend(), "/v1/agents/sessions", wanted).text(),
            "503 overloaded");
  const std::string taken_back = world.Say("anya-1", "never mind");
  world.chat().Delete(taken_back, "anya-1");
  EXPECT_EQ(Deliver(world, world.chat().webhooks().LastEvent(taken_back)->Dump()).status, 200)
      << "what ends work is heard";
  EXPECT_EQ(world.Answer(world.As("anya-1"), held, true).status, 204);
  EXPECT_EQ(world.WaitForOutcome(held), "done");
  world.WaitForEnds(1);
  world.Configure({});
  world.Restart();
  EXPECT_EQ(Deliver(world, event).status, 200) << "with more room";
}

TEST(Overload, ANodeWithAllTheTurnsThatItMayHaveBeginsNoOtherAndGoesOnWithThese) {
  World world({.config = NodeLimits({{"turns", 3}, {"event_wait_s", 0.2}})});
  world.model().When("hangs", Hangs());
  SayUntilTaken(world, kAsk);
  const HeldCall held = world.WaitForHeld();
  for (int i = 0; i < 4; ++i) world.AddChannel("callouts:busy-" + std::to_string(i));
  for (int i = 0; i < 3; ++i) SayUntilTaken(world, "hangs", "callouts:busy-" + std::to_string(i));
  ASSERT_TRUE(Eventually([&] { return world.model().AskedAbout("hangs").size() == 3; }));
  ASSERT_TRUE(Eventually([&] { return Figure(world, "writ_work_under_way") == "3"; }));

  const std::string fourth = EventOf(world, "callouts:busy-3", "I am new");
  EXPECT_EQ(Deliver(world, fourth).text(), "503 overloaded");
  const std::string unsent = EventOf(world, "callouts:busy-0", "and I am behind one that hangs");
  EXPECT_EQ(Deliver(world, unsent).text(), "503 overloaded");
  const Json wanted = Json::MakeObject({{"agent_id", "helper"}, {"user_id", "anya-1"}});
  EXPECT_EQ(world.api().Post(world.Backend(), "/v1/agents/sessions", wanted).text(),
            "503 overloaded");
  const std::string text = world.api().Get(world.Anonymous(), "/metrics").body;
  EXPECT_NE(text.find("writ_shed_total{why=\"turns\"} "), std::string::npos);
  EXPECT_EQ(world.Answer(world.As("anya-1"), held, true).status, 204);
  world.WaitForReply("Results: echo: " + kShift);

  world.model().Release();
  for (int i = 0; i < 3; ++i) {
    world.WaitForReply("hangs", "callouts:busy-" + std::to_string(i));
  }
  ASSERT_TRUE(Eventually([&] { return Deliver(world, fourth).status == 200; }))
      << "as the platform sends it again";
  world.WaitForReply("I am new", "callouts:busy-3");
  world.WaitForReply("and I am behind one that hangs", "callouts:busy-0");
}

TEST(Overload, ARestartBeginsNoMoreThanThereIsRoomForAndEndsAllThatWasTaken) {
  World world;
  world.model().When("hangs", Hangs());
  world.Say("anya-1", "hello");
  world.WaitForReply("hello");
  std::vector<std::string> cids(8);
  for (std::string& cid : cids) {
    cid = "callouts:busy-" + std::to_string(&cid - cids.data());
    world.AddChannel(cid);
    world.Say("anya-1", "hangs", cid);
  }
  ASSERT_TRUE(Eventually([&] { return world.model().AskedAbout("hangs").size() == 8; }));
  world.Kill();
  world.chat().webhooks().SetUrls({});
  world.Say("anya-1", "while you were away");  // the look for it asks nobody whether there is room
  world.Configure({.config = NodeLimits({{"turns", 3}})});
  ASSERT_TRUE(world.Start());
  ASSERT_TRUE(Eventually([&] { return world.model().AskedAbout("hangs").size() == 11; }));
  EXPECT_EQ(Deliver(world, EventOf(world, kTeam, "I am new")).text(), "503 overloaded");
  EXPECT_EQ(Figure(world, "writ_work_under_way"), "3");
  EXPECT_EQ(world.model().AskedAbout("hangs").size(), 11U);

  world.model().Release();
  for (const std::string& cid : cids) world.WaitForReply("hangs", cid);
  world.WaitForReply("while you were away");
  EXPECT_EQ(world.model().AskedAbout("hangs").size(), 8U + 8U);
}

}  // namespace writ::tests
