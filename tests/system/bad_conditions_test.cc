// What befalls a machine: each ends in a clear refusal, loses nothing, and needs no hand
// afterwards.
#include <sys/mount.h>
#include <sys/resource.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "tests/support/raw_server.h"
#include "tests/system/story.h"

namespace writ::tests {
namespace {

namespace fs = std::filesystem;

std::string EventOf(World& world, const std::string& text) {
  world.chat().webhooks().SetUrls({});
  return world.chat().webhooks().LastEvent(world.Say("anya-1", text))->Dump();
}

int Deliver(World& world, const std::string& event) {
  return world.Hook(event, world.SignedHeaders(event)).status;
}

bool IsReady(const World& world) {
  return Send(world.api().port(), "GET", "/readyz", {}, "").status == 200;
}

// A limit of the running program, until the end of this.
class Limited {
 public:
  Limited(pid_t program, __rlimit_resource what, rlim_t limit) : program_(program), what_(what) {
    EXPECT_EQ(::prlimit(program_, what_, nullptr, &before_), 0);
    const struct rlimit now = {limit, before_.rlim_max};
    EXPECT_EQ(::prlimit(program_, what_, &now, nullptr), 0);
  }
  ~Limited() { EXPECT_EQ(::prlimit(program_, what_, &before_, nullptr), 0); }
  Limited(const Limited&) = delete;
  Limited& operator=(const Limited&) = delete;

