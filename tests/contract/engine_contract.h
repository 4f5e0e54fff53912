#pragma once

// What each engine must be, whatever it is built on. A test file of an engine includes this and
// instantiates the suite:
//
//   INSTANTIATE_TEST_SUITE_P(Memory, EngineContract, testing::Values(MakeMemory));

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "store/records.h"

namespace writ::store {

// An engine on an empty store, with whatever must live as long as it does.
class EngineUnderTest {
 public:
  virtual ~EngineUnderTest() = default;
  virtual Engine& engine() = 0;
};

using MakeEngine = std::unique_ptr<EngineUnderTest> (*)();

inline constexpr TimePoint kNoon{std::chrono::hours(12)};

inline TimePoint After(int seconds) { return kNoon + std::chrono::seconds(seconds); }

class EngineContract : public testing::TestWithParam<MakeEngine> {
 protected:
  [[nodiscard]] Engine& engine() { return under_test_->engine(); }

  // What `work` returns, out of a commit or a read of its own.
  template <class Work>
  auto Commit(const Work& work) {
    return InTransaction(work, [&](const auto& wrapped) { engine().Commit(wrapped); });
  }
  template <class Work>
  auto Read(const Work& work) {
    return InTransaction(work, [&](const auto& wrapped) { engine().Read(wrapped); });
  }

 private:
  template <class Work, class Run>
  auto InTransaction(const Work& work, const Run& run) {
    using Result = decltype(work(std::declval<Records&>()));
    if constexpr (std::is_void_v<Result>) {
      run(std::function<void(Records&)>(work));
    } else {
      Result result{};
      run(std::function<void(Records&)>([&](Records& records) { result = work(records); }));
      return result;
    }
  }

  std::unique_ptr<EngineUnderTest> under_test_ = GetParam()();
};

// The ids of rows, in their order.
template <class Row>
std::vector<std::string> IdsOf(const std::vector<Row>& rows) {
  std::vector<std::string> ids;
  ids.reserve(rows.size());
  for (const Row& row : rows) ids.push_back(row.id);
  return ids;
}

using Ids = std::vector<std::string>;

}  // namespace writ::store

#include "tests/contract/engine_approvals.h"
#include "tests/contract/engine_audit.h"
#include "tests/contract/engine_budgets.h"
#include "tests/contract/engine_consents.h"
#include "tests/contract/engine_events.h"
#include "tests/contract/engine_outbox.h"
#include "tests/contract/engine_sessions.h"
#include "tests/contract/engine_transactions.h"
#include "tests/contract/engine_turns.h"
#include "tests/contract/engine_work.h"
