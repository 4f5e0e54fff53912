// The short form of the fault tests, with one seed each. ./dev chaos is the long one.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

#include "tests/chaos/report.h"
#include "tests/chaos/run.h"
#include "tests/support/temporary_folder.h"

namespace writ::chaos {
namespace {

std::string LogsIn(const std::string& folder, std::size_t nodes) {
  std::ostringstream text;
  for (std::size_t node = 0; node < nodes; ++node) {
    text << "node " << node << ":\n"
         << std::ifstream(folder + "/node-" + std::to_string(node) + ".log").rdbuf();
  }
  return text.str();
}

}  // namespace

class Chaos : public testing::TestWithParam<std::string> {};

TEST_P(Chaos, LosesNothingAndDoesNothingTwice) {
  const tests::TemporaryFolder folder;
  RunOptions options;
  options.store = GetParam();
  options.folder = folder.path();
  options.schedule.seed = 7;
  options.schedule.length = Milliseconds(12000);
  options.schedule.faults = 9;
  options.schedule.messages = 28;
  options.schedule.channels_at_once = 4;
  options.approval_wait_s = 6;
  options.channel_wait_s = 2;
  options.settles_within = Milliseconds(80000);
  const RunResult result = ::writ::chaos::Run(options);
  EXPECT_TRUE(result.findings.empty())
      << TextOf(options, result) << LogsIn(folder.path(), options.store == "sqlite" ? 1 : 3);
  // A check of nothing is worth nothing.
  EXPECT_EQ(result.evidence.said.size(), options.schedule.messages);
  EXPECT_FALSE(result.evidence.executions.empty());
  EXPECT_FALSE(result.evidence.approvals.empty());
  EXPECT_FALSE(result.evidence.answers.empty());
  EXPECT_FALSE(result.evidence.audit.empty());
}

INSTANTIATE_TEST_SUITE_P(Stores, Chaos, testing::Values("sqlite", "postgres", "redis"),
                         [](const auto& store) { return store.param; });

}  // namespace writ::chaos