 private:
  const pid_t program_;
  const __rlimit_resource what_;
  struct rlimit before_ = {};
};

// The lowest number that the next file of the program would get.
rlim_t FirstFreeFile(pid_t program) {
  std::set<rlim_t> open;
  for (const auto& file : fs::directory_iterator("/proc/" + std::to_string(program) + "/fd")) {
    open.insert(std::stoul(file.path().filename().string()));
  }
  rlim_t first = 0;
  while (open.contains(first)) ++first;
  return first;
}

void SetClock(const std::string& path, int seconds) {
  // At once: half a number must not be read.
  std::ofstream(path + ".new") << seconds;
  fs::rename(path + ".new", path);
}

std::string ReadFile(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

// A folder with what is in it, as it is on a file system that may not be written. Rights do for
// anybody but root, who mounts it anew.
class ReadOnly {
 public:
  explicit ReadOnly(std::string folder) : folder_(std::move(folder)), is_root_(::geteuid() == 0) {
    if (is_root_) {
      holds_ = ::mount(folder_.c_str(), folder_.c_str(), nullptr, MS_BIND, nullptr) == 0 &&
               ::mount(nullptr, folder_.c_str(), nullptr, MS_BIND | MS_REMOUNT | MS_RDONLY,
                       nullptr) == 0;
    } else {
      Allow(fs::perms::owner_read);
      fs::permissions(folder_, fs::perms::owner_read | fs::perms::owner_exec);
      holds_ = true;
    }
  }
  ~ReadOnly() {
    if (is_root_) {
      ::umount2(folder_.c_str(), MNT_DETACH);
    } else {
      fs::permissions(folder_, fs::perms::owner_all);
      Allow(fs::perms::owner_read | fs::perms::owner_write);
    }
  }
  ReadOnly(const ReadOnly&) = delete;
  ReadOnly& operator=(const ReadOnly&) = delete;

  [[nodiscard]] bool holds() const { return holds_; }

 private:
  void Allow(fs::perms rights) const {
    for (const auto& file : fs::directory_iterator(folder_)) fs::permissions(file, rights);
  }

  const std::string folder_;
  const bool is_root_;
  bool holds_ = false;
};

// A call that was held before, and what a platform repeats, come to their end.
void ExpectAllGoesOn(World& world, const HeldCall& held, const std::string& event,
                     const std::string& text) {
  // Who asked just before the trouble was over may have been refused still.
  ASSERT_TRUE(Eventually([&] { return world.IsHeld(held); }));
  ASSERT_TRUE(Eventually([&] { return Deliver(world, event) == 200; }));
  ASSERT_TRUE(Eventually([&] {
    const int status = world.Answer(world.As("anya-1"), held, true).status;
    return status == 204 || status == 404;
  }));
  EXPECT_EQ(world.WaitForOutcome(held), "done");
  world.WaitForReply(text);
}

}  // namespace

TEST(BadConditions, AFullDiskRefusesEventsAndAnswersUntilThereIsRoom) {
  World world;
  world.Say("anya-1", kAsk);
  const HeldCall held = world.WaitForHeld();
  const std::string event = EventOf(world, "is there room?");
  {
    // Nothing is written any more, wherever it would go.
    const Limited full(world.program().pid(), RLIMIT_FSIZE, 0);
    EXPECT_EQ(Deliver(world, event), 503);
    const ApiReply refused = world.Answer(world.As("anya-1"), held, true);
    EXPECT_EQ(refused.text(), "503 store_unavailable");
    EXPECT_NE(refused.head.find("Retry-After: "), std::string::npos);
    EXPECT_TRUE(Eventually([&] { return !IsReady(world); }));
    EXPECT_EQ(Send(world.api().port(), "GET", "/healthz", {}, "").status, 200);
    EXPECT_TRUE(world.crm().Calls().empty());
  }
  ExpectAllGoesOn(world, held, event, "is there room?");
  EXPECT_TRUE(Eventually([&] { return IsReady(world); }));
  EXPECT_EQ(world.crm().Calls().size(), 1U);
}

TEST(BadConditions, WithoutAFileLeftWhoComesIsToldSoAndWhatRunsGoesOn) {
  World world;
  world.Say("anya-1", kAsk);
  const HeldCall held = world.WaitForHeld();
  std::string event;
  int tries = 0;
  // What was closed just now may leave one for a moment.
  ASSERT_TRUE(Eventually([&] {
    event = EventOf(world, "are there files? " + std::to_string(++tries));
    const pid_t program = world.program().pid();
    const Limited none(program, RLIMIT_NOFILE, FirstFreeFile(program));
    return Deliver(world, event) == 503;
  }));
  ExpectAllGoesOn(world, held, event, "are there files? " + std::to_string(tries));
}

TEST(BadConditions, AClockThatJumpsLosesNothingAndSendsNothingTwice) {
  World world({.start = false});
  const std::string clock = world.File("clock");
  SetClock(clock, 0);
  ASSERT_TRUE(world.Start({{"WRIT_CLOCK_JUMP", clock}}));
  world.Say("anya-1", kAsk);
  HeldCall held = world.WaitForHeld();

  SetClock(clock, -3600);
  ExpectAllGoesOn(world, held, EventOf(world, "is it earlier?"), "is it earlier?");
  EXPECT_EQ(world.crm().Calls().size(), 1U);

  // What is held expires by the clock as it is: it is not sent, and that is said.
  ASSERT_EQ(Deliver(world, EventOf(world, AskWith("shift 43"))), 200);
  const HeldCall late = world.WaitForHeld();
  SetClock(clock, 7200);
  EXPECT_EQ(world.WaitForOutcome(late), "expired");
  EXPECT_EQ(world.Answer(world.As("anya-1"), late, true).status, 404);
  ASSERT_EQ(Deliver(world, EventOf(world, "is it later?")), 200);
  world.WaitForReply("is it later?");

  SetClock(clock, 0);
  ASSERT_EQ(Deliver(world, EventOf(world, "is it now?")), 200);
  world.WaitForReply("is it now?");
  EXPECT_EQ(world.crm().Calls().size(), 1U);
}

TEST(BadConditions, AStoreThatMayNotBeWrittenIsRefusedAtTheStartAndGoesOnOnceItMay) {
  World world({.config =
                   [&](Json& config) {
                     Json* store = config.Find("store");
                     const fs::path path = store->TextAt("path");
                     store->Set("path", (path.parent_path() / "store" / "writ.db").string());
                   },
               .start = false});
  const std::string folder = world.File("store");
  fs::create_directory(folder);
  ASSERT_TRUE(world.Start());
  world.Say("anya-1", kAsk);
  const HeldCall held = world.WaitForHeld();
  EXPECT_EQ(world.program().Terminate(), 0);
  {
    const ReadOnly read_only(folder);
    if (!read_only.holds()) GTEST_SKIP() << "nothing can be made read-only here";
    EXPECT_FALSE(world.Start());
    EXPECT_EQ(world.program().WaitForEnd(), 1);
    EXPECT_NE(world.Log().find("store/writ.db: cannot"), std::string::npos);
  }
  ASSERT_TRUE(world.Start());
  EXPECT_EQ(world.Answer(world.As("anya-1"), held, true).status, 204);
  EXPECT_EQ(world.WaitForOutcome(held), "done");
}

TEST(BadConditions, ASecondProgramOnTheFileIsRefusedAndACopyOfItInUseOpensOrIsRefused) {
  World world;
  world.Say("anya-1", kAsk);
  const HeldCall held = world.WaitForHeld();
  Program second(
      {PathOfWrit(), "serve", "--config", world.File("writ.json"), "--listen", "127.0.0.1:0"}, {},
      world.File("second.log"));
  EXPECT_EQ(second.WaitForEnd(), 1);
  EXPECT_NE(ReadFile(world.File("second.log")).find("writ.db"), std::string::npos);

  for (int round = 0; round < 3; ++round) {
    world.Say("anya-1", "hello " + std::to_string(round));  // it writes while it is copied
    const std::string copy = world.File("copy-" + std::to_string(round) + ".db");
    fs::copy_file(world.File("writ.db"), copy);
    // The log of a later moment, or none.
    if (round > 0) fs::copy_file(world.File("writ.db-wal"), copy + "-wal");
    const std::string config = world.File("copy.json");
    Json changed = *router::ParseJson(ReadFile(world.File("writ.json"))).value;
    changed.Find("store")->Set("path", copy);
    std::ofstream(config) << changed.Dump();
    const std::string log = world.File("copy.log");
    Program check({PathOfWrit(), "check", "--config", config, "--online"}, {}, log);
    const auto ended = check.WaitForEnd();
    ASSERT_TRUE(ended == 0 || ended == 1 || ended == 2) << "no crash";
    const std::string told = ReadFile(log);
    if (told.find(": /store: ") != std::string::npos) {
      EXPECT_NE(told.find("is damaged"), std::string::npos) << told;
    }
  }
  EXPECT_EQ(world.Answer(world.As("anya-1"), held, true).status, 204);
  EXPECT_EQ(world.WaitForOutcome(held), "done");
  EXPECT_EQ(world.crm().Calls().size(), 1U);
}

TEST(BadConditions, AConnectorThatAnswersGarbageOrNeverEndsEndsItsOwnCallAndNothingElse) {
  using Kind = RawStep::Kind;
  RawServer server([](const RawRequest& request) -> RawServer::Steps {
    if (request.Has("/garbage"))
      return {{Kind::kSend, "\x16\x03\x01 no HTTP\r\n\r\n"}, {Kind::kClose}};
    if (request.Has("/drip")) {
      return {{Kind::kDrip, Ok("slow, and whole"), std::chrono::milliseconds(1)}};
    }
    return {{Kind::kHold}};
  });
  World world({.agent = [&](Json& agent) {
    for (const std::string tool : {"garbage", "drip", "silent"}) {
      Json its = Json::MakeObject({{"name", tool},
                                   {"description", tool},
                                   {"method", "POST"},
                                   {"path", "/" + tool},
                                   {"input_schema", Json::MakeObject({{"type", "object"}})}});
      agent.Find("connectors")
          ->Push(Json::MakeObject({{"id", tool},
                                   {"kind", "http"},
                                   {"base_url", server.Url("")},
                                   {"timeout_s", tool == "silent" ? 3 : 60},
                                   {"tools", Json(Json::Array{std::move(its)})}}));
    }
  }});
  const auto outcome_of = [&](const std::string& tool) {
    const std::string cid = "callouts:" + tool;
    world.AddChannel(cid);
    world.Say("anya-1", "!" + tool + "__" + tool + " {}", cid);
    const Json message = world.WaitForEnds(1, cid);
    EXPECT_EQ(StateOf(message), "completed") << tool;
    return StepsOf(message).at(0).TextAt("outcome");
  };
  EXPECT_EQ(outcome_of("garbage"), "outcome_unknown");
  EXPECT_EQ(outcome_of("drip"), "done");
  EXPECT_EQ(outcome_of("silent"), "outcome_unknown");
  EXPECT_EQ(server.requests().size(), 3U) << "none is sent again";
  world.Say("anya-1", "hello");
  world.WaitForReply("hello");
  server.Release();
}

}  // namespace writ::tests
