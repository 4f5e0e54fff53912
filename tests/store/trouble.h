#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <string>
#include <thread>

#include "router/base/failure.h"
#include "store/engine_load.h"
#include "store/records.h"
#include "tests/support/stage/eventually.h"

// What the servers' tests of trouble ask of an engine.
namespace writ::store {

inline EventRow EventOf(const std::string& key) {
  constexpr TimePoint kNoon{std::chrono::hours(12)};
  return {"acme", key, "message of " + key, EventRow::State::kWaiting, kNoon, "doc-of-" + key};
}

inline bool HasEvent(Engine& engine, const std::string& key) {
  bool has = false;
  engine.Read([&](Records& records) { has = records.FindEvent("acme", key).has_value(); });
  return has;
}

// Whether a commit works; it must not fail for good.
inline bool Works(Engine& engine, const std::string& key) {
  try {
    engine.Commit([&](Records& records) { records.InsertEvent(EventOf(key)); });
    return true;
  } catch (const router::Failure& failure) {
    EXPECT_EQ(failure.kind(), router::Failure::Kind::kTransient) << failure.what();
    return false;
  }
}

// That an Engine and LoadedEngine with one connection tells of whoever waits for it.
template <typename EngineOfServer>
void ExpectWhoeverWaitsToBeItsLoad(EngineOfServer& engine) {
  EXPECT_TRUE(Works(engine, "before"));
  EXPECT_EQ(engine.LoadNow().commits_waiting, 0U);
  std::promise<void> go_on;
  std::promise<void> has_it;
  std::jthread holds([&] {
    engine.Commit([&](Records& /*records*/) {
      has_it.set_value();
      go_on.get_future().wait();
    });
  });
  has_it.get_future().wait();
  std::jthread waits([&] { EXPECT_TRUE(Works(engine, "waits")); });
  EXPECT_TRUE(tests::Eventually([&] {
    const EngineLoad load = engine.LoadNow();
    return load.commits_waiting == 1 && load.longest_wait > std::chrono::milliseconds(100);
  }));
  go_on.set_value();
  holds.join();
  waits.join();
  EXPECT_EQ(engine.LoadNow().commits_waiting, 0U);
  EXPECT_EQ(engine.LoadNow().longest_wait, std::chrono::milliseconds(0));
}

}  // namespace writ::store
