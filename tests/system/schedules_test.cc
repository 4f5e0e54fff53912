// Commands that come by the clock.
#include <chrono>
#include <fstream>
#include <sstream>

#include "store/ledger/schedules_over.h"
#include "store/sqlite/sqlite_engine.h"
#include "tests/system/story.h"

namespace writ::tests {
namespace {

WorldOptions EveryMinute(const std::string& text) {
  return {.agent = [text](Json& agent) {
    Json schedules = Json::MakeArray();
    schedules.Push(Json::MakeObject({{"id", "each-minute"},
                                     {"cron", "* * * * *"},
                                     {"time_zone", "Europe/Berlin"},
                                     {"cid", kTeam},
                                     {"text", text}}));
    agent.Set("schedules", std::move(schedules));
  }};
}

}  // namespace

// The one test that waits for the clock on the wall: up to a minute.
TEST(Schedules, ComeByThemselvesRefuseWhatIsHeldAndWorkOtherwise) {  // W15, fault 20
  World world(EveryMinute(kAsk + "\n" + kLookup));
  ASSERT_TRUE(Eventually([&] { return !world.BotMessages().empty(); }, std::chrono::seconds(75)));
  const Json message = world.WaitForEnds(1);
  EXPECT_EQ(StateOf(message), "completed");
  const auto told = ToldAbout(world, kLookup);
  ASSERT_EQ(told.size(), 2U);
  EXPECT_NE(told[0].find("nobody_to_ask"), std::string::npos);
  EXPECT_EQ(world.crm().Calls().size(), 1U);
  for (const Json& face : world.chat().world().Faces(message.TextAt("id"))) {
    EXPECT_EQ(face.Dump().find("awaiting_approval"), std::string::npos);
  }
  // The same minute again, by another run of the program: it was done.
  const std::size_t before = world.model().AskedAbout(kLookup).size();
  world.Restart();
  world.Say("anya-1", "hello");
  world.WaitForReply("hello");
  EXPECT_LE(world.model().AskedAbout(kLookup).size(), before + 2) << "but for a minute that passed";
}

// Six instants of an hour that is over, by the clock of a zone that is half an hour apart from all
// others, were missed while the program was down.
TEST(Schedules, WhatWasMissedComesOnceAfterARestart) {
  WorldOptions options;
  World world(options);
  world.Kill();
  const router::TimePoint now = SystemClock().Now();
  {
    // The program saw the schedule last five hours ago.
    store::SqliteEngine engine({.path = world.File("writ.db")});
    store::SchedulesOver ledger(engine);
    static_cast<void>(
        ledger.LastRun(router::AppId("acme"), "helper:missed", now - std::chrono::hours(5)));
  }
  const auto in_kolkata = now + std::chrono::minutes(330);  // all year
  const auto hour = std::chrono::floor<std::chrono::hours>(in_kolkata - std::chrono::hours(2))
                        .time_since_epoch() /
                    std::chrono::hours(1) % 24;
  options.agent = [hour](Json& agent) {
    Json schedules = Json::MakeArray();
    schedules.Push(Json::MakeObject({{"id", "missed"},
                                     {"cron", "*/10 " + std::to_string(hour) + " * * *"},
                                     {"time_zone", "Asia/Kolkata"},
                                     {"cid", kTeam},
                                     {"text", kAsk + "\n" + kLookup}}));
    agent.Set("schedules", std::move(schedules));
  };
  world.Configure(options);
  ASSERT_TRUE(world.Start());
  const Json message = world.WaitForEnds(1);
  EXPECT_EQ(StateOf(message), "completed");
  const auto told = ToldAbout(world, kLookup);
  ASSERT_EQ(told.size(), 2U);
  EXPECT_NE(told[0].find("nobody_to_ask"), std::string::npos);
  EXPECT_EQ(world.crm().Calls().size(), 1U) << "the rest of it works";
  const std::string ran = R"("schedule.ran")";
  EXPECT_EQ(CountOf(world.Log(), ran), 1U) << "the latest stands for all six";
  const auto latest = std::chrono::floor<std::chrono::hours>(in_kolkata) - std::chrono::hours(2) +
                      std::chrono::minutes(50 - 330);
  EXPECT_NE(world.Log().find(router::FormatTime(std::chrono::floor<router::Duration>(latest))),
            std::string::npos);
  // Not again by another start, nor with the next message.
  world.Restart();
  world.Say("anya-1", "hello");
  world.WaitForReply("hello");
  EXPECT_EQ(CountOf(world.Log(), ran), 1U);
  EXPECT_EQ(world.crm().Calls().size(), 1U);
}

TEST(Schedules, AreCheckedBeforeTheProgramStarts) {
  WorldOptions options = EveryMinute("x");
  options.start = false;
  options.agent = [](Json& agent) {
    Json schedules = Json::MakeArray();
    schedules.Push(Json::MakeObject({{"id", "a"},
                                     {"cron", "61 * * * *"},
                                     {"time_zone", "Europe/Nowhere"},
                                     {"cid", "elsewhere:1"},
                                     {"text", "x"}}));
    agent.Set("schedules", std::move(schedules));
  };
  World world(options);
  Program check({PathOfWrit(), "check", "--config", world.File("writ.json")}, {},
                world.File("check.log"));
  EXPECT_EQ(check.WaitForEnd(), 2);
  const std::string at = "/apps/0/agents/0/schedules/0/";
  std::string said = check.output();
  std::ostringstream log;
  log << std::ifstream(world.File("check.log")).rdbuf();
  said += log.str();
  for (const char* key : {"cron", "time_zone", "cid"}) {
    EXPECT_NE(said.find(at + key), std::string::npos) << key;
  }
}

}  // namespace writ::tests
