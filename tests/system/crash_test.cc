// The node dies at each commit of a story, before or after the commit is durable, and is started
// again: row L8. Every message that was acknowledged is answered once or its failure shown, and no
// approved call runs twice.
#include <string>
#include <tuple>

#include "tests/system/story.h"

namespace writ::tests {
namespace {

// More than the story has; points that it does not reach are stories without a crash.
constexpr int kCommits = 32;

// Brings the program up again where it died, and the message where it was not taken.
void Tend(World& world, const std::string& message) {
  if (world.program().HasEnded()) {
    ASSERT_TRUE(world.Start());
  }
  if (!world.chat().webhooks().IsIdle() || world.IsAcknowledged(message)) return;
  world.chat().Redeliver(
      message, "http://127.0.0.1:" + std::to_string(world.program().port()) + "/v1/hooks/acme");
}

// Tends until `holds()`; false where it did not in time.
template <class Holds>
bool Play(World& world, const std::string& message, const Holds& holds) {
  return Eventually([&] {
    Tend(world, message);
    return holds();
  });
}

}  // namespace

class Crash : public testing::TestWithParam<std::tuple<std::string, int>> {};

TEST_P(Crash, AtAnyCommitTheStoryComesToItsEndAndNothingRunsTwice) {
  const auto& [where, commit] = GetParam();
  World world({.start = false});
  const bool came_up =
      world.Start({{"WRIT_FAILPOINT", where + "-commit:" + std::to_string(commit)}});
  if (!came_up) {
    ASSERT_TRUE(world.Start());
  }
  const std::string message = world.Say("anya-1", kLookup + "\n" + kAsk);
  ASSERT_TRUE(Play(world, message, [&] { return !world.HeldCalls().empty(); }));
  const HeldCall held = world.HeldCalls().front();
  ASSERT_TRUE(Play(world, message, [&] {
    // A crash may have swallowed the first 204: then the second answer finds nothing held.
    const int status = world.Answer(world.As("anya-1"), held, true).status;
    return status == 204 || status == 404;
  }));
  ASSERT_TRUE(Play(world, message, [&] {
    const auto shown = world.chat().world().Message(held.message);
    return shown && StateOf(*shown) == "completed" && shown->TextAt("text").find("Results: ") == 0;
  }));
  EXPECT_EQ(world.BotMessages().size(), 1U);
  const std::string outcome = world.StepOf(held).TextAt("outcome");
  const std::size_t calls = world.crm().CallsWith("shift 42").size();
  if (outcome == "done") {
    EXPECT_EQ(calls, 1U);
  } else {
    EXPECT_EQ(outcome, "outcome_unknown");
    EXPECT_LE(calls, 1U);
  }
  const auto lookups = world.crm().CallsWith("anya");
  ASSERT_FALSE(lookups.empty());
  for (const StubCrm::Call& lookup : lookups) EXPECT_EQ(lookup.key, lookups[0].key);
  EXPECT_TRUE(world.model().faults().empty());
  if (commit == kCommits) {
    EXPECT_EQ(world.starts(), 1) << "the story has more commits than are tried";
  }
}

class CrashInADecline : public Crash {};

TEST_P(CrashInADecline, NeverSendsTheCall) {
  const auto& [where, commit] = GetParam();
  World world({.start = false});
  if (!world.Start({{"WRIT_FAILPOINT", where + "-commit:" + std::to_string(commit)}})) {
    ASSERT_TRUE(world.Start());
  }
  const std::string message = world.Say("anya-1", kAsk);
  ASSERT_TRUE(Play(world, message, [&] { return !world.HeldCalls().empty(); }));
  const HeldCall held = world.HeldCalls().front();
  ASSERT_TRUE(Play(world, message, [&] {
    const int status = world.Answer(world.As("anya-1"), held, false).status;
    return status == 204 || status == 404;
  }));
  ASSERT_TRUE(Play(world, message, [&] {
    return world.StepOf(held).TextAt("outcome") == "declined" &&
           StateOf(*world.chat().world().Message(held.message)) == "completed";
  }));
  EXPECT_TRUE(world.crm().Calls().empty());
  EXPECT_EQ(world.BotMessages().size(), 1U);
}

class FailedCommit : public testing::TestWithParam<int> {};

TEST_P(FailedCommit, IsDoneAgainOrRefused) {  // faults 3 and 7
  World world({.start = false});
  if (!world.Start({{"WRIT_FAILPOINT", "fail-commit:" + std::to_string(GetParam())}})) {
    ASSERT_TRUE(world.Start());
  }
  const std::string message = world.Say("anya-1", kAsk);
  ASSERT_TRUE(Play(world, message, [&] { return !world.HeldCalls().empty(); }));
  const HeldCall held = world.HeldCalls().front();
  ASSERT_TRUE(Play(world, message, [&] {
    const ApiReply answered = world.Answer(world.As("anya-1"), held, true);
    if (answered.status == 503) {
      EXPECT_EQ(answered.code(), "store_unavailable");
    }
    return answered.status == 204;
  })) << "a 503 leaves the call held";
  ASSERT_TRUE(Play(world, message, [&] { return !world.StepOf(held).TextAt("outcome").empty(); }));
  EXPECT_EQ(world.StepOf(held).TextAt("outcome"), "done");
  EXPECT_EQ(world.crm().Calls().size(), 1U);
}

std::string NameOfPoint(const testing::TestParamInfo<std::tuple<std::string, int>>& point) {
  return std::get<0>(point.param) + "_" + std::to_string(std::get<1>(point.param));
}

INSTANTIATE_TEST_SUITE_P(EveryCommit, Crash,
                         testing::Combine(testing::Values("before", "after"),
                                          testing::Range(1, kCommits + 1)),
                         NameOfPoint);
// A story with fewer commits.
INSTANTIATE_TEST_SUITE_P(EveryCommit, CrashInADecline,
                         testing::Combine(testing::Values("before", "after"),
                                          testing::Range(1, 13)),
                         NameOfPoint);
INSTANTIATE_TEST_SUITE_P(EveryCommit, FailedCommit, testing::Range(1, 13));

}  // namespace writ::tests
