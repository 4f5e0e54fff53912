#include "router/flow/after_refusals.h"

#include <gtest/gtest.h>

#include <chrono>

#include "tests/support/fake_http.h"

namespace writ::router {

using std::chrono::seconds;

TEST(AfterRefusals, SomebodyLooksOnceNothingWasRefusedForAWhile) {
  tests::FakeHttp http;
  int looks = 0;
  AfterRefusals refusals(http, seconds(20), [&] { ++looks; });
  refusals.Refused();
  refusals.Refused();
  http.Advance(seconds(15));
  refusals.Refused();
  http.Advance(seconds(5));
  EXPECT_EQ(looks, 0) << "it goes on";
  http.Advance(seconds(20));
  EXPECT_EQ(looks, 1);
  http.Advance(seconds(60));
  EXPECT_EQ(looks, 1);
  refusals.Refused();
  http.Advance(seconds(20));
  EXPECT_EQ(looks, 2);
}

}  // namespace writ::router
